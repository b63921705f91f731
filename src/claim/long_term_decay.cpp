// Claims about scores at growing distances: RoFormer's bound, and a score that rises.

#include "ropewalk/measure/long_term_decay.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/models.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"

namespace ropewalk::claim {
namespace {

constexpr int slowest_pair = 63;

real bound_at(double distance) { return long_term_decay<limb_count>(distance, llama_2); }

/// The bound as a function of the distance, up to 1024.
struct curve {
  int rises = 0;  // number of distances at which the bound rises
  int first_rise = 0;
  std::array<double, 4> mean{};  // means over 256 distances each
};

curve curve_of_the_bound() {
  curve outcome;
  real before = bound_at(0);
  for (int distance = 1; distance <= 1024; ++distance) {
    const real here = bound_at(distance);
    outcome.mean[static_cast<std::size_t>(distance - 1) / 256] += nearest(here) / 256;
    if (is_below(before, here) && ++outcome.rises == 1) outcome.first_rise = distance;
    before = here;
  }
  return outcome;
}

/// (R_m q) . (R_n k) with q = (1, 0) and k = (0, 1) in the slowest pair and zeros in the others, at m =
/// distance and n = 0: sin(distance x inv_freq).
real rising_score(int distance) {
  const auto query = rotation_matrix<limb_count>(llama_2, distance).block(slowest_pair);
  const auto key = rotation_matrix<limb_count>(llama_2, 0).block(slowest_pair);
  return query.sin * key.cos - query.cos * key.sin;
}

/// Number of successive distances, from 1 on, at which the score rises.
int distances_of_rise(int most) {
  int distance = 0;
  for (real before = rising_score(0); distance < most; ++distance) {
    const real here = rising_score(distance + 1);
    if (!is_below(before, here)) break;
    before = here;
  }
  return distance;
}

evidence falling_bound_and_rising_score() {
  const curve bound = curve_of_the_bound();
  const bool falls =
      bound.mean[0] > bound.mean[1] && bound.mean[1] > bound.mean[2] && bound.mean[2] > bound.mean[3];
  const bool returns = is_below(bound_at(256), bound_at(1e6));
  const int rise = distances_of_rise(1 << 15);
  const real quarter = real::of(1) / times_power_of_two(rope_turns<limb_count>(slowest_pair, llama_2), 2);
  std::string text = fmt::format(
      "rotary_dim 128, base 10000: the means of the bound over 256 distances each fall, {:.2f}, {:.2f}, "
      "{:.2f}, {:.2f}; it rises {} times up to distance 1024, first from {} to {}, and is {:.2f} again at "
      "10^6\nq = (1, 0), k = (0, 1) in the slowest pair: the score sin(distance x inv_freq) rises at each of "
      "the first {} distances, a quarter turn being {:.1f}",
      bound.mean[0], bound.mean[1], bound.mean[2], bound.mean[3], bound.rises, bound.first_rise - 1,
      bound.first_rise, nearest(bound_at(1e6)), rise, nearest(quarter));
  for (const int distance : {0, 16, 256, 1024, 4096})
    text += fmt::format("\ndistance {}: bound {:.2f}, score {:.6f}", distance, nearest(bound_at(distance)),
                        nearest(rising_score(distance)));
  const bool until_a_quarter_turn =
      is_below(real::of(rise - 1), quarter) && is_below(quarter, real::of(rise + 1));
  const bool opposite = is_below(bound_at(1024), bound_at(256)) && is_below(bound_at(256), bound_at(16)) &&
                        is_below(rising_score(16), rising_score(256)) &&
                        is_below(rising_score(256), rising_score(1024));
  return {falls && returns && bound.rises > 0 && rise == 13603 && until_a_quarter_turn && opposite, text};
}

}  // namespace

std::vector<claim> long_term_decay_claims() {
  return {
      {.number = 20,
       .documents = {document::study_notes},
       .statement = "long-term decay: the inner product decays as the distance grows",
       .decided = verdict::corrected,
       .correction =
           "a bound of the score falls on the whole over the first thousands of positions, and rises between "
           "neighbours and again farther out; a score itself need not fall: in a single pair it can rise "
           "with every position of the first quarter turn, which in the slowest pair is 13603 positions",
       .witness = "falling_bound_and_rising_score",
       .run = falling_bound_and_rising_score}};
}

}  // namespace ropewalk::claim
