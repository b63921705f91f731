#include "ropewalk/law/table/index_codes/same_code.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_same_code(const index_code_source& source, const index_code& config,
                              position_range positions) {
  const std::vector<bits_of<Float>> whole = codes_of<Float>(source, positions, config);
  const auto width = static_cast<std::size_t>(config.width);
  const std::int64_t begin = positions.begin, half = size(positions) / 2;
  measurement m;
  for (const position_range part :
       {position_range{begin, positions.end - half}, position_range{begin + half, positions.end}})
    merge(m,
          judge_each_code<Float>(
              codes_of<Float>(source, part, config), part, config,
              [&](std::int64_t p, int column, bits_of<Float>) {
                return whole[static_cast<std::size_t>(p - begin) * width + static_cast<std::size_t>(column)];
              }));
  return m;
}

}  // namespace detail

measurement index_code_laws::judge_same_code(const checked_index_codes& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_same_code<Float>(of.codes, of.config, given); });
}

}  // namespace ropewalk
