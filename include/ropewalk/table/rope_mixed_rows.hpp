#pragma once
// Rows of cosine and sine of a mixed rotary embedding, correctly rounded: the sum over axes is exact, and
// each entry is rounded once.

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "ropewalk/encoding/rope_mixed.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"
#include "ropewalk/table/just_below.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
struct rounded_point {
  rounding<Float> cos;
  rounding<Float> sin;
  bool decided;
};

/// The cosine and sine of an angle other than 0, rounded as far as N limbs decide. The cosine of an angle
/// whose square N limbs do not resolve lies just below 1, and its sine just below the angle.
template <floating_format Float, int N>
constexpr rounded_point<Float> round_point(const enclosure<N>& angle) {
  rounding<Float> c, s;
  if (2 * (magnitude_above(angle).exponent + 32) <= -limb_bits * N) {
    c = round_just_below<Float>(enclosure<N>::of(1));
    s = round_just_below<Float>(angle);
  } else {
    const cos_sin<N> point = cos_sin_of_radians(angle);
    c = round<Float>(point.cos);
    s = round<Float>(point.sin);
  }
  return {c, s, c.decided && s.decided};
}

/// Bits of cosine and sine of an exact angle.
template <floating_format Float>
cos_sin_bits<Float> round_cos_sin_of(const exact_sum<double>& angle) {
  if (angle.sign() == 0) return {round<Float>(enclosure<2>::of(1)).bits, 0};
  constexpr int largest_angle_exponent = 1024;
  require(top_exponent(angle.template value<1>().midpoint) <= largest_angle_exponent, "the angle's exponent",
          top_exponent(angle.template value<1>().midpoint), "at most 1024: an angle below 2^1024");
  const auto quick = round_point<Float>(angle.template value<2>());
  if (quick.decided) return {quick.cos.bits, quick.sin.bits};
  const auto result =
      with_enough_limbs("cos or sin", [&]<int N>() { return round_point<Float>(angle.template value<N>()); });
  return {result.cos.bits, result.sin.bits};
}

#define ROPEWALK_ROUND(Float) \
  ROPEWALK_COMPILED_FUNCTION(cos_sin_bits<Float> round_cos_sin_of<Float>(const exact_sum<double>&));
ROPEWALK_EACH_FORMAT(ROPEWALK_ROUND)
#undef ROPEWALK_ROUND

}  // namespace detail

/// Rows at run time, for tokens of an image, a video or a list of keypoints.
class rope_mixed_rows {
 public:
  /// The frequencies must outlive the rows.
  ///
  /// throws  std::invalid_argument naming the field and its value
  template <std::same_as<rope_mixed> Config = rope_mixed>
  explicit rope_mixed_rows(const Config& config) : config_(config) {
    validate(config);
  }

  const rope_mixed& config() const { return config_; }

  /// Bits of one entry of one head.
  ///
  /// shape   coordinates [axes]
  /// domain  finite coordinates with an angle below 2^1024
  /// error   correctly rounded; sin 0 is +0
  /// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
  template <floating_format Float>
  cos_sin_bits<Float> entry(int head, int pair, std::span<const double> coordinates) const {
    return detail::round_cos_sin_of<Float>(rope_mixed_sum(head, pair, coordinates, config_));
  }

  /// The row of one token in one head.
  ///
  /// shape   [pairs]
  /// domain, error, throws   as entry
  template <floating_format Float>
  std::vector<cos_sin_bits<Float>> row(int head, std::span<const double> coordinates) const {
    std::vector<cos_sin_bits<Float>> result;
    for (int pair = 0; pair < config_.pairs; ++pair) result.push_back(entry<Float>(head, pair, coordinates));
    return result;
  }

 private:
  rope_mixed config_;
};

}  // namespace ropewalk
