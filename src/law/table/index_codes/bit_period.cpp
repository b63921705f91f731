#include "ropewalk/law/table/index_codes/bit_period.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

/// Judges whether bit k changes from p - 1 to p exactly where 2^k divides p.
template <floating_format Float>
measurement measure_bit_period(const index_code_source& source, const index_code& config,
                               position_range positions) {
  const position_range whole{std::max<std::int64_t>(positions.begin - 1, 0), positions.end};
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, whole, config);
  const auto width = static_cast<std::size_t>(config.width);
  return judge_each_code<Float>(
      codes, whole, config, [&](std::int64_t p, int column, bits_of<Float> got) -> bits_of<Float> {
        if (p == 0) return 0;
        if (p == whole.begin) return got;
        const int bit = config.order == bit_order::lsb ? column : config.width - 1 - column;
        const auto before =
            codes[static_cast<std::size_t>(p - whole.begin - 1) * width + static_cast<std::size_t>(column)];
        const bool changes = p % (std::int64_t{1} << bit) == 0, was_zero = magnitude<Float>(before) == 0;
        return changes == was_zero ? one_as<Float> : bits_of<Float>{0};
      });
}

}  // namespace detail

measurement index_code_laws::judge_bit_period(const checked_index_codes& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_bit_period<Float>(of.codes, of.config, given); });
}

}  // namespace ropewalk
