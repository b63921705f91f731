// The scale of queries: exactly 1 in the first step, above 1 in every other, never falling. Also the first
// positions that Llama 4 and Ministral 3 scale.

#include "ropewalk/encoding/query_scale.hpp"

#include "ropewalk/table/query_scale_table.hpp"

namespace query_scale_proof {

using namespace ropewalk;

constexpr query_scale llama_4{.strength = 0.1, .length = 8192, .shift = 1};
constexpr query_scale ministral_3{.strength = 0.1, .length = 16384, .shift = 0};

constexpr bool is_exactly_one(std::int64_t position, const query_scale& config) {
  const auto scale = query_scale_at<3>(position, config);
  return is_exact(scale) && compare(scale, enclosure<3>::of(1)) == order::equal;
}

/// Every position of the first step has exactly the scale 1; the next position has another scale.
consteval bool first_step_is_one() {
  for (const query_scale& config : {llama_4, ministral_3}) {
    const std::int64_t last = first_of_step(1, config) - 1;
    if (!is_exactly_one(0, config) || !is_exactly_one(last, config)) return false;
    if (compare(query_scale_at<3>(last + 1, config), enclosure<3>::of(1)) != order::greater) return false;
  }
  return true;
}
static_assert(first_step_is_one());

/// Llama 4 scales from position 8191 on, Ministral 3 from 16384 on, both by 1 + 0.1 ln 2 first.
consteval bool first_scaled_positions() {
  return first_of_step(1, llama_4) == 8191 && first_of_step(1, ministral_3) == 16384 &&
         round_query_scale<double>(8191, llama_4) == to_bits(1.0693147180559945) &&
         round_query_scale<double>(16384, ministral_3) == to_bits(1.0693147180559945);
}
static_assert(first_scaled_positions());

/// ln is increasing, the strength positive: each step's scale is above that of the step before, and rounding
/// keeps the order.
consteval bool scales_never_fall() {
  for (std::int64_t step = 1; step < 64; ++step)
    if (compare(query_scale_of_step<3>(step, llama_4), query_scale_of_step<3>(step - 1, llama_4)) !=
        order::greater)
      return false;
  return true;
}
static_assert(scales_never_fall());

/// Steps of one position each: the scale of every position is its own.
consteval bool steps_of_one_position() {
  constexpr query_scale each{.strength = 1, .length = 1, .shift = 0};
  for (std::int64_t position = 0; position < 8; ++position)
    if (scale_step(position, each) != position || first_of_step(position, each) != position) return false;
  return is_exactly_one(0, each);
}
static_assert(steps_of_one_position());

}  // namespace query_scale_proof
