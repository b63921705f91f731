#include "ropewalk/law/table/slope_laws.hpp"

#include <cstddef>

#include "ropewalk/law/law.hpp"

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

measurement measure_falling_slopes(const slope_source& slopes, const alibi& config) {
  return judge_slopes(
      slopes, config, 1, formula_heads(config.heads),
      [](std::size_t head, const slope_table& table) { return table[head] < table[head - 1]; });
}

measurement measure_geometric(const slope_source& slopes, const alibi& config) {
  const std::uint64_t bits = to_bits(1.0);  // the term before the first slope
  return judge_slopes(slopes, config, 1, formula_heads(config.heads),
                      [&](std::size_t head, const slope_table& table) {
                        return may_be_mean(head == 1 ? bits : table[head - 2], table[head - 1], table[head]);
                      });
}

measurement measure_interlaced(const slope_source& slopes, const alibi& config) {
  const int power = formula_heads(config.heads);
  return judge_slopes(slopes, config, power, config.heads, [&](std::size_t head, const slope_table& table) {
    const std::size_t k = head - static_cast<std::size_t>(power);
    return may_be_mean(k == 0 ? to_bits(1.0) : table[k - 1], table[head], table[k]);
  });
}

}  // namespace detail::alibi_law

measurement slope_laws::judge_whole(const checked_slopes& slopes, const whole_table&) {
  return detail::alibi_law::measure_whole_exponents(slopes.slopes, slopes.config);
}

measurement slope_laws::judge_falling(const checked_slopes& slopes, const whole_table&) {
  return detail::alibi_law::measure_falling_slopes(slopes.slopes, slopes.config);
}

measurement slope_laws::judge_geometric(const checked_slopes& slopes, const whole_table&) {
  return detail::alibi_law::measure_geometric(slopes.slopes, slopes.config);
}

measurement slope_laws::judge_interlaced(const checked_slopes& slopes, const whole_table&) {
  return detail::alibi_law::measure_interlaced(slopes.slopes, slopes.config);
}

}  // namespace ropewalk
