#include "ropewalk/law/table/slopes/interlaced.hpp"

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_interlaced(const slope_source& slopes, const alibi& config) {
  const int power = formula_heads(config.heads);
  return judge_slopes(slopes, config, power, config.heads, [&](std::size_t head, const slope_table& table) {
    const std::size_t k = head - static_cast<std::size_t>(power);
    return may_be_mean(k == 0 ? to_bits(1.0) : table[k - 1], table[head], table[k]);
  });
}

}  // namespace detail::alibi_law

measurement slope_laws::judge_interlaced(const checked_slopes& of, const whole_table&) {
  return detail::alibi_law::measure_interlaced(of.slopes, of.config);
}

}  // namespace ropewalk
