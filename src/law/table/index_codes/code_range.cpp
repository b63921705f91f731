#include "ropewalk/law/table/index_codes/code_range.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

/// Judges every number. The expected value of one outside the range, or of a NaN, is an end of the range.
template <floating_format Float>
measurement measure_code_range(const index_code_source& source, const index_code& config,
                               position_range positions) {
  return judge_each_code<Float>(codes_of<Float>(source, positions, config), positions, config,
                                [&](std::int64_t, int, bits_of<Float> got) {
                                  const bool is_signed = config.kind == index_code_kind::sine_only;
                                  const bool below = is_negative<Float>(got) && magnitude<Float>(got) != 0;
                                  if (below && !is_signed) return bits_of<Float>{0};
                                  return magnitude<Float>(got) <= one_as<Float> ? got : one_as<Float>;
                                });
}

}  // namespace detail

measurement index_code_laws::judge_code_range(const checked_index_codes& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_code_range<Float>(of.codes, of.config, given); });
}

}  // namespace ropewalk
