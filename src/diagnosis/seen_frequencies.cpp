#include "diagnosis/seen_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

#include "array/entry_bound.hpp"
#include "diagnosis/shared_by_failures.hpp"
#include "input/json_text.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::diagnosis {
namespace {

/// The errors of a configuration's frequencies; past its last pair, the last error.
class pair_errors {
 public:
  explicit pair_errors(const rope& like) {
    for (int pair = 0; pair < pair_count(like); ++pair) errors_.push_back(formed_frequency_error(like, pair));
  }
  double at(std::size_t pair) const { return errors_[std::min(pair, errors_.size() - 1)]; }

 private:
  std::vector<double> errors_;
};

/// Range around an observed frequency, by the relative and absolute errors that the promise allows.
number_range around(double observed, const tables::table_dtype dtype, const promise& promised, double error) {
  const double bound = array::stored_frequency_bound(dtype, promised, {1, std::abs(observed), error});
  return {observed - bound, observed + bound};
}

/// Positions at which angles are read: each narrows a frequency enough to decide the turns at the next.
std::vector<std::int64_t> read_positions(const position_range& range) {
  constexpr std::int64_t each = 64;
  std::vector<std::int64_t> positions;
  for (std::int64_t position = 1; position < range.end; position += position < each ? 1 : position / 2)
    if (position >= range.begin) positions.push_back(position);
  return positions;
}

/// Frequencies from the angles at positions 1, 2, 3, ...
std::vector<number_range> from_angles(array_reader& array, const rope& like, const promise& promised) {
  const given_array& content = array.array();
  const position_range& range = content.positions.listed().range;
  if (range.begin > 1 || range.end <= 1) return {};
  std::vector<number_range> ranges(static_cast<std::size_t>(content.pairs),
                                   {-std::numbers::pi, std::numbers::pi});
  const pair_errors errors(like);
  for (const std::int64_t position : read_positions(range)) {
    const std::vector<pair_point> points = points_at(array, position - range.begin);
    for (std::size_t pair = 0; pair < points.size(); ++pair) {
      const double norm = std::hypot(points[pair].cos, points[pair].sin);
      if (!std::isfinite(norm)) return {};
      const double size = std::max(std::abs(ranges[pair].low), std::abs(ranges[pair].high));
      const auto at = static_cast<double>(position);
      const double bound =
          array::entry_bound(content.dtype, promised, {norm, size, errors.at(pair)}, at) / norm;
      if (bound < 1) narrow_by(ranges[pair], points[pair], at, std::asin(bound));
    }
  }
  return ranges;
}

}  // namespace

std::vector<pair_point> points_at(array_reader& array, std::int64_t place) {
  std::vector<pair_point> points(static_cast<std::size_t>(array.array().pairs));
  const std::vector<double>& numbers = array.at(place);
  const auto columns = static_cast<std::size_t>(array.grid().columns());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t row = place + static_cast<std::int64_t>(i / columns) * array.places();
    const tables::array_place at = array.grid().at(row, static_cast<std::int64_t>(i % columns));
    pair_point& point = points[static_cast<std::size_t>(at.pair)];
    (at.is_sin ? point.sin : point.cos) = numbers[i];
  }
  return points;
}

void narrow_by(number_range& frequency, const pair_point& at, double position, double bound) {
  constexpr double turn = 2 * std::numbers::pi;
  const double middle = (frequency.low + frequency.high) / 2 * position;
  if ((frequency.high - frequency.low) * position > turn) return;  // the number of whole turns is ambiguous
  const double angle = std::atan2(at.sin, at.cos);
  const double whole = std::round((middle - angle) / turn) * turn;
  const number_range range{(whole + angle - bound) / position, (whole + angle + bound) / position};
  if (const number_range both = common_part(frequency, range); !both.is_empty()) frequency = both;
}

std::string seen_number::text() const { return (relative_width > 0 ? "about " : "") + input::shown(value); }

std::vector<seen_number> numbers_of(const number_range& range) {
  const double middle = shortest_in(middle_of(range));
  const double width = std::max(range.high - middle, middle - range.low) / middle;
  if (!(width <= unit_roundoff<bfloat16>)) return {{shortest_in(range)}};
  return {{shortest_in(range)}, {middle, width}};
}

number_range common_part(const number_range& range, const number_range& other) {
  return {std::max(range.low, other.low), std::min(range.high, other.high)};
}

double shortest_in(const number_range& range) {
  const double middle = range.low + (range.high - range.low) / 2;
  char text[40];
  for (int digits = 1; digits < std::numeric_limits<double>::max_digits10; ++digits) {
    const auto end =
        std::to_chars(text, text + sizeof text, middle, std::chars_format::scientific, digits - 1);
    double read = 0;
    std::from_chars(text, end.ptr, read);
    if (range.has(read)) return read;
  }
  return middle;
}

number_range middle_of(const number_range& range) {
  const double quarter = (range.high - range.low) / 4;
  return {range.low + quarter, range.high - quarter};
}

std::vector<number_range> seen_frequencies(array_reader& array, const rope& like, const promise& promised) {
  const given_array& content = array.array();
  if (content.layout.kind == tables::table_kind::cos_sin && content.positions.is_range()) try {
      return from_angles(array, like, promised);
    } catch (const std::invalid_argument&) {  // the norm is not a valid attention factor
      return {};
    }
  std::vector<number_range> frequencies;
  if (content.layout.kind != tables::table_kind::inv_freq) return frequencies;
  const pair_errors errors(like);
  for (int pair = 0; pair < content.pairs; ++pair) {
    const double observed = array.at(pair).front();
    if (!std::isfinite(observed)) return {};
    frequencies.push_back(
        around(observed, content.dtype, promised, errors.at(static_cast<std::size_t>(pair))));
  }
  return frequencies;
}

std::string frequencies_in_words(array_reader& array, const rope& expected, const promise& promised) {
  const given_array& content = array.array();
  if (content.pairs != pair_count(expected))
    return fmt::format("the array has {} pairs, and the model {}", content.pairs, pair_count(expected));
  const std::vector<number_range> seen = seen_frequencies(array, expected, promised);
  const std::vector<std::uint64_t> own = inv_freqs<double>(expected);
  std::set<std::int64_t> wrong;
  number_range ratios{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t pair = 0; pair < seen.size(); ++pair) {
    const double right = from_bits<double>(own[pair]);
    if (seen[pair].has(right)) continue;
    wrong.insert(static_cast<std::int64_t>(pair));
    if (right == 0) continue;
    ratios.low = std::min(ratios.low, seen[pair].low / right);
    ratios.high = std::max(ratios.high, seen[pair].high / right);
  }
  if (wrong.empty()) return "";
  const bool is_one = wrong.size() == 1;
  const std::string which = fmt::format("{} {} {}", is_one ? "frequency of pair" : "frequencies of pairs",
                                        range_text(wrong), is_one ? "is" : "are");
  if (ratios.is_empty()) return fmt::format("the {} not 0", which);
  const std::string low = fmt::format("{:.3g}", ratios.low), high = fmt::format("{:.3g}", ratios.high);
  return fmt::format("the {} {} times the expected", which, low == high ? low : low + " to " + high);
}

}  // namespace ropewalk::diagnosis
