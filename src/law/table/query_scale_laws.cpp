#include "ropewalk/law/table/query_scale_laws.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_rising(const checked_query_scales& scale_table,
                                                 const position_range& positions) {
  return with_format(scale_table.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(scale_table, positions);
    const auto is_number = [](bits_of<Float> bits) { return bits <= format<Float>::infinity; };
    return detail::judge_neighbours<Float>(
        scales, positions, [](std::int64_t) { return true; },
        [&](bits_of<Float> scale, bits_of<Float> next) {
          return is_number(scale) && is_number(next) && next >= scale;
        });
  });
}

measurement query_scale_laws::judge_scale_steps(const checked_query_scales& scale_table,
                                                const position_range& positions) {
  return with_format(scale_table.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(scale_table, positions);
    const auto is_in_same_step = [&](std::int64_t position) {
      return scale_step(position, scale_table.config) == scale_step(position + 1, scale_table.config);
    };
    return detail::judge_neighbours<Float>(
        scales, positions, is_in_same_step,
        [](bits_of<Float> scale, bits_of<Float> next) { return same_value<Float>(scale, next); });
  });
}

measurement query_scale_laws::judge_scale_one(const checked_query_scales& scale_table,
                                              const position_range& positions) {
  return with_format(scale_table.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(scale_table, positions);
    constexpr bits_of<Float> bits = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);
    measurement measured;
    for (std::size_t at = 0; at < scales.size(); ++at)
      if (scale_step(positions.begin + static_cast<std::int64_t>(at), scale_table.config) == 0)
        detail::judge_scale<Float>(measured, scales[at] == bits, positions, at, bits, scales[at]);
    return measured;
  });
}

measurement query_scale_laws::judge_scale_rounded_once(const checked_query_scales& scale_table,
                                                       const position_range& positions) {
  return with_format(scale_table.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(scale_table, positions);
    measurement measured;
    for (std::size_t at = 0; at < scales.size(); ++at) {
      const std::int64_t position = positions.begin + static_cast<std::int64_t>(at);
      // From the definition at each position: a table may compute one scale for a step.
      const bits_of<Float> exact = round_with_enough_limbs<Float>(
          "query scale", [&]<int N>() { return query_scale_at<N>(position, scale_table.config); });
      detail::judge_scale<Float>(measured, same_value<Float>(scales[at], exact), positions, at, exact,
                                 scales[at]);
    }
    return measured;
  });
}

}  // namespace ropewalk
