#pragma once
// Numbers of any precision, and computation with guard bits: every function of `reference` uses enough of
// them to keep its stated error.

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace ropewalk::reference {

/// A binary floating-point number of Boost.Multiprecision: cpp_bin_float of any size, or mpfr_float with the
/// precision of its thread_default_precision().
template <class Number>
concept real_number = boost::multiprecision::is_number<Number>::value &&
                      (boost::multiprecision::number_category<Number>::value ==
                       boost::multiprecision::number_kind_floating_point) &&
                      std::numeric_limits<Number>::radix == 2;

namespace detail {

// Boost leaves numeric_limits unspecialized only for types whose precision is chosen at run time.
template <class Number>
inline constexpr bool has_run_time_precision = !std::numeric_limits<Number>::is_specialized;

/// Gives new Numbers of this thread `bits` more bits during its lifetime.
template <class Number>
class extra_precision {
 public:
  explicit extra_precision(int bits) : digits_(Number::thread_default_precision()) {
    // Boost counts precision in decimal digits: 0.3011 > log10(2).
    Number::thread_default_precision(digits_ + static_cast<unsigned>(bits * 0.3011) + 2);
  }
  ~extra_precision() { Number::thread_default_precision(digits_); }
  extra_precision(const extra_precision&) = delete;
  extra_precision& operator=(const extra_precision&) = delete;

  unsigned digits() const { return digits_; }

 private:
  unsigned digits_;
};

template <class Number, int Bits>
using widened = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<static_cast<unsigned>(std::numeric_limits<Number>::digits + Bits),
                                         boost::multiprecision::digit_base_2, void, std::int64_t>,
    boost::multiprecision::et_off>;

// Two widths serve every fixed type: one for configurations of models, one for the most extreme doubles.
inline constexpr int usual_guard_bits = 320;
inline constexpr int largest_guard_bits = 3584;

/// Calls `compute.template operator()<Wide>()` with a type of at least `bits` more bits, and rounds the
/// result once to Number.
///
/// domain  0 <= bits <= largest_guard_bits
template <real_number Number, class Compute>
Number with_guard_bits(int bits, const Compute& compute) {
  if constexpr (has_run_time_precision<Number>) {
    const extra_precision<Number> scope(bits);
    Number result = compute.template operator()<Number>();
    result.precision(scope.digits());
    return result;
  } else if (bits <= usual_guard_bits) {
    return static_cast<Number>(compute.template operator()<widened<Number, usual_guard_bits>>());
  } else {
    return static_cast<Number>(compute.template operator()<widened<Number, largest_guard_bits>>());
  }
}

template <class Number>
Number pi() {
  const Number minus_one = -1;
  return acos(minus_one);
}

}  // namespace detail
}  // namespace ropewalk::reference
