#include "ropewalk/law/table/index_codes/code_rounded_once.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

/// Every number against the definition; a rational code is computed as a rational number, so ties are seen.
template <floating_format Float>
measurement measure_code_rounded_once(const index_code_source& source, const index_code& config,
                                      position_range positions) {
  return judge_each_code<Float>(codes_of<Float>(source, positions, config), positions, config,
                                [&](std::int64_t p, int column, bits_of<Float>) -> bits_of<Float> {
                                  if (is_rational(config.kind))
                                    return round<Float>(exact_index_code(p, column, config));
                                  if (p == 0) return 0;
                                  return round_with_enough_limbs<Float>("sine", [&]<int N>() {
                                    return index_code_entry<N>(p, column, config);
                                  });
                                });
}

}  // namespace detail

measurement index_code_laws::judge_code_rounded_once(const checked_index_codes& of,
                                                     const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::measure_code_rounded_once<Float>(of.codes, of.config, given);
  });
}

}  // namespace ropewalk
