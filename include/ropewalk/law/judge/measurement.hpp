#pragma once
// Result of a law for one case: the largest ratio of observed error to bound, decided exactly, and its place.

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

/// Numbers compared at the worst place, as bits of a format: a pair, one element, or a score (as binary64).
struct evidence {
  ropewalk_dtype dtype = ROPEWALK_F64;
  int count = 0;  // numbers that are set; 0: nothing to show
  std::uint64_t input[2] = {};
  std::uint64_t expected[2] = {};
  std::uint64_t bits[2] = {};
};

struct measurement {
  std::int64_t compared = 0;  // pairs, elements or scores; vacuous and skipped ones are not counted
  std::int64_t vacuous = 0;   // comparisons that hold, but whose bound is trivial
  double worst = 0;           // upper bound of the largest observed / bound; infinite if an equality fails
  double error = 0;           // the largest relative error of a pair, if underflow adds at most one rounding
  double bound = 0;           // the relative constant of the worst comparison; 0 where equality decides
  bool is_in_ulps = false;    // worst and bound are in ulps: the kernel promises correct rounding
  bool holds = true;          // observed <= bound everywhere, decided without rounding
  bool declined = false;      // the kernel declined the call, or one part of the case
  bool unanswered = false;    // the kernel's process did not answer: `trouble` says why, nothing was judged
  bool has_other_bits = false;  // the call gave other bits when made again, in other memory
  place where{};                // of the worst comparison: see is_worse
  evidence numbers{};
  std::string trouble;  // why the call failed: the refusal, or memory that was changed
  std::string call{};   // the call of the case that failed or is the worst, if a law makes several
};

/// One comparison of an observed error with its bound.
struct verdict {
  double ratio = 0;  // upper bound of observed / bound
  bool holds = true;
  double bound = 0;     // the bound's relative constant
  bool decides = true;  // false: the bound is trivial, so keeping it shows nothing
  double error = 0;     // the relative error; 0 where it is not formed
};

/// An error and its bound, either both plain or both squared.
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
  const order relation = compare(absolute(e.error), e.bound);
  if (relation != order::undecided) return relation != order::greater;
  if constexpr (N < largest_limb_count) {
    constexpr int more = std::min(2 * N, largest_limb_count);
    return decide<more>(evaluate);
  } else {
    throw undecided("an observed error and its bound");
  }
}

}  // namespace detail

/// Judges evaluate.template operator()<N>() -> error_and_bound<N>, whose relative constant is `bound`. 2
/// limbs are tried first, and may give a bound that is too small; more are tried if 2 do not show that it
/// holds.
///
/// error   none in `holds`; `ratio` is an upper bound of the true quotient, as close as 2 limbs and 32-bit
///         radii allow
/// throws  undecided at 24 limbs
template <class Evaluate>
verdict judge(double bound, const Evaluate& evaluate) {
  const double ratio = detail::ratio_above(evaluate.template operator()<2>());
  if (ratio <= 1) return {ratio, true, bound};
  return detail::decide<4>(evaluate) ? verdict{1, true, bound} : verdict{ratio, false, bound};
}

/// Judges an error and a bound that are both squared; the ratio is that of their roots.
template <class Evaluate>
verdict judge_squares(double bound, const Evaluate& evaluate) {
  verdict v = judge(bound, evaluate);
  if (v.ratio != 0 && v.ratio != 1)
    v.ratio = std::nextafter(std::sqrt(v.ratio), std::numeric_limits<double>::infinity());
  return v;
}

/// Verdict where equality decides: ratio 0, or infinity.
inline verdict judge_equal(bool equal, double bound = 0) {
  return equal ? verdict{0, true, bound} : verdict{std::numeric_limits<double>::infinity(), false, bound};
}

/// Whether the next verdict is worse than the worst so far: failures rank above verdicts that hold, then
/// larger ratios above smaller ones.
inline bool is_worse(const measurement& so_far, const verdict& next) {
  if (so_far.holds != next.holds) return so_far.holds;
  return next.ratio > so_far.worst;
}

/// The verdict, marked as deciding nothing where its relative bound is `trivial` or more.
inline verdict unless_trivial(verdict verdict, double trivial) {
  verdict.decides = verdict.bound < trivial;
  return verdict;
}

/// Adds one verdict to a measurement. show() makes the evidence; it is called only for a new worst.
template <class Show>
void record(measurement& measured, const verdict& next, const place& where, Show show) {
  measured.error = std::max(measured.error, next.error);
  if (next.holds && !next.decides) {
    ++measured.vacuous;
    return;
  }
  if (++measured.compared == 1) measured.bound = next.bound;
  if (!is_worse(measured, next)) return;
  measured.bound = next.bound;
  measured.holds = measured.holds && next.holds;
  measured.worst = next.ratio > measured.worst || !next.holds ? next.ratio : measured.worst;
  measured.where = where;
  measured.numbers = show();
}

/// Adds another measurement of the same law.
inline void merge(measurement& measured, const measurement& other) {
  const std::int64_t compared = measured.compared + other.compared,
                     vacuous = measured.vacuous + other.vacuous;
  const double error = std::max(measured.error, other.error);
  measured.is_in_ulps = measured.is_in_ulps || other.is_in_ulps;
  if (measured.compared == 0) measured.bound = other.bound;
  if (is_worse(measured, {other.worst, other.holds})) {
    const bool holds = measured.holds && other.holds, is_in_ulps = measured.is_in_ulps;
    measured = other;
    measured.holds = holds;
    measured.is_in_ulps = is_in_ulps;
  }
  measured.compared = compared;
  measured.vacuous = vacuous;
  measured.error = error;
}

}  // namespace ropewalk
