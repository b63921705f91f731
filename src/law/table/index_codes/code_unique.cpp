#include "ropewalk/law/table/index_codes/code_unique.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_code_unique(const index_code_source& source, const index_code& config,
                                position_range positions) {
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, positions, config);
  const auto width = static_cast<std::size_t>(config.width);
  std::map<std::vector<bits_of<Float>>, std::int64_t> seen;
  measurement m;
  for (std::int64_t p = positions.begin; p < positions.end; ++p) {
    const auto row = static_cast<std::size_t>(p - positions.begin);
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(row * width);
    const bool is_new = seen.emplace(std::vector<bits_of<Float>>(begin, begin + config.width), p).second;
    place where;
    where.position = static_cast<std::int32_t>(p);
    record(m, judge_equal(is_new), where, [] { return evidence{}; });
  }
  return m;
}

}  // namespace detail

measurement index_code_laws::judge_code_unique(const checked_index_codes& of, const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::measure_code_unique<Float>(of.codes, of.config, given);
  });
}

}  // namespace ropewalk
