#include "search/number_bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "output/decimal.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::search {
namespace {

template <class Float>
bits_of<Float> with_sign(dice& from, bits_of<Float> size) {
  return from.one_in(2) ? static_cast<bits_of<Float>>(size | format<Float>::sign_bit) : size;
}

template <class Float>
bits_of<Float> power_of_two(int exponent) {
  using traits = format<Float>;
  return static_cast<bits_of<Float>>(static_cast<bits_of<Float>>(exponent + traits::bias)
                                     << (traits::precision - 1));
}

template <class Float>
bits_of<Float> boundary(dice& from) {
  using traits = format<Float>;
  const auto hidden = static_cast<bits_of<Float>>(traits::fraction_mask + 1);
  const std::array<bits_of<Float>, 9> ends{0,
                                           1,
                                           traits::fraction_mask,
                                           hidden,
                                           static_cast<bits_of<Float>>(hidden + 1),
                                           static_cast<bits_of<Float>>(traits::infinity - 1),
                                           power_of_two<Float>(0),
                                           static_cast<bits_of<Float>>(power_of_two<Float>(0) - 1),
                                           static_cast<bits_of<Float>>(power_of_two<Float>(0) + 1)};
  if (from.one_in(3))
    return power_of_two<Float>(
        static_cast<int>(from.between(traits::smallest_exponent, traits::largest_exponent)));
  return ends[static_cast<std::size_t>(from.below(ends.size()))];
}

template <class Float>
bits_of<Float> fraction(dice& from, int exponent) {
  // 53 random bits below 1, rounded once; rounding up to 1 is fine.
  const double value = std::ldexp(static_cast<double>(from.bits() >> 11) * 0x1p-53, exponent);
  return convert<Float, double>(std::bit_cast<std::uint64_t>(value));
}

template <class Float>
bits_of<Float> short_mantissa(dice& from) {
  using traits = format<Float>;
  const int dropped = static_cast<int>(from.between(traits::precision / 2, traits::precision - 1));
  const auto kept = static_cast<bits_of<Float>>((from.bits() & traits::fraction_mask) >> dropped << dropped);
  const int exponent = static_cast<int>(from.between(-8, 8));
  return static_cast<bits_of<Float>>(power_of_two<Float>(exponent) | kept);
}

template <class Float>
bits_of<Float> draw_size(dice& from) {
  using traits = format<Float>;
  switch (from.below(8)) {
    case 0:
    case 1: return magnitude<Float>(static_cast<bits_of<Float>>(from.bits()));
    case 2: return boundary<Float>(from);
    case 3: return static_cast<bits_of<Float>>(from.bits() & traits::fraction_mask);
    case 4: return convert<Float, double>(std::bit_cast<std::uint64_t>(static_cast<double>(from.below(33))));
    case 5: return short_mantissa<Float>(from);
    default: return fraction<Float>(from, 0);
  }
}

template <class Float>
std::vector<std::uint64_t> simpler(bits_of<Float> bits) {
  using traits = format<Float>;
  std::vector<std::uint64_t> result;
  const auto offer = [&](bits_of<Float> candidate) {
    if (candidate != bits) result.push_back(candidate);
  };
  if (bits == 0) return result;
  offer(0);
  if (!is_finite<Float>(bits)) {
    offer(power_of_two<Float>(0));
    offer(is_nan<Float>(bits) ? traits::quiet_nan : traits::infinity);
    return result;
  }
  const bits_of<Float> word = power_of_two<Float>(0);
  if (bits == word) return result;
  offer(word);
  if (is_negative<Float>(bits)) offer(magnitude<Float>(bits));
  if (magnitude<Float>(bits) > word)
    for (const double integer : {2.0, 3.0, 16.0})
      if (convert<Float, double>(std::bit_cast<std::uint64_t>(integer)) < magnitude<Float>(bits))
        offer(convert<Float, double>(std::bit_cast<std::uint64_t>(integer)));
  for (int dropped = traits::precision - 1; dropped > 0; dropped -= (dropped > 4 ? dropped / 4 : 1))
    offer(static_cast<bits_of<Float>>(bits >> dropped << dropped));
  return result;
}

template <class Float>
std::string text(bits_of<Float> bits) {
  if (is_nan<Float>(bits)) return fmt::format("nan ({:#0{}x})", bits, 2 + static_cast<int>(2 * sizeof bits));
  if (is_infinite<Float>(bits)) return is_negative<Float>(bits) ? "-inf" : "inf";
  const double value = std::bit_cast<double>(convert<double, Float>(bits));  // exact
  return fmt::format("{} ({:a})", output::shortest_decimal<Float>(bits), value);
}

}  // namespace

std::uint64_t draw_bits(dice& from, ropewalk_dtype dtype, number_domain domain) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    bits_of<Float> size = draw_size<Float>(from);
    if (domain == number_domain::finite)
      while (!is_finite<Float>(size)) size = draw_size<Float>(from);
    return with_sign<Float>(from, size);
  });
}

int draw_exponent(dice& from, ropewalk_dtype dtype) {
  return with_format(dtype, [&]<class Float>() {
    return static_cast<int>(
        from.between(format<Float>::smallest_ulp_exponent + 1, format<Float>::largest_exponent));
  });
}

std::uint64_t draw_scaled_fraction(dice& from, ropewalk_dtype dtype, int exponent) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    return with_sign<Float>(from, fraction<Float>(from, exponent));
  });
}

int largest_exponent_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return format<Float>::largest_exponent; });
}

std::uint64_t with_exponent_below(ropewalk_dtype dtype, std::uint64_t bits, int end) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    using traits = format<Float>;
    const auto value = static_cast<bits_of<Float>>(bits);
    const bits_of<Float> limit = power_of_two<Float>(std::max(end, traits::smallest_exponent + 1));
    if (magnitude<Float>(value) < limit) return bits;
    const auto below = static_cast<bits_of<Float>>(limit - traits::fraction_mask - 1);
    return static_cast<bits_of<Float>>((value & (traits::sign_bit | traits::fraction_mask)) | below);
  });
}

std::uint64_t draw_non_finite(dice& from, ropewalk_dtype dtype) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    using traits = format<Float>;
    const auto payload = static_cast<bits_of<Float>>(from.bits() & traits::fraction_mask);
    const bits_of<Float> kinds[] = {traits::infinity, traits::quiet_nan,
                                    static_cast<bits_of<Float>>(traits::infinity | 1),  // signalling
                                    static_cast<bits_of<Float>>(traits::infinity | payload)};
    return with_sign<Float>(from, kinds[from.below(4)]);
  });
}

std::vector<std::uint64_t> simpler_bits(ropewalk_dtype dtype, std::uint64_t bits) {
  return with_format(dtype, [&]<class Float>() { return simpler<Float>(static_cast<bits_of<Float>>(bits)); });
}

std::string text_of(ropewalk_dtype dtype, std::uint64_t bits) {
  return with_format(dtype, [&]<class Float>() { return text<Float>(static_cast<bits_of<Float>>(bits)); });
}

rc::Gen<std::uint64_t> number_bits(ropewalk_dtype dtype, number_domain domain) {
  return [=](const rc::Random& random, int) {
    dice from(random);
    return rc::shrinkable::shrinkRecur(draw_bits(from, dtype, domain), [dtype](std::uint64_t bits) {
      return rc::seq::fromContainer(simpler_bits(dtype, bits));
    });
  };
}

}  // namespace ropewalk::search
