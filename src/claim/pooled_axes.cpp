// Claims in the code of Helios and FramePack about pooled history: cosines and sines are averaged over cells,
// and then applied to queries and keys like those of a rotary embedding.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "ropewalk/table/pooled_axes_rows.hpp"

namespace ropewalk::claim {
namespace {

using mean_point = cos_sin<limb_count>;

/// The mean over cells of a pair with frequency 1, which both models have on every axis.
mean_point mean_over(const axis_window& cells) {
  static const pooled_axes_rows rows(placed_rope{.encoding = {.base = 10000, .rotary_dim = 2}});
  return rows.mean<limb_count>(0, cells);
}

constexpr std::int32_t unpadded_end = 1 << 20;  // the end of a grid that needs no padding

axis_window window_of(std::int32_t token, int cells, std::int32_t last = unpadded_end) {
  return {token * cells, last, cells};
}

real length_of_mean(const mean_point& x) { return square_root(x.cos * x.cos + x.sin * x.sin); }

/// sin(s/2) / (s sin(1/2)).
real closed_form(int cells) {
  const auto sine_of = [](int halves) {
    return cos_sin_of_radians(times_power_of_two(real::of(halves), -1)).sin;
  };
  return sine_of(cells) / (real::of(cells) * sine_of(1));
}

/// The closed form times the phase of index s j + (s - 1) / 2.
mean_point phase_of_middle(std::int32_t token, int cells) {
  const real at = times_power_of_two(real::of(2 * token * cells + cells - 1), -1);
  const mean_point phase = cos_sin_of_radians(at);
  return {closed_form(cells) * phase.cos, closed_form(cells) * phase.sin};
}

bool agree_both(const mean_point& x, const mean_point& y) {
  return agree(x.cos, y.cos) && agree(x.sin, y.sin);
}

evidence norms_shrink() {
  bool is_closed = true;
  int tokens = 0;
  for (const int cells : {2, 4})
    for (std::int32_t token = 0; token < 16; ++token, ++tokens)
      is_closed = is_closed && agree(length_of_mean(mean_over(window_of(token, cells))), closed_form(cells));
  const real two = length_of_mean(mean_over(window_of(0, 2))),
             four = length_of_mean(mean_over(window_of(0, 4)));
  return {
      is_closed && is_below(four, two) && is_below(two, real::of(1)),
      fmt::format("a pair of frequency 1 is multiplied by {:.6f} where 2 cells are averaged and by {:.6f} "
                  "where 4 are; {} of {} means are sin(s f/2) / (s sin(f/2)) long, s cells, frequency f",
                  nearest(two), nearest(four), is_closed ? tokens : 0, tokens)};
}

evidence means_do_not_compose() {
  const mean_point point = mean_over(window_of(1, 4)), two = mean_over(window_of(2, 4)),
                   three = mean_over(window_of(3, 4));
  const mean_point composed{point.cos * two.cos - point.sin * two.sin,
                            point.sin * two.cos + point.cos * two.sin};
  return {
      !agree_both(composed, three) && is_below(length_of_mean(composed), length_of_mean(three)),
      fmt::format("4 cells, frequency 1: the means of tokens 1 and 2, one after the other, multiply a pair "
                  "by {:.6f}, the mean of token 3 by {:.6f}",
                  nearest(length_of_mean(composed)), nearest(length_of_mean(three)))};
}

evidence middles_and_padding() {
  int at_middle = 0;
  for (const int cells : {2, 4})
    for (std::int32_t token = 0; token < 16; ++token)
      at_middle += agree_both(mean_over(window_of(token, cells)), phase_of_middle(token, cells));
  const mean_point padded = mean_over(window_of(3, 4, 13)), whole = mean_over(window_of(3, 4));
  std::string said = fmt::format(
      "frequency 1: {} of 32 means over 2 and 4 cells are the phase of index s j + (s - 1)/2 times their "
      "radius; in a row of 14 cells, token 3 has 12 13 13 13: ({:.6f}, {:.6f}) for ({:.6f}, {:.6f}), radius "
      "{:.6f}",
      at_middle, nearest(padded.cos), nearest(padded.sin), nearest(whole.cos), nearest(whole.sin),
      nearest(length_of_mean(padded)));
  return {at_middle == 32 && !agree_both(padded, phase_of_middle(3, 4)), said};
}

}  // namespace

std::vector<claim> pooled_axes_claims() {
  const std::vector<document> both{document::helios, document::framepack};
  return {
      {.number = 101,
       .documents = both,
       .statement = "pooled history is rotated as the other tokens are, so that its norms stay",
       .decided = verdict::refuted,
       .correction = "a mean of s phases has the radius |sin(s f/2) / (s sin(f/2))| at frequency f, which "
                     "is below 1: the fastest pairs shrink most",
       .witness = "norms_shrink",
       .run = norms_shrink},
      {.number = 102,
       .documents = both,
       .statement = "the maps of two pooled positions, one after the other, are the map of their sum",
       .decided = verdict::refuted,
       .correction =
           "the radii multiply, so two means, one after the other, are shorter than the mean of the sum",
       .witness = "means_do_not_compose",
       .run = means_do_not_compose},
      {.number = 103,
       .documents = both,
       .statement = "a pooled token stands at the middle of its cells",
       .decided = verdict::corrected,
       .correction = "its direction is that of the middle, s j + (s - 1)/2, up to a half turn, and its "
                     "radius is not 1; where the grid ends before the last cell, the last index is counted "
                     "again and the direction is another",
       .witness = "middles_and_padding",
       .run = middles_and_padding}};
}

}  // namespace ropewalk::claim
