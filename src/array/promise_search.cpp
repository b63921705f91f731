#include "array/promise_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "output/decimal.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::array {
namespace {

using ropewalk::detail::above, ropewalk::detail::is_same_for, ropewalk::detail::product_up,
    ropewalk::detail::sum_up;

double next_below(double value) { return std::nextafter(value, 0.0); }

/// |observed - exact| of an observed number that lies `apart` from one within `within` of the exact one.
error_range around(double apart, double within) {
  if (!std::isfinite(apart)) return {apart, apart};
  return {next_below(std::max(0.0, next_below(apart) - within)), above(above(apart) + within)};
}

/// The norm of two numbers, rounded down and up.
double least_norm(double a, double b) {
  return next_below(std::sqrt(next_below(next_below(a * a) + next_below(b * b))));
}
double greatest_norm(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return a == 0 && b == 0 ? 0 : above(std::sqrt(sum_up(product_up(a, a), product_up(b, b))));
}

constexpr int refined_digits = 40;
/// Steps of |position|: 0, and eight from each power of two to the next.
constexpr int steps_per_octave = 8;
constexpr std::size_t steps_of_positions = 1 + 32 * steps_per_octave;

std::size_t step_below(double position) {
  if (position < 1) return 0;
  if (position >= 0x1p32) return steps_of_positions - 1;
  const int power = std::ilogb(position);
  const auto eighths = static_cast<int>(std::ldexp(position, 3 - power)) - steps_per_octave;
  return static_cast<std::size_t>(1 + power * steps_per_octave + eighths);
}

double first_position(std::size_t step) {
  if (step == 0) return 0;
  const int at = static_cast<int>(step) - 1;
  return std::ldexp(steps_per_octave + at % steps_per_octave, at / steps_per_octave - 3);
}

}  // namespace

promise_search::promise_search(const tables::table& table, searched_grid grid, tables::table_dtype dtype,
                               entry_bounds limits, const promise& promised)
    : table_(&table),
      grid_(std::move(grid)),
      dtype_(dtype),
      limits_(std::move(limits)),
      promised_(promised),
      errors_(static_cast<std::size_t>(grid_.pairs)) {
  for (const promise_description& description : promises) add_promise(description.value);
  add_promise(promised);
  asked_index_ =
      static_cast<std::size_t>(std::find_if(tried_.begin(), tried_.end(),
                                            [&](const tried_promise& candidate) {
                                              return is_same_for(ROPEWALK_ROTATE, candidate.value, promised);
                                            }) -
                               tried_.begin());
  for (int pair = 0; pair < grid_.pairs; ++pair) axis_of_.push_back(grid_.axes > 1 ? grid_.axis_of(pair) : 0);
  bounds_.assign(tried_.size() * errors_.size() * steps_of_positions, -1);
  is_open_pair_.resize(errors_.size());
  errors_above_.resize(2 * errors_.size());
  squares_allowed_.resize(errors_.size());
  asked_squares_.resize(errors_.size(), -1);
}

void promise_search::add_promise(const promise& promised) {
  const bool is_known = std::any_of(tried_.begin(), tried_.end(), [&](const tried_promise& other) {
    return is_same_for(ROPEWALK_ROTATE, other.value, promised);
  });
  if (!is_known && limits_.has(promised)) tried_.push_back({promised});
}

double promise_search::value_at(const std::byte* entries, std::int64_t column) const {
  return in_format(dtype_, [&]<class Float>() {
    bits_of<Float> bits{};
    std::memcpy(&bits, entries + static_cast<std::size_t>(column) * sizeof bits, sizeof bits);
    const double value = output::to_double<Float>(bits);
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  });
}

double promise_search::position_of(const tables::array_place& place) const {
  if (!grid_.has_positions) return 0;
  return grid_.size_of(place.position_row, axis_of_[static_cast<std::size_t>(place.pair)]);
}

