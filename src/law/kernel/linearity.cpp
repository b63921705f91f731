#include "ropewalk/law/kernel/linearity.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ropewalk/law/kernel/canonical.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk {

namespace detail {

/// Whether 2^smallest <= |x| < 2^largest, or x = 0.
template <floating_format Float>
constexpr bool is_between(bits_of<Float> bits, int smallest, int largest) {
  if (!is_finite<Float>(bits)) return false;
  if (magnitude<Float>(bits) == 0) return true;
  const decoded x = decode<Float>(bits);
  const int top = x.exponent + 64 - std::countl_zero(x.significand);
  return top > smallest && top <= largest;
}

/// Whether a number is a factor of 2 inside both ends of the normal range, so that its rounding met neither.
template <floating_format Float>
constexpr bool is_well_inside(bits_of<Float> bits) {
  using traits = format<Float>;
  return magnitude<Float>(bits) != 0 &&
         is_between<Float>(bits, traits::smallest_exponent + 1, traits::largest_exponent);
}

/// Bits of x 2^power.
///
/// domain  the result is normal, or x = 0
template <floating_format Float>
constexpr bits_of<Float> scaled_bits(bits_of<Float> bits, int power) {
  if (magnitude<Float>(bits) == 0) return bits;
  const auto step = static_cast<std::int64_t>(power) * (std::int64_t{1} << (format<Float>::precision - 1));
  return static_cast<bits_of<Float>>(static_cast<std::int64_t>(bits) + step);
}

/// Whether a product is well inside the normal range, or 0 because a factor is. False if a factor is not
/// finite: a table entry that overflowed has no such product, not even with 0.
template <floating_format Float>
constexpr bool has_normal_product(bits_of<Float> a, bits_of<Float> b) {
  if (!is_finite<Float>(a) || !is_finite<Float>(b)) return false;
  const bits_of<Float> product = multiply<Float>(a, b);
  return is_well_inside<Float>(product) || magnitude<Float>(a) == 0 || magnitude<Float>(b) == 0;
}

/// Whether a pair's products are normal numbers, or 0, of the format that it is rotated in. Their sums may be
/// subnormal: subnormal sums are exact.
template <floating_format Float, floating_format Wide>
constexpr bool rotates_among_normals(bits_pair<Float> x, bits_pair<Wide> entry) {
  const bits_of<Wide> x0 = convert<Wide, Float>(x.first), x1 = convert<Wide, Float>(x.second);
  return has_normal_product<Wide>(x0, entry.first) && has_normal_product<Wide>(x0, entry.second) &&
         has_normal_product<Wide>(x1, entry.first) && has_normal_product<Wide>(x1, entry.second);
}

/// Whether each number of a pair is 0 or so large that, whatever the table entry, a product that underflows
/// is far below half an ulp of the other product and changes no rounding. For kernels with an unknown table.
template <floating_format Float, floating_format Wide>
constexpr bool outweighs_underflow(bits_pair<Float> x) {
  using wide = format<Wide>;
  const int least = wide::smallest_exponent + 2 * wide::precision + 2;
  const auto is_large = [&](bits_of<Float> bits) {
    const decoded parts = decode<Float>(bits);
    return magnitude<Float>(bits) == 0 || parts.exponent + 63 - std::countl_zero(parts.significand) >= least;
  };
  return is_large(x.first) && is_large(x.second);
}

/// Whether x and 2^power x are both well inside the normal range.
template <floating_format Float>
constexpr bool is_reachable(bits_of<Float> x, int power) {
  if (!is_well_inside<Float>(x)) return false;
  const decoded parts = decode<Float>(x);
  const int top = parts.exponent + 64 - std::countl_zero(parts.significand) + power;
  return top > format<Float>::smallest_exponent + 1 && top <= format<Float>::largest_exponent;
}

/// Whether `scaled` is exactly 2^power x, with both well inside the normal range, or both are 0.
template <floating_format Float>
constexpr bool is_scaled(bits_of<Float> x, bits_of<Float> scaled, int power) {
  if (magnitude<Float>(x) == 0) return x == scaled;
  return is_reachable<Float>(x, power) && scaled_bits<Float>(x, power) == scaled;
}

/// Whether an output y is consistent with the output for the scaled input: where one of them, scaled by the
/// power, stays well inside the normal range, it must equal the other.
template <floating_format Float>
constexpr bool scales(bits_of<Float> y, bits_of<Float> scaled, int power) {
  if (is_nan<Float>(y) || is_nan<Float>(scaled)) return false;
  if (is_reachable<Float>(y, power)) return scaled_bits<Float>(y, power) == scaled;
  if (is_reachable<Float>(scaled, -power)) return scaled_bits<Float>(scaled, -power) == y;
  return true;
}

}  // namespace detail

