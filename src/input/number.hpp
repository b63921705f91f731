#pragma once
// Numbers as options spell them.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ropewalk::input {

/// The number that the whole of a text spells, or nothing.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A whole number within bounds.
///
/// throws  bad_input "FIELD is TEXT; allowed: a whole number from A to B"
std::int64_t whole_number(const std::string& field, const std::string& text, std::int64_t smallest,
                          std::int64_t largest);

/// The number of worker threads; an empty text means as many as the machine runs at once.
///
/// throws  bad_input naming threads
int thread_count(const std::string& text);

}  // namespace ropewalk::input
