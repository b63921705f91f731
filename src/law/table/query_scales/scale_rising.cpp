#include "ropewalk/law/table/query_scales/scale_rising.hpp"

namespace ropewalk {

measurement query_scale_laws::judge_scale_rising(const checked_query_scales& of,
                                                 const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    const auto scales = detail::scales_of<Float>(of, given);
    const auto is_number = [](bits_of<Float> bits) { return bits <= format<Float>::infinity; };
    return detail::judge_neighbours<Float>(
        scales, given, [](std::int64_t) { return true; },
        [&](bits_of<Float> scale, bits_of<Float> next) {
          return is_number(scale) && is_number(next) && next >= scale;
        });
  });
}

}  // namespace ropewalk
