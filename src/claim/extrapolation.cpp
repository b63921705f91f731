// Claims about lengths not seen in training.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "claim/claims.hpp"
#include "claim/models.hpp"
#include "claim/real.hpp"
#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/measure/context_extension.hpp"
#include "ropewalk/measure/error_growth.hpp"

namespace ropewalk::claim {
namespace {

constexpr length_pair eightfold{4096, 32768};

/// Whether |R(position + step) - R(position)| of a unit pair is at most step x inv_freq, also between whole
/// positions.
bool moves_continuously(int pair, double position, double step) {
  const auto here = rotation_matrix<limb_count>(llama_2, position).block(pair);
  const auto there = rotation_matrix<limb_count>(llama_2, position + step).block(pair);
  const real cos = there.cos - here.cos, sin = there.sin - here.sin;
  const real most = real::of(step) * rope_inv_freq<limb_count>(pair, llama_2);
  return compare(cos * cos + sin * sin, most * most) == order::less;
}

/// Whether R(m)^T R(n) is R(n - m).
bool is_relative(int pair, double m, double n) {
  const auto a = rotation_matrix<limb_count>(llama_2, m).block(pair),
             b = rotation_matrix<limb_count>(llama_2, n).block(pair);
  const auto apart = rotation_matrix<limb_count>(llama_2, n - m).block(pair);
  return agree(a.cos * b.cos + a.sin * b.sin, apart.cos) && agree(a.cos * b.sin - a.sin * b.cos, apart.sin);
}

evidence continuous_relative_and_half_seen() {
  bool continuous = true, relative = true;
  for (const int pair : {0, 31, 63})
    for (const double position : {0.0, 0.5, 4095.25, 32767.0}) {
      continuous = continuous && moves_continuously(pair, position, 0x1p-10);
      relative = relative && is_relative(pair, position, position + 3);
    }
  const coverage_summary all = summarise(phase_coverage(llama_2, eightfold));
  const cosine_error near = largest_cosine_error(llama_2, eightfold.trained, 16);
  const cosine_error far = largest_cosine_error(llama_2, eightfold.target, 16);
  std::string text = fmt::format(
      "continuous and relative at 12 places: {}\n128 channels, base 10000, from 4096 to 32768 positions: {} "
      "of {} pairs meet phases never seen, {:.2f} % of a pair's on average, {:.1f} % of the worst\nlargest "
      "error of a binary32 cosine below 4096 and 32768: {:.3g} and {:.3g} correctly rounded, {:.3g} and "
      "{:.3g} from an angle in binary32",
      continuous && relative, all.unseen_pairs, all.pairs, 100 * all.mean_unseen, 100 * all.worst_unseen,
      near.table, far.table, near.angle_f32, far.angle_f32);
  for (const extension_measurement& extension : measure_extensions(llama_2, eightfold))
    if (extension.rule != "none")
      text +=
          fmt::format("\n{}: {} pairs with unseen phases; neighbours turn {:.3g} times as far, where least",
                      extension.rule, extension.summary.unseen_pairs, extension.summary.least_step);
  constexpr double half_a_unit = 0x1p-25;  // half an ulp of binary32 below 1
  const bool table_is_flat = std::max(near.table, far.table) <= half_a_unit;
  return {
      continuous && relative && table_is_flat && all.unseen_pairs == 18 && far.angle_f32 > 4 * near.angle_f32,
      text};
}

evidence buckets_take_every_distance() {
  const t5_bias decoder{.bidirectional = false};
  const int last = t5_bucket(-largest_position, decoder);
  int first = 0;
  while (t5_bucket(-first, decoder) != last) ++first;
  return {last == decoder.buckets - 1 && first == 113,
          fmt::format("T5's decoder: distance {} has bucket {}, and so has every distance from {} on; {} "
                      "numbers per head, at any length",
                      largest_position, last, first, decoder.buckets)};
}

}  // namespace

std::vector<claim> extrapolation_claims() {
  return {{.number = 31,
           .documents = {document::study_notes},
           .statement = "RoPE is parameter-free, continuous, relative and generalises",
           .decided = verdict::corrected,
           .correction = "it serves every position, with no more error from a correctly rounded table; but "
                         "pairs that never came full circle in training meet phases that are new, unless a "
                         "rule slows them down, which NTK does not do enough",
           .witness =
               "continuous_relative_and_half_seen; theorem llama_2_closes_the_circle_of_46_pairs_below_4096",
           .run = continuous_relative_and_half_seen},
          {.number = 72,
           .documents = {document::study_notes},
           .statement = "learned relative encodings have one weight per distance bucket: the range of "
                        "distances is limited",
           .decided = verdict::corrected,
           .correction = "only the distances that are told apart are limited: the last bucket takes every "
                         "distance beyond, and the number of weights does not grow with the length",
           .witness = "buckets_take_every_distance; theorem bucket_saturates_at_max_distance",
           .run = buckets_take_every_distance}};
}

}  // namespace ropewalk::claim
