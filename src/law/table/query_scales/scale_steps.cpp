#include "ropewalk/law/table/query_scales/scale_steps.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_steps(const checked_query_scales& of, const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(of, given);
    const auto is_in_same_step = [&](std::int64_t position) {
      return scale_step(position, of.config) == scale_step(position + 1, of.config);
    };
    return detail::judge_neighbours<Float>(
        scales, given, is_in_same_step,
        [](bits_of<Float> scale, bits_of<Float> next) { return same_value<Float>(scale, next); });
  });
}

}  // namespace ropewalk
