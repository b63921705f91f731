#include "ropewalk/law/table/query_scales/scale_rounded_once.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_rounded_once(const checked_query_scales& of,
                                                       const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(of, given);
    measurement m;
    for (std::size_t at = 0; at < scales.size(); ++at) {
      const std::int64_t position = given.begin + static_cast<std::int64_t>(at);
      // From the definition at each position: a table may compute one scale for a step.
      const bits_of<Float> exact = round_with_enough_limbs<Float>(
          "query scale", [&]<int N>() { return query_scale_at<N>(position, of.config); });
      detail::judge_scale<Float>(m, same_value<Float>(scales[at], exact), given, at, exact, scales[at]);
    }
    return m;
  });
}

}  // namespace ropewalk
