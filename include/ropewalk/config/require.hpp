#pragma once
// Refusal of a configuration's value: one sentence that names the field, its value and what is allowed.

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ropewalk {

/// Refuses the value of one field. Not constexpr on purpose: a constant evaluation that reaches it does not
/// compile, and the compiler's message shows the arguments of `require`.
///
/// throws  std::invalid_argument "FIELD is VALUE; allowed: WHAT"
[[noreturn]] inline void refuse(const char* field, double value, const char* allowed) {
  char digits[32] = {};
  std::to_chars(digits, digits + sizeof digits - 1, value);
  throw std::invalid_argument(std::string(field) + " is " + digits + "; allowed: " + allowed);
}

/// Refuses a field whose value is a word.
///
/// throws  std::invalid_argument "FIELD is WORD; allowed: WHAT"
[[noreturn]] inline void refuse_word(const char* field, std::string_view word, const char* allowed) {
  throw std::invalid_argument(std::string(field) + " is " + std::string(word) + "; allowed: " + allowed);
}

/// Refuses the value of `field` unless `holds`.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds) refuse(field, value, allowed);
}

/// Refuses a field whose value is a word, unless `holds`.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void require_word(bool holds, const char* field, std::string_view word, const char* allowed) {
  if (!holds) refuse_word(field, word, allowed);
}

inline constexpr double largest_number = 0x1.fffffffffffffp+1023;

/// Refuses a value that is not finite and above 0, NaN included.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void require_positive(const char* field, double value) {
  require(value > 0 && value <= largest_number, field, value, "a finite number above 0");
}

}  // namespace ropewalk
