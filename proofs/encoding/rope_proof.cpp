// The rotation: its three forms, its gradient, mixed-up pairings, its frequencies, and a relative score that
// leaves the radius free.

#include "ropewalk/encoding/rope.hpp"

#include <array>
#include <cstddef>

namespace rope_proof {

using namespace ropewalk;

constexpr int limb_count = 2;
using real = enclosure<limb_count>;
using head = std::array<real, 4>;

constexpr rope four{.rotary_dim = 4};
constexpr rope llama_2{.rotary_dim = 128};

/// Two numbers agree if the difference of their enclosures stays below this.
constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90

constexpr bool agree(const real& x, const real& y) { return magnitude_above(x - y) < narrow; }

constexpr bool agree(const head& x, const head& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!agree(x[i], y[i])) return false;
  return true;
}

constexpr real dot(const head& x, const head& y) {
  real sum = real::of(0);
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

constexpr head query{real::of(3), real::of(-1), real::of(4), real::of(1)};
constexpr head key{real::of(2), real::of(7), real::of(1), real::of(-8)};

constexpr head by_matrix(const head& x, double position, pairing layout) {
  const rotation_matrix<limb_count> matrix(four, position);
  head result{};
  for (int row = 0; row < 4; ++row) {
    real sum = real::of(0);
    for (int column = 0; column < 4; ++column)
      sum = sum + matrix.at(row, column, layout) * x[static_cast<std::size_t>(column)];
    result[static_cast<std::size_t>(row)] = sum;
  }
  return result;
}

/// x cos + rotate_half(x) sin with the cosines of one pairing and the rotate_half of another.
constexpr head by_halves(const head& x, double position, pairing layout, pairing half) {
  head turned{}, result{};
  for (int pair = 0; pair < 2; ++pair) {
    const channel_pair at = channels_of(pair, 4, half);
    turned[static_cast<std::size_t>(at.first)] = -x[static_cast<std::size_t>(at.second)];
    turned[static_cast<std::size_t>(at.second)] = x[static_cast<std::size_t>(at.first)];
  }
  for (int pair = 0; pair < 2; ++pair) {
    const channel_pair at = channels_of(pair, 4, layout);
    const auto e = cos_sin_of_turns(rope_turns<limb_count>(pair, four) * real::of(position));
    for (const int channel : {at.first, at.second}) {
      const auto i = static_cast<std::size_t>(channel);
      result[i] = x[i] * e.cos + turned[i] * e.sin;
    }
  }
  return result;
}

/// The block-diagonal matrix, multiplication by e^(i position inv_freq), and x cos + rotate_half(x) sin
/// agree.
consteval bool three_forms_of_the_rotation_are_one_map(pairing layout, double position) {
  const head matrix = by_matrix(query, position, layout);
  for (int pair = 0; pair < 2; ++pair) {
    const channel_pair at = channels_of(pair, 4, layout);
    const auto first = static_cast<std::size_t>(at.first), second = static_cast<std::size_t>(at.second);
    const auto e = cos_sin_of_radians(rope_inv_freq<limb_count>(pair, four) * real::of(position));
    if (!agree(matrix[first], query[first] * e.cos - query[second] * e.sin) ||
        !agree(matrix[second], query[first] * e.sin + query[second] * e.cos))
      return false;
  }
  return agree(matrix, by_halves(query, position, layout, layout));
}
static_assert(three_forms_of_the_rotation_are_one_map(pairing::interleaved, 5));
static_assert(three_forms_of_the_rotation_are_one_map(pairing::half_split, 5));
static_assert(three_forms_of_the_rotation_are_one_map(pairing::half_split, -131071.5));

/// The rotate_half of the other pairing changes the norm.
consteval bool mixed_pairings_are_no_rotation() {
  const head right = by_halves(query, 1, pairing::half_split, pairing::half_split);
  const head wrong = by_halves(query, 1, pairing::half_split, pairing::interleaved);
  return agree(dot(right, right), dot(query, query)) &&
         compare(dot(wrong, wrong), dot(query, query)) != order::undecided;
}
static_assert(mixed_pairings_are_no_rotation());

/// d(w . R(m) q) / dq = R(m)^T w = R(-m) w, which is not R(m) w.
consteval bool gradient_is_the_rotation_by_the_opposite_position(pairing layout, double position) {
  head gradient{};
  for (std::size_t channel = 0; channel < 4; ++channel) {
    head unit{real::of(0), real::of(0), real::of(0), real::of(0)};
    unit[channel] = real::of(1);
    gradient[channel] = dot(key, by_matrix(unit, position, layout));
  }
  return agree(gradient, by_matrix(key, -position, layout)) &&
         !agree(gradient, by_matrix(key, position, layout));
}
static_assert(gradient_is_the_rotation_by_the_opposite_position(pairing::interleaved, 1));
static_assert(gradient_is_the_rotation_by_the_opposite_position(pairing::half_split, 1000));

/// (2^m R(m) q) . (2^-n R(n) k) depends on n - m alone: if query and key may use different functions, a
/// relative score does not force the radius to be independent of the position.
consteval bool opposite_radii_keep_the_score_relative(int m, int n, int shift) {
  const auto score = [](int query_at, int key_at) {
    return times_power_of_two(
        dot(by_matrix(query, query_at, pairing::interleaved), by_matrix(key, key_at, pairing::interleaved)),
        query_at - key_at);
  };
  return agree(score(m, n), score(m + shift, n + shift)) && !agree(score(m, n), score(m, n + shift));
}
static_assert(opposite_radii_keep_the_score_relative(3, 5, 37));

consteval bool rotary_frequencies_fall_strictly_with_the_pair(const rope& config) {
  const auto shared = share<limb_count>(config);
  for (int pair = 1; pair < pair_count(config); ++pair)
    if (compare(rope_inv_freq(pair, config, shared), rope_inv_freq(pair - 1, config, shared)) != order::less)
      return false;
  return true;
}
static_assert(rotary_frequencies_fall_strictly_with_the_pair(llama_2));

/// Within 4096 positions pairs 0 to 45, and no others, complete a full turn: the first 92 channels, the
/// critical dimension of Liu et al. 2023 (arXiv:2310.05209). The other pairs reach new phases beyond 4096
/// positions.
consteval bool llama_2_closes_the_circle_of_46_pairs_below_4096() {
  const auto shared = share<limb_count>(llama_2);
  for (int pair = 0; pair < pair_count(llama_2); ++pair) {
    const order to_one = compare(rope_turns(pair, llama_2, shared) * real::of(4096), real::of(1));
    if (to_one != (pair < 46 ? order::greater : order::less)) return false;
  }
  return true;
}
static_assert(llama_2_closes_the_circle_of_46_pairs_below_4096());

}  // namespace rope_proof
