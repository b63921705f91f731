#pragma once
// Draws shared by the generators of table cases: numbers of every magnitude, and simpler replacements.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "ropewalk/config/position_range.hpp"
#include "search/dice.hpp"
#include "search/table_cases.hpp"

namespace ropewalk::search {

/// Refuses a case that is invalid, or that its generator never draws.
///
/// throws  std::invalid_argument naming the field and its value
void validate_case(const frequency_case& test_case);
void validate_case(const cos_sin_case& test_case);
void validate_case(const axes_case& test_case);
void validate_case(const xpos_case& test_case);
void validate_case(const sinusoidal_case& test_case);
void validate_case(const slope_case& test_case);
void validate_case(const bias_case& test_case);
void validate_case(const bucket_case& test_case);
void validate_case(const index_code_case& test_case);
void validate_case(const query_scale_case& test_case);
void validate_case(const learned_case& test_case);
void validate_case(const transformer_xl_case& test_case);
void validate_case(const attention_case& test_case);

}  // namespace ropewalk::search

namespace ropewalk::search::tables {

/// A power of two, a whole number, or any binary64 between 2^low and 2^high.
inline double any_size(dice& from, int low, int high) {
  const int exponent = static_cast<int>(from.between(low, high - 1));
  const double fraction = 1 + static_cast<double>(from.bits() >> 12) * 0x1p-52;
  if (from.one_in(3)) return std::ldexp(1.0, exponent);
  if (from.one_in(2) && high > 0) return std::max(1.0, std::floor(std::ldexp(fraction, exponent)));
  return std::ldexp(fraction, exponent);
}

/// A base: 10000; the `roots`-th power of an integer, which makes the frequencies rational; or any from 2 to
/// 2^30.
inline double any_base(dice& from, int roots) {
  constexpr double largest = 0x1p30;
  if (from.one_in(4)) return 10000;
  if (from.one_in(4)) {
    const double power = std::pow(static_cast<double>(from.between(2, 9)), roots);
    if (power <= largest) return power;
  }
  return std::max(2.0, any_size(from, 1, 30));
}

/// One of [0, 64), 2^k + {-1, 0, 1}, random >> k; a third of them negative.
inline std::int64_t any_position(dice& from) {
  std::int64_t position = 0;
  const std::int64_t kind = from.below(3);
  if (kind == 0) position = from.below(64);
  if (kind == 1) position = (std::int64_t{1} << from.below(32)) + from.between(-1, 1);
  if (kind == 2) position = static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31);
  return std::clamp(from.one_in(3) ? -position : position, smallest_position, largest_position);
}

/// Some positions; one in four is 0.
inline listed_positions any_positions(dice& from, std::int64_t count) {
  listed_positions positions;
  for (std::int64_t i = 0; i < count; ++i)
    positions.positions.push_back(from.one_in(4) ? 0 : any_position(from));
  return positions;
}

/// Whole numbers nearer to `simplest` than `number`, the nearest first.
inline std::vector<std::int64_t> nearer_to(std::int64_t simplest, std::int64_t number) {
  std::vector<std::int64_t> nearer;
  for (std::int64_t step = number - simplest; step != 0; step /= 2) nearer.push_back(number - step);
  return nearer;
}

/// Simpler replacements of a positive number: `simplest`, 1, 2, a power of two, a whole number.
inline std::vector<double> simpler_numbers(double number, double simplest) {
  const double candidates[] = {simplest, 1, 2, std::ldexp(1.0, std::ilogb(number)), std::floor(number)};
  std::vector<double> numbers;
  for (const double candidate : candidates) {
    if (candidate == number) break;  // the rest is no simpler
    if (candidate > 0) numbers.push_back(candidate);
  }
  return numbers;
}

/// Collects simpler cases. Each makes one change to the original, differs from it, and is valid.
template <class Case>
class simpler_list {
 public:
  explicit simpler_list(const Case& test_case) : test_case_(test_case), text_(text_of(test_case)) {}

  template <class Change>
  void offer(Change change) {
    Case simpler = test_case_;
    change(simpler);
    try {
      validate_case(simpler);
    } catch (const std::invalid_argument&) {
      return;
    }
    if (text_of(simpler) != text_) items_.push_back(std::move(simpler));
  }

  /// Offers one change for each number: set(case, number).
  template <class Number, class Set>
  void offer_each(const std::vector<Number>& numbers, Set set) {
    for (const Number number : numbers) offer([&](Case& test_case) { set(test_case, number); });
  }

  std::vector<Case> take() { return std::move(items_); }

 private:
  Case test_case_;
  std::string text_;
  std::vector<Case> items_;
};

/// Offers fewer positions, then positions nearer to 0.
template <class Case>
void offer_simpler_positions(simpler_list<Case>& to, const Case& test_case) {
  const std::vector<std::int64_t>& positions = test_case.input.positions;
  for (std::size_t i = 0; positions.size() > 1 && i < positions.size(); ++i)
    to.offer([&](Case& tested) {
      tested.input.positions.erase(tested.input.positions.begin() + static_cast<std::ptrdiff_t>(i));
    });
  for (std::size_t i = 0; i < positions.size(); ++i)
    to.offer_each(nearer_to(0, positions[i]),
                  [&](Case& tested, std::int64_t p) { tested.input.positions[i] = p; });
}

/// Offers shorter runs of positions, then runs nearer to 0.
///
/// domain  the run is not empty
template <class Case>
void offer_simpler_run(simpler_list<Case>& to, const Case& test_case) {
  const position_range run = test_case.input;
  to.offer_each(nearer_to(1, size(run)),
                [&](Case& tested, std::int64_t length) { tested.input.end = run.begin + length; });
  to.offer_each(nearer_to(1, size(run)),
                [&](Case& tested, std::int64_t length) { tested.input.begin = run.end - length; });
  to.offer_each(nearer_to(0, run.begin), [&](Case& tested, std::int64_t begin) {
    tested.input = {begin, begin + size(run)};
  });
}

/// Generator that draws with draw(dice&) and shrinks with simplify(case) -> vector.
template <class Case, class Draw, class Simplify>
rc::Gen<Case> generated(Draw draw, Simplify simplify) {
  return [=](const rc::Random& random, int) {
    dice from(random);
    return rc::shrinkable::shrinkRecur(
        Case(draw(from)), [=](const Case& test_case) { return rc::seq::fromContainer(simplify(test_case)); });
  };
}

}  // namespace ropewalk::search::tables