double promise_search::least_bound(std::size_t promise_index, int pair, std::size_t step) {
  const std::size_t at =
      (promise_index * errors_.size() + static_cast<std::size_t>(pair)) * steps_of_positions + step;
  if (bounds_[at] < 0) bounds_[at] = limits_.at(tried_[promise_index].value, pair, first_position(step));
  return bounds_[at];
}

void promise_search::allow_squares(const tables::array_place& place) {
  std::vector<std::size_t> steps;
  for (int axis = 0; axis < grid_.axes; ++axis)
    steps.push_back(step_below(grid_.size_of(place.position_row, axis)));
  std::vector<bool> open;
  for (const tried_promise& candidate : tried_)
    open.push_back(!is_somewhere(candidate.broken_at) || candidate.broken_at.order > place.position_row);
  if (open == open_promises_ && steps == steps_) return;
  open_promises_ = open;
  steps_ = steps;
  for (int pair = 0; pair < grid_.pairs; ++pair) {
    const std::size_t step = steps[static_cast<std::size_t>(axis_of_[static_cast<std::size_t>(pair)])];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tried_.size(); ++i)
      if (open[i]) least = std::min(least, least_bound(i, pair, step));
    const bool is_square_normal = least > 0x1p-500 && least < 0x1p500;
    const double asked = asked_index_ < tried_.size() ? least_bound(asked_index_, pair, step) : 0;
    asked_squares_[static_cast<std::size_t>(pair)] = asked > 0x1p-500 && asked < 0x1p500 ? asked * asked : -1;
    // The square of the bound, the errors and their sum of squares are each off by 10 roundings at most.
    squares_allowed_[static_cast<std::size_t>(pair)] = is_square_normal ? least * least * (1 - 0x1p-48) : -1;
  }
}

void promise_search::assign_columns(std::int64_t row) {
  part_of_column_.clear();
  for (std::int64_t column = 0; column < grid_.columns; ++column) {
    const tables::array_place place = grid_.at(row, column);
    part_of_column_.push_back(place.pair == searched_grid::no_pair ? no_part
                                                                   : static_cast<std::size_t>(place.pair) +
                                                                         (place.is_sin ? errors_.size() : 0));
  }
}

template <class Float>
void promise_search::measure_above(const std::byte* entries, const std::byte* rounded) {
  const double relative = std::ldexp(1, -format<Float>::precision);
  const double smallest = std::ldexp(1, format<Float>::smallest_ulp_exponent);
  std::fill(errors_above_.begin(), errors_above_.end(), 0);
  for (std::size_t column = 0; column < part_of_column_.size(); ++column) {
    if (part_of_column_[column] == no_part) continue;
    bits_of<Float> observed{}, nearest{};
    std::memcpy(&observed, entries + column * sizeof observed, sizeof observed);
    std::memcpy(&nearest, rounded + column * sizeof nearest, sizeof nearest);
    const double middle = output::to_double<Float>(nearest);
    const double error =
        std::abs(output::to_double<Float>(observed) - middle) + std::abs(middle) * relative + smallest;
    double& part = errors_above_[part_of_column_[column]];
    if (error > part || std::isnan(error)) part = error;  // a NaN stays
  }
}

void promise_search::add(const tables::array_place& place, std::int64_t column, const error_range& error) {
  pair_error& so_far = errors_[static_cast<std::size_t>(place.pair)];
  if (!so_far.is_set || error.most > std::max(so_far.cos.most, so_far.sin.most)) so_far.column = column;
  so_far.is_set = true;
  error_range& part = place.is_sin ? so_far.sin : so_far.cos;  // a pair may have two copies
  part = {std::max(part.least, error.least), std::max(part.most, error.most)};
}

