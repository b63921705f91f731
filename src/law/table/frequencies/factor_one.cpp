#include "ropewalk/law/table/frequencies/factor_one.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

bool is_none_with_factor_one(const rope& config) {
  const bool has_factor = config.scaling.visit([](const auto& rule) {
    return requires { rule.factor; };
  });
  const exact_factor<4> factor = whole_factor<4>(with_factor(1, config));
  return has_factor && !treats_some(treatment::replaced, config) &&
         compare(factor.numerator, factor.denominator) == order::equal;
}

measurement measure_factor_one(const frequency_source& tables, const rope& config) {
  const rope with_factor_one = with_factor(1, config);
  return judge_each_pair(tables, with_factor_one, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, with_factor_one) == treatment::still) return anything(got);
    return exactly(nearest_unscaled(pair, config));
  });
}

}  // namespace detail

measurement frequency_laws::judge_factor_one(const checked_frequencies& of, const whole_table&) {
  return detail::measure_factor_one(of.tables, of.config);
}

}  // namespace ropewalk
