#include "export/promise_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "export/decimal.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::output {
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
  return a == 0 && b == 0 ? 0 : above(std::sqrt(sum_up(product_up(a, a), product_up(b, b))));
}

constexpr int refined_digits = 40;
constexpr std::size_t powers_of_positions = 33;  // of |position|: 0, 1, 2 to 3, ..., 2^31

}  // namespace

promise_search::promise_search(const table& of, const array_grid& grid, table_dtype dtype, const rope& config,
                               const input::position_list& positions, const promise& asked)
    : table_(&of),
      grid_(grid),
      dtype_(dtype),
      positions_(&positions),
      limits_(config, dtype, has_positions(grid.layout())),
      asked_(asked),
      errors_(static_cast<std::size_t>(grid.pairs())) {
  for (const promise_description& one : promises) add_promise(one.value);
  add_promise(asked);
  least_.assign(tried_.size() * errors_.size() * powers_of_positions, -1);
}

void promise_search::add_promise(const promise& one) {
  const bool is_known = std::any_of(tried_.begin(), tried_.end(), [&](const tried_promise& other) {
    return is_same_for(ROPEWALK_ROTATE, other.value, one);
  });
  if (!is_known && limits_.has(one)) tried_.push_back({one});
}

double promise_search::value_at(const std::byte* entries, std::int64_t column) const {
  return in_format(dtype_, [&]<class Float>() {
    bits_of<Float> bits{};
    std::memcpy(&bits, entries + static_cast<std::size_t>(column) * sizeof bits, sizeof bits);
    const double value = from_bits<double>(convert<double, Float>(bits));
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  });
}

double promise_search::position_of(const array_place& place) const {
  return has_positions(grid_.layout()) ? std::abs(static_cast<double>(positions_->at(place.position_row)))
                                       : 0;
}

double promise_search::least_bound(std::size_t promise_index, const array_place& place) {
  const double position = position_of(place);
  const int power = position < 1 ? 0 : std::ilogb(position) + 1;
  const std::size_t at =
      (promise_index * static_cast<std::size_t>(limits_.pairs()) + static_cast<std::size_t>(place.pair)) *
          powers_of_positions +
      static_cast<std::size_t>(power);
  if (least_[at] < 0)
    least_[at] =
        limits_.at(tried_[promise_index].value, place.pair, power == 0 ? 0 : std::ldexp(1, power - 1));
  return least_[at];
}

void promise_search::add(const array_place& place, std::int64_t column, const error_range& error) {
  pair_error& so_far = errors_[static_cast<std::size_t>(place.pair)];
  if (!so_far.is_set || error.most > std::max(so_far.cos.most, so_far.sin.most)) so_far.column = column;
  so_far.is_set = true;
  error_range& part = place.is_sin ? so_far.sin : so_far.cos;  // a pair may have two copies
  part = {std::max(part.least, error.least), std::max(part.most, error.most)};
}

template <class Float>
void promise_search::measure(std::int64_t row, const std::byte* entries, const std::byte* rounded) {
  std::fill(errors_.begin(), errors_.end(), pair_error{});
  for (std::int64_t column = 0; column < grid_.columns(); ++column) {
    bits_of<Float> bits{};
    std::memcpy(&bits, rounded + static_cast<std::size_t>(column) * sizeof bits, sizeof bits);
    const bits_of<Float> size = magnitude<Float>(bits);
    const double ulp = to_double<Float>(static_cast<bits_of<Float>>(size + 1)) - to_double<Float>(size);
    const double apart = std::abs(value_at(entries, column) - to_double<Float>(bits));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    add(grid_.at(row, column), column,
        is_infinite<Float>(bits) ? error_range{0, infinity} : around(apart, ulp / 2));
  }
}

void promise_search::measure_digits(std::int64_t row, const std::byte* entries) {
  const std::vector<std::string> digits = table_->row_of_digits(row, refined_digits);
  std::fill(errors_.begin(), errors_.end(), pair_error{});
  for (std::int64_t column = 0; column < grid_.columns(); ++column) {
    const long double exact = std::strtold(digits[static_cast<std::size_t>(column)].c_str(), nullptr);
    const double apart = static_cast<double>(std::abs(value_at(entries, column) - exact));
    add(grid_.at(row, column), column, around(apart, static_cast<double>(std::abs(exact)) * 0x1p-63));
  }
}

void promise_search::look(std::int64_t row, const std::byte* entries, const std::byte* rounded,
                          const std::function<const std::byte*()>& nearest) {
  in_format(dtype_, [&]<class Float>() { measure<Float>(row, entries, rounded); });
  closeness seen = closeness::dtype;
  for (int pair = 0; pair < grid_.pairs(); ++pair) {
    const pair_error& error = errors_[static_cast<std::size_t>(pair)];
    if (!error.is_set) continue;
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      tried_promise& one = tried_[i];
      const array_place place = grid_.at(row, error.column);
      if (is_somewhere(one.broken_at) && one.broken_at.order <= place.position_row) continue;
      const auto most = [&] { return greatest_norm(error.cos.most, error.sin.most); };
      if (most() <= product_up(std::min(one.worst, 1.0), least_bound(i, place))) continue;
      const double bound = limits_.at(one.value, pair, position_of(place));
      const auto is_decided = [&] {
        return most() <= bound || least_norm(error.cos.least, error.sin.least) > bound;
      };
      if (seen == closeness::dtype && !is_decided())
        measure<double>(row, entries, nearest()), seen = closeness::binary64;
      if (seen == closeness::binary64 && !is_decided())
        measure_digits(row, entries), seen = closeness::digits;
      const bool is_broken = least_norm(error.cos.least, error.sin.least) > bound;
      const double ratio = is_broken ? most() / bound : std::min(most() / bound, 1.0);
      if (ratio > one.worst) {
        one.worst = ratio;
        one.worst_bound = limits_.relative_at(one.value, pair, position_of(place));
      }
      if (is_broken) one.broken_at = {row, error.column, place.position_row};
    }
  }
}

vacuous_entries promise_search::vacuous() const {
  vacuous_entries r;
  if (!has_positions(grid_.layout()) || !limits_.has(asked_)) return r;
  std::vector<std::int64_t> from;  // of each pair
  bool has_every = true;
  for (int pair = 0; pair < grid_.pairs(); ++pair) {
    const auto first = limits_.vacuous_from(asked_, pair);
    has_every = has_every && first;
    from.push_back(first.value_or(std::numeric_limits<std::int64_t>::max()));
    if (!first) continue;
    r.some_from = std::min(r.some_from.value_or(*first), *first);
    r.every_from = std::max(r.every_from.value_or(*first), *first);
  }
  if (!has_every) r.every_from.reset();
  if (!r.some_from) return r;
  const std::int64_t entries_a_pair = grid_.rows() * grid_.columns() / (positions_->size() * grid_.pairs());
  for (std::int64_t row = 0; row < positions_->size(); ++row)
    for (const std::int64_t first : from)
      r.count += std::abs(positions_->at(row)) >= first ? entries_a_pair : 0;
  return r;
}

}  // namespace ropewalk::output
