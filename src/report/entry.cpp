#include "report/entry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "array/recipe_entries.hpp"
#include "input/bad_input.hpp"
#include "output/decimal.hpp"
#include "output/literal.hpp"
#include "output/record.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/reference/decimal_distance.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::report {
namespace {

using input::json;

constexpr int digits_shown = 30;     // of exact numbers
constexpr int digits_compared = 60;  // for forming distances

/// A number of a format, compared with the exact number.
struct rounded_number {
  std::string_view dtype;
  std::string literal;  // hexadecimal, or bits
  std::string value;    // the shortest decimal
  std::string below;    // its neighbours
  std::string above;
  // Distance from the exact number, in spacings of the format on that side; NaN if infinite.
  double ulps = 0;
};

/// One exact number, and its roundings to formats.
struct exact_number {
  std::string_view name;
  std::string_view units;
  std::string decimal;
  std::string digits;  // digits_compared digits
  std::vector<rounded_number> rounded{};
};

/// Drops a small exponent: "7.36e-01" becomes "0.736".
std::string plain(const std::string& text) {
  const std::size_t mark = text.find('e');
  if (mark == std::string::npos) return text;
  const int exponent = std::stoi(text.substr(mark + 1));
  const std::size_t first = text[0] == '-' ? 1 : 0;
  if (exponent > 0 || exponent < -8) return text;
  std::string shown = text.substr(first, 1) + text.substr(first + 2, mark - first - 2);
  if (exponent < 0) shown = "0" + std::string(static_cast<std::size_t>(-exponent - 1), '0') + shown;
  shown.insert(1, ".");
  return text.substr(0, first) + shown;
}

/// The next number away from zero, or towards it; past zero, the smallest of the other sign.
template <floating_format Float>
bits_of<Float> neighbour(bits_of<Float> bits, bool is_above) {
  constexpr auto sign = static_cast<bits_of<Float>>(bits_of<Float>{1} << (format<Float>::total_bits - 1));
  if (magnitude<Float>(bits) == 0) return static_cast<bits_of<Float>>((is_above ? 0 : sign) + 1);
  const bool grows = is_above != is_negative<Float>(bits);
  return static_cast<bits_of<Float>>(grows ? bits + 1 : bits - 1);
}

template <floating_format Float>
rounded_number number_of(bits_of<Float> bits, const std::string& exact) {
  rounded_number number{format<Float>::name,
                        output::c_literal<Float>(bits),
                        output::shortest_decimal<Float>(bits),
                        "-",
                        "-",
                        std::numeric_limits<double>::quiet_NaN()};
  const double value = output::to_double<Float>(bits);
  const auto below = neighbour<Float>(bits, false), above = neighbour<Float>(bits, true);
  if (!is_infinite<Float>(bits) || value < 0) number.above = output::shortest_decimal<Float>(above);
  if (!is_infinite<Float>(bits) || value > 0) number.below = output::shortest_decimal<Float>(below);
  if (!std::isfinite(value)) return number;
  const bool is_too_small = reference::distance_in(1, value, exact) < 0;
  const double beside = output::to_double<Float>(is_too_small ? above : below);
  if (std::isfinite(beside))
    number.ulps = std::abs(reference::distance_in(std::abs(beside - value), value, exact));
  return number;
}

/// An exact number from its digits; digits_of(count) gives `count` correctly rounded digits.
template <class DigitsOf>
exact_number number_with(std::string_view name, std::string_view units, DigitsOf digits_of) {
  return {name, units, plain(digits_of(digits_shown)), digits_of(digits_compared)};
}

std::vector<exact_number> numbers_of(const rope& config, const rope_rows& rows, std::int64_t position,
                                     int pair) {
  std::vector<exact_number> numbers{
      number_with("inv_freq", "radians per position",
                  [&](int count) { return reference::rope_inv_freq_digits(pair, config, count); }),
      number_with("cos", "",
                  [&](int count) { return reference::rope_cos_digits(position, pair, config, count); }),
      number_with("sin", "",
                  [&](int count) { return reference::rope_sin_digits(position, pair, config, count); })};
  for_each_format([&]<class Float>() {
    const cos_sin_bits<Float> entry = rows.entry<Float>(pair, position, false);
    const bits_of<Float> bits[] = {inv_freqs<Float>(config)[static_cast<std::size_t>(pair)], entry.cos,
                                   entry.sin};
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i].rounded.push_back(number_of<Float>(bits[i], numbers[i].digits));
  });
  return numbers;
}

