// Claims in the code of Llama 4 and Ministral 3 about the scale of queries.

#include <fmt/format.h>

#include <cstdint>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "ropewalk/table/query_scale_table.hpp"

namespace ropewalk::claim {
namespace {

constexpr query_scale llama_4{.strength = 0.1, .length = 8192, .shift = 1};
constexpr query_scale ministral_3{.strength = 0.1, .length = 16384};

double scale_of(std::int64_t position, const query_scale& config) {
  return from_bits<double>(round_query_scale<double>(position, config));
}

/// The first position whose query is scaled.
std::int64_t first_scaled(const query_scale& config) {
  std::int64_t position = 0;
  while (scale_step(position, config) == 0) ++position;
  return position;
}

evidence length_and_strength() {
  query_scale longer = llama_4, stronger = llama_4;
  longer.length *= 2;
  stronger.strength *= 2;
  constexpr std::int64_t far = 131071;
  bool is_never_above = true, is_never_below = true;
  for (std::int64_t step = 0; step < 64; ++step) {
    const std::int64_t position = first_of_step(step, llama_4);
    const auto scale = query_scale_at<limb_count>(position, llama_4);
    is_never_above = is_never_above && !is_below(scale, query_scale_at<limb_count>(position, longer));
    is_never_below = is_never_below && !is_below(query_scale_at<limb_count>(position, stronger), scale);
  }
  const std::string text = fmt::format(
      "floor_scale 8192: the first scaled position is {}, by {:.6f}; floor_scale 16384: {}\nposition {}: "
      "attn_scale 0.1 gives {:.6f}, 0.2 gives {:.6f}, floor_scale 16384 gives {:.6f}",
      first_scaled(llama_4), scale_of(8191, llama_4), first_scaled(longer), far, scale_of(far, llama_4),
      scale_of(far, stronger), scale_of(far, longer));
  return {first_scaled(llama_4) == 8191 && first_scaled(longer) == 16383 && is_never_above && is_never_below,
          text};
}

evidence rounded_before_the_query() {
  double most = 0;
  std::int64_t where = 0, kept = 0;
  constexpr std::int64_t context = 262144;
  for (std::int64_t step = 0; step * ministral_3.length < context; ++step) {
    const std::int64_t position = step * ministral_3.length;
    const double exact = scale_of(position, ministral_3);
    const double rounded =
        from_bits<float>(convert<float, bfloat16>(round_query_scale<bfloat16>(position, ministral_3)));
    kept += rounded == exact ? 1 : 0;
    const double off = rounded > exact ? rounded / exact - 1 : 1 - rounded / exact;
    if (off > most) {
      most = off;
      where = position;
    }
  }
  const std::string text = fmt::format(
      "bfloat16, 0.1 and 16384, 262144 positions: of {} scales {} is kept, the 1 of the first; at position "
      "{} the "
      "rounded "
      "scale is off by {:.3f} %, at the first scaled position, 16384, it is 1.0703125 for {:.7f}",
      context / ministral_3.length, kept, where, 100 * most, scale_of(16384, ministral_3));
  constexpr double half_ulp = 0x1p-8;  // relative to a number from 1 to 2
  return {kept == 1 && most > half_ulp / 2 && most < half_ulp, text};
}

}  // namespace

std::vector<claim> query_scale_claims() {
  return {
      {.number = 95,
       .documents = {document::llama_4},
       .statement = "a larger floor_scale delays the scaling to longer positions, a larger attn_scale "
                    "increases it there",
       .decided = verdict::holds,
       .correction = "",
       .witness = "theorem first_scaled_positions",
       .run = length_and_strength},
      {.number = 96,
       .documents = {document::ministral_3},
       .statement = "the scale can be rounded to the tensors' format before the query is multiplied",
       .decided = verdict::corrected,
       .correction = "the query then carries two roundings in place of one, and the scale's is the same for "
                     "all its channels: in bfloat16 up to half an ulp of the scale, between 2^-9 and 2^-8",
       .witness = "rounded_before_the_query",
       .run = rounded_before_the_query}};
}

}  // namespace ropewalk::claim
