#pragma once
// Parsing of numbers in options.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ropewalk::input {

/// The number in `text`; nullopt unless the whole text is a number.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The whole number in `text`, from `smallest` to `largest`.
///
/// throws  bad_input "FIELD is TEXT; allowed: a whole number from A to B"
std::int64_t whole_number(const std::string& field, const std::string& text, std::int64_t smallest,
                          std::int64_t largest);

/// The most worker threads that may be asked for.
inline constexpr int most_threads = 1024;

/// The default number of worker threads: as many as the machine runs at once.
int usual_thread_count();

}  // namespace ropewalk::input