/// The channels of a pair, in the layout of input heads.
std::string channels_of(const model::model& model, int pair) {
  const channel_pair at = ropewalk::channels_of(pair, model.axes, model.encoding, model.layout.pairing_in);
  return fmt::format("channels {} and {}", model.layout.rotary_begin + at.first,
                     model.layout.rotary_begin + at.second);
}

void print_number(const exact_number& number) {
  std::cout << fmt::format("\n{:<10}{}{}\n", number.name, number.decimal,
                           number.units.empty() ? "" : fmt::format(" {}", number.units));
  std::cout << fmt::format("  {:<6}{:<24} {:<24} {:<24} {:<22} {}\n", "", "correctly rounded", "bits",
                           "number below", "number above", "off by");
  for (const rounded_number& f : number.rounded)
    std::cout << fmt::format("  {:<6}{:<24} {:<24} {:<24} {:<22} {}\n", f.dtype, f.value, f.literal, f.below,
                             f.above,
                             std::isnan(f.ulps) ? "beyond the format" : fmt::format("{:.3f} ulp", f.ulps));
}

json record_of(const exact_number& number) {
  json record{{"exact", number.decimal}, {"formats", json::object()}};
  if (!number.units.empty()) record["units"] = std::string(number.units);
  for (const rounded_number& f : number.rounded)
    record["formats"][std::string(f.dtype)] = {
        {"value", f.value}, {"bits", f.literal}, {"below", f.below}, {"above", f.above}, {"ulps", f.ulps}};
  return record;
}

}  // namespace

void print_entry(const model::model& model, std::int64_t position, int pair, bool as_json) {
  const rope_rows rows(model.encoding);
  const std::vector<exact_number> numbers = numbers_of(model.encoding, rows, position, pair);
  const std::string &cosine = numbers[1].digits, &sine = numbers[2].digits;
  const std::vector<array::recipe_entry> recipes = array::recipe_entries(model.encoding, position, pair);
  const auto error_of = [](float entry, const std::string& exact) {
    return std::isfinite(entry) ? std::abs(reference::distance_in(1, entry, exact))
                                : std::numeric_limits<double>::quiet_NaN();
  };
  const std::string turns = plain(reference::rope_turns_digits(pair, model.encoding, digits_shown));
  if (as_json) {
    json object{{"model", model.name}, {"position", position}, {"pair", pair}, {"turns_per_position", turns}};
    for (const exact_number& number : numbers) object[std::string(number.name)] = record_of(number);
    for (const array::recipe_entry& recipe : recipes)
      object["recipes"][std::string(recipe.recipe)] = {{"cos", recipe.cos},
                                                       {"sin", recipe.sin},
                                                       {"cos_error", error_of(recipe.cos, cosine)},
                                                       {"sin_error", error_of(recipe.sin, sine)}};
    std::cout << output::pretty(object);
    return;
  }
  std::cout << fmt::format("{}: {}\n", printable(model.name), summary(model));
  std::cout << fmt::format("position {}, pair {} of {} ({})\n\n", position, pair, rows.pairs(),
                           channels_of(model, pair));
  std::cout << fmt::format("{:<10}{} turns per position\n", "turns", turns);
  for (const exact_number& number : numbers) print_number(number);
  std::cout << "\nresults of engines in binary32, and their distances from the exact entry\n";
  std::cout << fmt::format("  {:<18} {:>14} {:>10} {:>14} {:>10}\n", "recipe", "cos", "off by", "sin",
                           "off by");
  for (const array::recipe_entry& recipe : recipes)
    std::cout << fmt::format("  {:<18} {:>14.9g} {:>10.2g} {:>14.9g} {:>10.2g}\n", recipe.recipe, recipe.cos,
                             error_of(recipe.cos, cosine), recipe.sin, error_of(recipe.sin, sine));
}

}  // namespace ropewalk::report