template <class Float>
void promise_search::measure(std::int64_t row, const std::byte* entries, const std::byte* rounded) {
  std::fill(errors_.begin(), errors_.end(), pair_error{});
  for (std::int64_t column = 0; column < grid_.columns; ++column) {
    const tables::array_place place = grid_.at(row, column);
    if (place.pair == searched_grid::no_pair || !is_open_pair_[static_cast<std::size_t>(place.pair)])
      continue;
    bits_of<Float> bits{};
    std::memcpy(&bits, rounded + static_cast<std::size_t>(column) * sizeof bits, sizeof bits);
    const bits_of<Float> size = magnitude<Float>(bits);
    const double ulp =
        output::to_double<Float>(static_cast<bits_of<Float>>(size + 1)) - output::to_double<Float>(size);
    const double apart = std::abs(value_at(entries, column) - output::to_double<Float>(bits));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    add(place, column, is_infinite<Float>(bits) ? error_range{0, infinity} : around(apart, ulp / 2));
  }
}

void promise_search::measure_digits(std::int64_t row, const std::byte* entries) {
  const std::vector<std::string> digits = table_->row_of_digits(row, refined_digits);
  std::fill(errors_.begin(), errors_.end(), pair_error{});
  for (std::int64_t column = 0; column < grid_.columns; ++column) {
    if (grid_.at(row, column).pair == searched_grid::no_pair) continue;
    const long double exact = std::strtold(digits[static_cast<std::size_t>(column)].c_str(), nullptr);
    const double apart = static_cast<double>(std::abs(value_at(entries, column) - exact));
    add(grid_.at(row, column), column, around(apart, static_cast<double>(std::abs(exact)) * 0x1p-63));
  }
}

bool promise_search::mark_open_pairs(std::int64_t row, const std::byte* entries, const std::byte* rounded) {
  const tables::array_place place = grid_.at(row, 0);
  if (!grid_.has_positions) {
    std::fill(is_open_pair_.begin(), is_open_pair_.end(), true);
    return true;
  }
  allow_squares(place);
  if (std::find(open_promises_.begin(), open_promises_.end(), true) == open_promises_.end()) return false;
  const std::size_t first_part = place.is_sin ? errors_.size() : 0;  // of column 0, whose pair is 0
  if (part_of_column_.empty() || part_of_column_.front() != first_part) assign_columns(row);
  in_format(dtype_, [&]<class Float>() { measure_above<Float>(entries, rounded); });
  bool is_any = false;
  for (std::size_t pair = 0; pair < errors_.size(); ++pair) {
    const double cos = errors_above_[pair], sin = errors_above_[errors_.size() + pair];
    const double square = cos * cos + sin * sin;
    is_open_pair_[pair] = !(square <= squares_allowed_[pair]);
    if (!is_open_pair_[pair] && square > worst_asked_ * asked_squares_[pair]) take_asked(square, pair, place);
    is_any |= is_open_pair_[pair] != 0;
  }
  return is_any;
}

void promise_search::judge_zeros(std::int64_t row, const std::byte* entries) {
  for (std::int64_t column = 0; column < grid_.columns; ++column) {
    const tables::array_place place = grid_.at(row, column);
    if (place.pair != searched_grid::no_pair || value_at(entries, column) == 0) continue;
    for (tried_promise& candidate : tried_) {
      if (is_somewhere(candidate.broken_at) && candidate.broken_at.order <= place.position_row) continue;
      candidate.broken_at = {row, column, place.position_row};
      candidate.worst = std::numeric_limits<double>::infinity();
    }
  }
}

void promise_search::look(std::int64_t row, const std::byte* entries, const std::byte* rounded,
                          const std::function<const std::byte*()>& nearest) {
  if (grid_.has_zeros) judge_zeros(row, entries);
  if (!mark_open_pairs(row, entries, rounded)) return;
  in_format(dtype_, [&]<class Float>() { measure<Float>(row, entries, rounded); });
  seen_ = closeness::dtype;
  for (int pair = 0; pair < grid_.pairs; ++pair)
    if (is_open_pair_[static_cast<std::size_t>(pair)]) judge(row, pair, entries, nearest);
}

