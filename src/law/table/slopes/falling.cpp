#include "ropewalk/law/table/slopes/falling.hpp"

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_falling_slopes(const slope_source& slopes, const alibi& config) {
  return judge_slopes(
      slopes, config, 1, formula_heads(config.heads),
      [](std::size_t head, const slope_table& table) { return table[head] < table[head - 1]; });
}

}  // namespace detail::alibi_law

measurement slope_laws::judge_falling(const checked_slopes& of, const whole_table&) {
  return detail::alibi_law::measure_falling_slopes(of.slopes, of.config);
}

}  // namespace ropewalk
