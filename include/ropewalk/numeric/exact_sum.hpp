#pragma once
// Sums of products of a format's numbers without rounding, in one fixed-point number wide enough for all of
// them. Dot products and squared norms in the laws are exact, so a law measures only the kernel's error.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Exact sum of up to 2^62 products of two finite numbers of the format.
///
/// units   the square of the smallest subnormal; two's complement
template <floating_format Float>
class exact_sum {
  static constexpr int unit_exponent = 2 * format<Float>::smallest_ulp_exponent;
  static constexpr int width = 2 * (format<Float>::largest_exponent + 1) - unit_exponent + 64;

 public:
  static constexpr int limb_count = (width + limb_bits - 1) / limb_bits;

  /// Adds a x b. domain  finite a and b
  constexpr void add_product(bits_of<Float> a, bits_of<Float> b) {
    const decoded x = decode<Float>(a), y = decode<Float>(b);
    const wide_word product = static_cast<wide_word>(x.significand) * y.significand;
    if (product == 0) return;
    add_shifted(x.negative != y.negative, product, x.exponent + y.exponent - unit_exponent);
  }

  /// Subtracts a x b. domain  finite a and b
  constexpr void subtract_product(bits_of<Float> a, bits_of<Float> b) {
    add_product(static_cast<bits_of<Float>>(a ^ format<Float>::sign_bit), b);
  }

  /// -1, 0 or 1 as the sum is below, equal to or above zero.
  constexpr int sign() const {
    if ((total_.word[limb_count - 1] >> 63) != 0) return -1;
    return is_zero(total_) ? 0 : 1;
  }

  /// The sum as an enclosure; exact where it fits N limbs.
  template <int N>
  constexpr enclosure<N> value() const {
    limbs<limb_count> size = total_;
    if (sign() < 0) {
      size = {};
      subtract_from(size, total_);
    }
    return detail::with_truncation(truncate<N>(sign() < 0, size, unit_exponent), {});
  }

 private:
  constexpr void add_shifted(bool negative, wide_word product, int shift) {
    const int whole = shift / limb_bits, part = shift % limb_bits;
    const std::uint64_t low = static_cast<std::uint64_t>(product);
    const std::uint64_t high = static_cast<std::uint64_t>(product >> limb_bits);
    std::uint64_t piece[3] = {low << part, high << part, 0};
    if (part != 0) {
      piece[1] |= low >> (limb_bits - part);
      piece[2] = high >> (limb_bits - part);
    }
    std::uint64_t carry = 0;
    for (int i = whole; i < limb_count && (i < whole + 3 || carry != 0); ++i) {
      const std::uint64_t addend = i < whole + 3 ? piece[i - whole] : 0;
      const wide_word sum = negative ? static_cast<wide_word>(total_.word[i]) - addend - carry
                                     : static_cast<wide_word>(total_.word[i]) + addend + carry;
      total_.word[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> limb_bits) & 1;
    }
  }

  limbs<limb_count> total_{};
};

/// Exact comparison of Euclidean norms: -1, 0 or 1 as |a| is below, equal to or above |b|.
///
/// domain  finite entries
template <floating_format Float>
constexpr int compare_norms(const bits_of<Float>* a, const bits_of<Float>* b, int count) {
  exact_sum<Float> difference;
  for (int i = 0; i < count; ++i) {
    difference.add_product(a[i], a[i]);
    difference.subtract_product(b[i], b[i]);
  }
  return difference.sign();
}

/// Dot product of two vectors of the format's numbers, as an enclosure. domain  finite entries
template <int N, floating_format Float>
constexpr enclosure<N> dot(const bits_of<Float>* a, const bits_of<Float>* b, int count) {
  exact_sum<Float> sum;
  for (int i = 0; i < count; ++i) sum.add_product(a[i], b[i]);
  return sum.template value<N>();
}

}  // namespace ropewalk
