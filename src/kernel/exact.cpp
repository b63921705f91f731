// The exact rotation, slow: each output is a R(t) x as a real number, rounded once to the tensor's format.

#include <cstdint>
#include <vector>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk {
namespace {

constexpr int first_limbs = 4;

/// The inputs of one pair's angle, for one token.
struct pair_angle {
  int pair = 0;
  bool is_real = false;  // the position is `real`
  std::int64_t position = 0;
  double real = 0;
  bool unit = false;
  bool backward = false;
};

template <int N>
cos_sin<N> turned(const rope_rows& rows, const pair_angle& angle) {
  cos_sin<N> result = angle.is_real ? rows.exact<N>(angle.pair, angle.real, angle.unit)
                                    : rows.exact<N>(angle.pair, angle.position, angle.unit);
  if (angle.backward) result.sin = -result.sin;
  return result;
}

/// x0 u + x1 v.
template <floating_format Float, int N>
enclosure<N> combine(bits_pair<Float> x, const enclosure<N>& u, const enclosure<N>& v) {
  const auto exactly = [](bits_of<Float> bits) {
    return enclosure<N>{exact_dyadic_of_bits<N, Float>(bits), {}};
  };
  return exactly(x.first) * u + exactly(x.second) * v;
}

/// Rounds an enclosed value to nearest; exact zero becomes +0.
template <floating_format Float, int N>
rounding<Float> round_value(const enclosure<N>& value) {
  if (is_exact(value) && is_zero(value.midpoint)) return {0, true};
  return round<Float>(value);
}

template <floating_format Float>
struct rounded_pair {
  bits_pair<Float> bits{};
  bool decided = false;
};

template <floating_format Float, int N>
rounded_pair<Float> round_pair(bits_pair<Float> x, const cos_sin<N>& at) {
  const rounding<Float> first = round_value<Float>(combine<Float>(x, at.cos, -at.sin));
  const rounding<Float> second = round_value<Float>(combine<Float>(x, at.sin, at.cos));
  return {{first.bits, second.bits}, first.decided && second.decided};
}

/// The sign of an enclosed value: -1 or 1, and 0 for an exact zero.
struct known_sign {
  int value = 0;
  bool decided = false;
};

template <int N>
known_sign sign_of(const enclosure<N>& x) {
  if (is_exact(x) && is_zero(x.midpoint)) return {0, true};
  return {x.midpoint.negative ? -1 : 1, !may_be_zero(x)};
}

/// x0 u + x1 v over the extended reals, where x0 or x1 is not finite, given the signs of u and v. NaN for
/// infinity times zero and for the difference of two infinities.
template <floating_format Float>
bits_of<Float> combine_infinite(bits_pair<Float> x, int sign_u, int sign_v) {
  using traits = format<Float>;
  // Sign of an infinite term, 0 for a finite one.
  const auto term = [](bits_of<Float> bits, int sign) -> int {
    return is_infinite<Float>(bits) ? (is_negative<Float>(bits) ? -sign : sign) : 0;
  };
  if (is_nan<Float>(x.first) || is_nan<Float>(x.second)) return traits::quiet_nan;
  if ((is_infinite<Float>(x.first) && sign_u == 0) || (is_infinite<Float>(x.second) && sign_v == 0))
    return traits::quiet_nan;
  const int sum = term(x.first, sign_u) + term(x.second, sign_v);
  if (sum == 0) return traits::quiet_nan;
  return sum > 0 ? traits::infinity : static_cast<bits_of<Float>>(traits::infinity | traits::sign_bit);
}

struct known_signs {
  int cos = 0;
  int sin = 0;
  bool decided = false;
};

class exact_rotation {
 public:
  using operation = rotate;
  static constexpr bool has_every_pairing = true;

  explicit exact_rotation(const ropewalk_rotation& encoding) : plan_(encoding) {}

  void apply(const ropewalk_rotation_call& call) const {
    turn_channels(
        call, plan_,
        [&](const checked_call& checked) {
          with_format(checked.dtype, [&]<class Float>() { turn_tokens<Float>(checked); });
        },
        real_positions::served);
  }

 private:
  template <floating_format Float>
  void turn_tokens(const checked_call& call) const {
    const auto pairs = static_cast<std::size_t>(plan_.layout.pairs());
    std::vector<bits_pair<Float>> scratch(pairs);
    std::vector<pair_angle> angles(pairs);
    std::vector<cos_sin<first_limbs>> points(pairs);
    const auto turn_head = [&](bits_pair<Float>* x, std::int64_t) {
      for (std::size_t pair = 0; pair < pairs; ++pair)
        x[pair] = turn<Float>(x[pair], angles[pair], points[pair]);
    };
    for_each_token(call, [&](const token_place& place) {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const int axis = plan_.axis[pair];
        angles[pair] = {.pair = static_cast<int>(pair),
                        .is_real = place.is_real(),
                        .position = place.is_real() ? 0 : place.position(axis),
                        .real = place.is_real() ? place.real_position(axis) : 0,
                        .unit = call.unit,
                        .backward = call.backward};
        points[pair] = turned<first_limbs>(plan_.rows, angles[pair]);
      }
      turn_heads<Float>(call.query, place, plan_.layout, scratch, turn_head);
      turn_heads<Float>(call.key, place, plan_.layout, scratch, turn_head);
    });
  }

  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, const pair_angle& angle,
                        const cos_sin<first_limbs>& point) const {
    if (!is_finite<Float>(x.first) || !is_finite<Float>(x.second)) return turn_infinite<Float>(x, angle);
    if (const auto quick = round_pair<Float>(x, point); quick.decided) return quick.bits;
    return with_enough_limbs("output",
                             [&]<int N>() { return round_pair<Float>(x, turned<N>(plan_.rows, angle)); })
        .bits;
  }

  template <floating_format Float>
  bits_pair<Float> turn_infinite(bits_pair<Float> x, const pair_angle& angle) const {
    const known_signs signs = with_enough_limbs("output", [&]<int N>() {
      const cos_sin<N> point = turned<N>(plan_.rows, angle);
      const known_sign cos = sign_of(point.cos);
      const known_sign sin = sign_of(point.sin);
      return known_signs{cos.value, sin.value, cos.decided && sin.decided};
    });
    return {combine_infinite<Float>(x, signs.cos, -signs.sin),
            combine_infinite<Float>(x, signs.sin, signs.cos)};
  }

  rotation_plan plan_;
};

}  // namespace

ropewalk_kernel exact_kernel() {
  return kernel_of<exact_rotation>("exact", promise::exact, &any_pairing_and_position);
}

}  // namespace ropewalk
