#include "ropewalk/law/table/query_scales/scale_rounded_once.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_rounded_once(const held_query_scales& of,
                                                       const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(of, given);
    const std::vector<bits_of<Float>> exact = query_scales<Float>(given, of.config);
    measurement m;
    for (std::size_t at = 0; at < scales.size(); ++at)
      detail::judge_scale<Float>(m, same_value<Float>(scales[at], exact[at]), given, at, exact[at],
                                 scales[at]);
    return m;
  });
}

}  // namespace ropewalk
