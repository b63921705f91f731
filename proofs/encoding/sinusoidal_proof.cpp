// The sinusoidal encoding: its frequencies, its range, its padding, and the difference of any two of 1024
// rows.

#include "ropewalk/encoding/sinusoidal.hpp"

#include "ropewalk/numeric/round.hpp"

namespace sinusoidal_proof {

using namespace ropewalk;

constexpr int limb_count = 2;
using real = enclosure<limb_count>;

constexpr sinusoidal gpt_2{.d_model = 768};
constexpr sinusoidal transformer_base{.d_model = 512};
constexpr sinusoidal tensor2tensor{.d_model = 512, .shift = 1, .layout = sinusoidal_layout::sin_cos};
constexpr sinusoidal fairseq_odd{
    .d_model = 7, .shift = 1, .layout = sinusoidal_layout::sin_cos, .odd = odd_width::zero, .padding_idx = 1};

/// Two numbers agree if the difference of their enclosures stays below this.
constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90

constexpr bool agree(const real& x, const real& y) { return magnitude_above(x - y) < narrow; }

consteval bool frequencies_fall_strictly_with_the_pair(const sinusoidal& config) {
  const auto shared = share<limb_count>(config);
  for (int pair = 1; pair < pair_count(config); ++pair)
    if (compare(sinusoidal_inv_freq(pair, config, shared), sinusoidal_inv_freq(pair - 1, config, shared)) !=
        order::less)
      return false;
  return true;
}
static_assert(frequencies_fall_strictly_with_the_pair(gpt_2));
static_assert(frequencies_fall_strictly_with_the_pair(fairseq_odd));

/// tensor2tensor's slowest pair has frequency 1 / base; the paper's is faster, by base^(2 / d_model).
consteval bool exponents_end_where_their_sources_say() {
  const real slowest = sinusoidal_inv_freq<limb_count>(255, tensor2tensor);
  const real of_paper = sinusoidal_inv_freq<limb_count>(255, transformer_base);
  const real step = sinusoidal_inv_freq<limb_count>(1, transformer_base);
  return agree(slowest * real::of(10000), real::of(1)) &&
         agree(of_paper * step * real::of(10000), real::of(1)) &&
         compare(of_paper, slowest) == order::greater;
}
static_assert(exponents_end_where_their_sources_say());

/// sin^2 + cos^2 = 1 in every pair, so every value lies in [-1, 1] and a row has the norm sqrt(d_model / 2).
consteval bool every_pair_lies_on_the_unit_circle(const sinusoidal& config, double position) {
  real squares = real::of(0);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const sinusoidal_channels at = channels_of(pair, config);
    const real sine = sinusoidal_entry<limb_count>(position, at.sine, config);
    const real cosine = sinusoidal_entry<limb_count>(position, at.cosine, config);
    if (!agree(sine * sine + cosine * cosine, real::of(1))) return false;
    squares = squares + sine * sine + cosine * cosine;
  }
  return agree(squares, real::of(pair_count(config)));
}
static_assert(every_pair_lies_on_the_unit_circle({.d_model = 32}, 12345));
static_assert(every_pair_lies_on_the_unit_circle(fairseq_odd, 3));

/// With padding_idx 1 position -1 has the zero row, and position 0 has row 2 of the table without padding.
consteval bool padding_has_the_zero_row_and_positions_follow_it() {
  sinusoidal plain = fairseq_odd;
  plain.padding_idx = {};
  for (int channel = 0; channel < fairseq_odd.d_model; ++channel) {
    const real padding = sinusoidal_entry<limb_count>(-1, channel, fairseq_odd);
    if (!is_exact(padding) || !is_zero(padding.midpoint)) return false;
    if (!agree(sinusoidal_entry<limb_count>(0, channel, fairseq_odd),
               sinusoidal_entry<limb_count>(2, channel, plain)))
      return false;
  }
  return true;
}
static_assert(padding_has_the_zero_row_and_positions_follow_it());

/// Pair 0 turns by one radian per position, and a whole number of radians is never a whole number of turns,
/// so rows differ. Two rows k apart differ in pair 0 by |e^(i k) - 1| = 2 |sin(k / 2)|, which for k below
/// 1024 is smallest at k = 710.
consteval bool pair_zero_tells_1024_positions_apart() {
  using short_real = enclosure<1>;  // 64 bits resolve the smallest distance, 6e-5
  const auto half_chord = [](std::int64_t k) {
    return absolute(cos_sin_of_radians(times_power_of_two(short_real::of(k), -1)).sin);
  };
  const short_real smallest = half_chord(710);
  for (std::int64_t k = 1; k < 1024; ++k) {
    const short_real distance = half_chord(k);
    if (may_be_zero(distance) || (k != 710 && compare(distance, smallest) != order::greater)) return false;
  }
  return true;
}
static_assert(pair_zero_tells_1024_positions_apart());

}  // namespace sinusoidal_proof