/// rotate(2^power x) against 2^power rotate(x), for a kernel that rotates in the format Wide: equal bits.
template <floating_format Float, floating_format Wide>
measurement measure_linearity_in(const checked_rotation& kernel, const law_case& test_case) {
  law_case scaled = test_case;
  const auto scale = [&](std::uint64_t& element) {
    const auto bits = static_cast<bits_of<Float>>(element);
    if (detail::is_reachable<Float>(bits, test_case.power))
      element = detail::scaled_bits<Float>(bits, test_case.power);
  };
  for (auto& element : scaled.query) scale(element);
  for (auto& element : scaled.key) scale(element);
  const rotated done = kernel.turned(test_case), scaled_done = kernel.turned(scaled);
  canonical_rows<Float> rows(kernel, test_case);
  const bool table_is_known = promises_bits(kernel.promised());
  measurement measured;
  for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(test_case, where);
    const channel_pair in = kernel.channels_in(where.pair), out = kernel.channels_out(where.pair);
    const auto x = pair_at<Float>(elements_of(test_case, where.tensor), start, in);
    const auto sx = pair_at<Float>(elements_of(scaled, where.tensor), start, in);
    if (!detail::is_scaled<Float>(x.first, sx.first, test_case.power) ||
        !detail::is_scaled<Float>(x.second, sx.second, test_case.power))
      return;
    const bits_pair<rotation_format<Float>> canonical = rows.at(where);
    const bits_pair<Wide> entry{convert<Wide, rotation_format<Float>>(canonical.first),
                                convert<Wide, rotation_format<Float>>(canonical.second)};
    if (!detail::rotates_among_normals<Float, Wide>(x, entry) ||
        !detail::rotates_among_normals<Float, Wide>(sx, entry))
      return;
    if (!table_is_known &&
        (!detail::outweighs_underflow<Float, Wide>(x) || !detail::outweighs_underflow<Float, Wide>(sx)))
      return;
    const auto y = pair_at<Float>(elements_of(done, where.tensor), start, out);
    const auto sy = pair_at<Float>(elements_of(scaled_done, where.tensor), start, out);
    const bool equal = detail::scales<Float>(y.first, sy.first, test_case.power) &&
                       detail::scales<Float>(y.second, sy.second, test_case.power);
    record(measured, judge_equal(equal), where, [&] {
      return evidence{dtype_of<Float>,
                      2,
                      {sx.first, sx.second},
                      {detail::scaled_bits<Float>(y.first, test_case.power),
                       detail::scaled_bits<Float>(y.second, test_case.power)},
                      {sy.first, sy.second}};
    });
  });
  return measured;
}

/// measure_linearity_in for the format that the kernel promises to rotate in.
///
/// domain  pairs whose values times 2^power are normal or 0; others are skipped
template <floating_format Float>
measurement measure_linearity(const checked_rotation& kernel, const law_case& test_case) {
  if (rotates_in_dtype(kernel.promised())) return measure_linearity_in<Float, Float>(kernel, test_case);
  return measure_linearity_in<Float, rotation_format<Float>>(kernel, test_case);
}

measurement rotation_laws::judge_linearity(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_linearity<Float>(kernel, test_case); });
}

}  // namespace ropewalk
