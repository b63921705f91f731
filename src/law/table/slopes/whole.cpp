#include "ropewalk/law/table/slopes/whole.hpp"

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_whole_exponents(const slope_source& slopes, const alibi& config) {
  const auto power = static_cast<std::size_t>(formula_heads(config.heads));
  return judge_slopes(
      slopes, config, 0, static_cast<int>(power), [&](std::size_t head, const slope_table& table) {
        if (8 * (head + 1) % power != 0) return true;
        const real slope = times_power_of_two(real::of(1), -static_cast<int>(8 * (head + 1) / power));
        return table[head] == round<double>(slope).bits;
      });
}

}  // namespace detail::alibi_law

measurement slope_laws::judge_whole(const checked_slopes& of, const whole_table&) {
  return detail::alibi_law::measure_whole_exponents(of.slopes, of.config);
}

}  // namespace ropewalk
