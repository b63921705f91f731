#pragma once
// What a law says of one case: the worst of observed error / bound, decided exactly, and where it happened.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/place.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {

/// What was compared at the worst place, as numbers of a format: a pair, one element, or (as binary64) a
/// head's score.
struct evidence {
  ropewalk_dtype dtype = ROPEWALK_F64;
  int count = 0;  // numbers that are filled; 0: nothing to show
  std::uint64_t input[2] = {};
  std::uint64_t expected[2] = {};
  std::uint64_t got[2] = {};
};

struct measurement {
  std::int64_t compared = 0;  // pairs, elements or scores; what the law leaves out is not counted
  std::int64_t vacuous = 0;   // others whose bound a kernel that knows nothing would keep, and that kept it
  double worst = 0;         // upper bound of the largest observed / bound; an equality that fails is infinite
  double error = 0;         // the largest relative error, what is absolute in the bounds set apart
  double bound = 0;         // the relative constant that the worst was judged by; 0 where equality decides
  bool is_in_ulps = false;  // worst and bound count units in the last place: correct rounding was asked for
  bool holds = true;        // observed <= bound everywhere, decided without rounding
  bool declined = false;    // the kernel does not serve the call, or a part of it: of that nothing is said
  place where{};            // of the worst, the first failure before everything that holds
  evidence shown{};
  std::string trouble;  // what the kernel said when it refused, or did that is no number
};

/// One comparison of an observed error with its bound.
struct verdict {
  double ratio = 0;  // upper bound of observed / bound
  bool holds = true;
  double bound = 0;     // its relative constant
  bool decides = true;  // false: a kernel that knows nothing would keep the bound
};

/// An error and its bound, both as they are or both squared.
template <int N>
struct error_and_bound {
  enclosure<N> error;
  enclosure<N> bound;
};

namespace detail {

template <int N>
double ratio_above(const error_and_bound<N>& e) {
  const radius error = magnitude_above(e.error), bound = magnitude_below(e.bound);
  if (is_zero(error)) return 0;
  if (is_zero(bound)) return std::numeric_limits<double>::infinity();
  return upper_binary64(error / bound);
}

template <int N, class Evaluate>
bool decide(const Evaluate& evaluate) {
  const error_and_bound<N> e = evaluate.template operator()<N>();
  const order found = compare(absolute(e.error), e.bound);
  if (found != order::undecided) return found != order::greater;
  if constexpr (N < largest_limb_count)
    return decide < 2 * N <= largest_limb_count ? 2 * N : largest_limb_count > (evaluate);
  else
    throw undecided("an observed error and its bound");
}

}  // namespace detail

/// Judges evaluate.template operator()<N>() -> error_and_bound<N>, whose relative constant is `bound`: 2
/// limbs first, where the bound may be given too small, more when they do not decide.
///
/// error   none in `holds`; `ratio` is not below the true quotient, and above it by a few parts in 2^31
/// throws  undecided at 24 limbs
template <class Evaluate>
verdict judge(double bound, const Evaluate& evaluate) {
  const double ratio = detail::ratio_above(evaluate.template operator()<2>());
  if (ratio <= 1) return {ratio, true, bound};
  return detail::decide<4>(evaluate) ? verdict{1, true, bound} : verdict{ratio, false, bound};
}

/// The same where both numbers are squares.
template <class Evaluate>
verdict judge_squares(double bound, const Evaluate& evaluate) {
  verdict v = judge(bound, evaluate);
  if (v.ratio != 0 && v.ratio != 1)
    v.ratio = std::nextafter(std::sqrt(v.ratio), std::numeric_limits<double>::infinity());
  return v;
}

/// Equality decides: nothing is observed, or the kernel is infinitely far off.
inline verdict judge_equal(bool equal, double bound = 0) {
  return equal ? verdict{0, true, bound} : verdict{std::numeric_limits<double>::infinity(), false, bound};
}

/// Whether the next verdict is the one to show: a failure before everything that holds, then the larger
/// ratio.
inline bool is_worse(const measurement& so_far, const verdict& next) {
  if (so_far.holds != next.holds) return so_far.holds;
  return next.ratio > so_far.worst;
}

/// The verdict, where a relative bound of `trivial` is kept by a kernel that knows nothing.
inline verdict unless_trivial(verdict found, double trivial) {
  found.decides = found.bound < trivial;
  return found;
}

/// Takes one verdict in; `show()` makes the evidence, for the worst alone.
template <class Show>
void record(measurement& m, const verdict& next, const place& where, Show show) {
  m.error = std::max(m.error, next.ratio * next.bound);
  if (next.holds && !next.decides) {
    ++m.vacuous;
    return;
  }
  if (++m.compared == 1) m.bound = next.bound;
  if (!is_worse(m, next)) return;
  m.bound = next.bound;
  m.holds = m.holds && next.holds;
  m.worst = next.ratio > m.worst || !next.holds ? next.ratio : m.worst;
  m.where = where;
  m.shown = show();
}

/// Takes another measurement of the same law in.
inline void merge(measurement& m, const measurement& other) {
  const std::int64_t compared = m.compared + other.compared, vacuous = m.vacuous + other.vacuous;
  const double error = std::max(m.error, other.error);
  m.is_in_ulps = m.is_in_ulps || other.is_in_ulps;
  if (m.compared == 0) m.bound = other.bound;
  if (is_worse(m, {other.worst, other.holds})) {
    const bool holds = m.holds && other.holds, is_in_ulps = m.is_in_ulps;
    m = other;
    m.holds = holds;
    m.is_in_ulps = is_in_ulps;
  }
  m.compared = compared;
  m.vacuous = vacuous;
  m.error = error;
}

}  // namespace ropewalk
