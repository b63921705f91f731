#include "input/positions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::input {
namespace {

constexpr const char* positions_allowed =
    "N or A:B, 128k meaning 131072, with -2147483648 <= A < B <= 2147483648, or an array of int32 or int64 "
    "positions";

/// Limit of a list: 16 times the 2^22 tokens of today's longest context.
constexpr std::int64_t most_positions = std::int64_t{1} << 26;

template <class Number>
Number number_at(const std::byte* element) {
  Number result{};
  std::memcpy(&result, element, sizeof result);
  return result;
}

/// The position, with -0 replaced by 0.
///
/// throws  bad_input if it is not finite; `place` is a file and "(entry N"
double finite_position(const char* field, const std::string& place, double position) {
  if (!std::isfinite(position))
    throw bad_input(field, place + " is " + (std::isnan(position) ? "not a number" : "infinite") + ")",
                    "finite positions");
  return position == 0 ? 0 : position;
}

std::int64_t position_from(const std::byte* element, npy_dtype dtype) {
  return dtype == npy_dtype::i32 ? number_at<std::int32_t>(element) : number_at<std::int64_t>(element);
}

position_list ranged_positions(const std::string& text) {
  const auto colon = text.find(':');
  const auto begin = colon == std::string::npos ? std::optional<std::int64_t>(0)
                                                : position_number(std::string_view(text).substr(0, colon));
  const auto end = position_number(colon == std::string::npos ? std::string_view(text)
                                                              : std::string_view(text).substr(colon + 1));
  if (!begin || !end || *begin < smallest_position || *end > largest_position + 1 || *end <= *begin)
    throw bad_input("positions", text, positions_allowed);
  position_list positions;
  positions.range = {*begin, *end};
  return positions;
}

}  // namespace

std::optional<std::int64_t> position_number(std::string_view text) {
  constexpr std::int64_t unit = 1024;
  const bool has_unit = text.ends_with('k') || text.ends_with('K');
  if (has_unit) text.remove_suffix(1);
  const auto number = number_from<std::int64_t>(text);
  if (!number || !has_unit) return number;
  constexpr std::int64_t most = (largest_position + std::int64_t{1}) / unit;
  if (*number < -most || *number > most) return std::nullopt;
  return *number * unit;
}

bool looks_like_numbers(std::string_view text) {
  return text.find_first_not_of("+-0123456789:kK") == std::string_view::npos && text != "-" &&
         text.find_first_of("kK") != 0;
}

listed_array listed_array_from(const std::string& text, const std::string& allowed, listed_numbers numbers) {
  if (!std::filesystem::exists(array_location_of(text).path))
    throw bad_input("positions", text + " (no such file)", allowed);
  static constexpr npy_dtype dtypes[] = {npy_dtype::i32, npy_dtype::i64, npy_dtype::f64, npy_dtype::f32};
  const std::size_t taken = numbers == listed_numbers::whole ? 2 : std::size(dtypes);
  const whole_array array = read_array("positions", text, std::span(dtypes).first(taken), most_positions);
  const npy_dtype dtype = array.header.dtype;
  listed_array result{array.header.shape, {}};
  for (std::size_t at = 0; at < array.bytes.size(); at += size_of(dtype)) {
    const std::byte* const from = array.bytes.data() + at;
    const std::string place = text + " (entry " + std::to_string(at / size_of(dtype));
    if (dtype == npy_dtype::f64 || dtype == npy_dtype::f32) {
      const double position = dtype == npy_dtype::f64 ? number_at<double>(from) : number_at<float>(from);
      result.real.push_back(finite_position("positions", place, position));
      continue;
    }
    const std::int64_t position = position_from(from, dtype);
    if (position < smallest_position || position > largest_position)
      throw bad_input("positions", place + " is " + std::to_string(position) + ")",
                      "positions from -2147483648 to 2147483647");
    result.positions.push_back(static_cast<std::int32_t>(position));
  }
  return result;
}

std::string shortest_text(double position) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, position).ptr);
}

std::int64_t position_list::smallest_seq_len() const {
  const auto within = [](double length) {
    return static_cast<std::int64_t>(std::clamp(length, 1.0, static_cast<double>(largest_seq_len)));
  };
  if (is_real()) return within(std::ceil(*std::max_element(real.begin(), real.end())) + 1);
  const std::int64_t last = is_listed ? *std::max_element(listed.begin(), listed.end()) : range.end - 1;
  return within(static_cast<double>(last + 1));
}

std::string position_list::text_at(std::int64_t row) const {
  if (!is_real()) return std::to_string(at(row));
  return shortest_text(real_at(row));
}

std::string position_list::text() const {
  if (is_real()) return std::to_string(real.size()) + " listed in binary64";
  if (is_listed) return std::to_string(listed.size()) + " listed";
  return std::to_string(range.begin) + ":" + std::to_string(range.end);
}

position_list positions_from(const std::string& text) {
  if (looks_like_numbers(text)) return ranged_positions(text);
  listed_array array = listed_array_from(text, positions_allowed);
  if (array.shape.size() != 1 || array.positions.empty())
    throw bad_input("positions", text + " (not a list)", "a one-dimensional array of at least one position");
  position_list positions;
  positions.is_listed = true;
  positions.listed = std::move(array.positions);
  return positions;
}

position_list real_positions_from(const std::string& path) {
  static constexpr npy_dtype dtypes[] = {npy_dtype::f64};
  const whole_array array = read_array("positions-f64", path, dtypes, most_positions);
  if (array.header.shape.size() != 1 || array.bytes.empty())
    throw bad_input("positions-f64", path + " (not a list)",
                    "a one-dimensional array of at least one position");
  position_list positions;
  positions.real.resize(array.bytes.size() / sizeof(double));
  std::memcpy(positions.real.data(), array.bytes.data(), array.bytes.size());
  for (std::size_t at = 0; at < positions.real.size(); ++at) {
    double& position = positions.real[at];
    position = finite_position("positions-f64", path + " (entry " + std::to_string(at), position);
  }
  return positions;
}

}  // namespace ropewalk::input