void promise_search::judge(std::int64_t row, int pair, const std::byte* entries,
                           const std::function<const std::byte*()>& nearest) {
  const pair_error& error = errors_[static_cast<std::size_t>(pair)];
  if (!error.is_set) return;
  const tables::array_place place = grid_.at(row, error.column);
  const std::size_t step = step_below(position_of(place));
  for (std::size_t i = 0; i < tried_.size(); ++i) {
    tried_promise& candidate = tried_[i];
    if (is_somewhere(candidate.broken_at) && candidate.broken_at.order <= place.position_row) continue;
    const double most = greatest_norm(error.cos.most, error.sin.most), least = least_bound(i, pair, step);
    if (most <= least) {
      take_ratio(candidate, most / least, pair, place);
      continue;
    }
    const double bound = limits_.at(candidate.value, pair, position_of(place));
    const auto is_decided = [&] {
      return greatest_norm(error.cos.most, error.sin.most) <= bound ||
             least_norm(error.cos.least, error.sin.least) > bound;
    };
    if (seen_ == closeness::dtype && !is_decided())
      measure<double>(row, entries, nearest()), seen_ = closeness::binary64;
    if (seen_ == closeness::binary64 && !is_decided())
      measure_digits(row, entries), seen_ = closeness::digits;
    const bool is_broken = least_norm(error.cos.least, error.sin.least) > bound;
    const double ratio = greatest_norm(error.cos.most, error.sin.most) / bound;
    take_ratio(candidate, is_broken ? ratio : std::min(ratio, 1.0), pair, place);
    if (is_broken) candidate.broken_at = {row, error.column, place.position_row};
  }
}

void promise_search::take_asked(double square, std::size_t pair, const tables::array_place& place) {
  if (asked_squares_[pair] < 0 || is_somewhere(tried_[asked_index_].broken_at)) return;
  worst_asked_ = square / asked_squares_[pair];
  take_ratio(tried_[asked_index_], std::min(std::sqrt(worst_asked_), 1.0), static_cast<int>(pair), place);
}

void promise_search::take_ratio(tried_promise& candidate, double ratio, int pair,
                                const tables::array_place& place) const {
  if (!(ratio > candidate.worst)) return;
  candidate.worst = ratio;
  candidate.worst_bound = limits_.relative_at(candidate.value, pair, position_of(place));
}

vacuous_entries promise_search::vacuous() const {
  vacuous_entries vacuous;
  if (!grid_.has_positions || !limits_.has(promised_)) return vacuous;
  std::vector<std::int64_t> from;  // of each pair
  bool has_every = true;
  for (int pair = 0; pair < grid_.pairs; ++pair) {
    const auto first = limits_.vacuous_from(promised_, pair);
    has_every = has_every && first;
    from.push_back(first.value_or(std::numeric_limits<std::int64_t>::max()));
    if (!first) continue;
    vacuous.some_from = std::min(vacuous.some_from.value_or(*first), *first);
    vacuous.every_from = std::max(vacuous.every_from.value_or(*first), *first);
  }
  if (!has_every) vacuous.every_from.reset();
  if (!vacuous.some_from) return vacuous;
  const std::int64_t columns = grid_.columns - (grid_.has_zeros ? 1 : 0);
  const std::int64_t entries_a_pair = grid_.rows * columns / (grid_.positions * grid_.pairs);
  for (std::int64_t row = 0; row < grid_.positions; ++row)
    for (std::size_t pair = 0; pair < from.size(); ++pair)
      if (grid_.size_of(row, axis_of_[pair]) > static_cast<double>(from[pair] - 1))
        vacuous.count += entries_a_pair;
  if (grid_.axes > 1) vacuous.some_from = vacuous.every_from = std::nullopt;  // each axis has its own
  return vacuous;
}

}  // namespace ropewalk::array
