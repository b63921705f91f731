#include "ropewalk/law/table/slopes/geometric.hpp"

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_geometric(const slope_source& slopes, const alibi& config) {
  const std::uint64_t one = to_bits(1.0);  // the term before the first slope
  return judge_slopes(slopes, config, 1, formula_heads(config.heads),
                      [&](std::size_t head, const slope_table& table) {
                        return may_be_mean(head == 1 ? one : table[head - 2], table[head - 1], table[head]);
                      });
}

}  // namespace detail::alibi_law

measurement slope_laws::judge_geometric(const checked_slopes& of, const whole_table&) {
  return detail::alibi_law::measure_geometric(of.slopes, of.config);
}

}  // namespace ropewalk
