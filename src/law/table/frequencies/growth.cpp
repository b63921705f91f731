#include "ropewalk/law/table/frequencies/growth.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"
#include "ropewalk/law/table/frequencies/lengths.hpp"

namespace ropewalk {

namespace detail {

measurement measure_growth(const frequency_source& tables, const rope& config) {
  const auto lengths = lengths_around(config.scaling.as<dynamic>().max_position_embeddings);
  measurement m;
  for (const std::int64_t length : {lengths[0], lengths[1]})
    merge(m, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_unscaled(pair, config));
          }));
  std::vector<std::uint64_t> before = table_of(tables, at_length(lengths[1], config));
  for (std::int64_t length = lengths[2], tries = 0; length <= largest_seq_len && tries < 3; ++tries) {
    const rope longer = at_length(length, config);
    merge(m, judge_each_pair(tables, longer, [&](int pair, std::uint64_t) -> frequency_range {
            if (pair == 0) return exactly(nearest_unscaled(0, config));
            if (pair == pair_count(config) - 1) return exactly(nearest_divided(pair, longer));
            return {nearest_divided(pair, longer), before[static_cast<std::size_t>(pair)]};
          }));
    before = table_of(tables, longer);
    length *= 2;
  }
  return m;
}

}  // namespace detail

measurement frequency_laws::judge_growth(const checked_frequencies& of, const whole_table&) {
  return detail::measure_growth(of.tables, of.config);
}

}  // namespace ropewalk
