#include "ropewalk/law/table/query_scales/scale_one.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_one(const checked_query_scales& of, const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(of, given);
    constexpr bits_of<Float> one = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);
    measurement m;
    for (std::size_t at = 0; at < scales.size(); ++at)
      if (scale_step(given.begin + static_cast<std::int64_t>(at), of.config) == 0)
        detail::judge_scale<Float>(m, scales[at] == one, given, at, one, scales[at]);
    return m;
  });
}

}  // namespace ropewalk
