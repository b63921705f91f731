#include "ropewalk/law/table/frequency_laws.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

measurement measure_kept(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t bits) -> frequency_range {
    if (treatment_of(pair, config) != treatment::kept) return anything(bits);
    return exactly(nearest_unscaled(pair, config));
  });
}

measurement measure_divided(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t bits) -> frequency_range {
    if (treatment_of(pair, config) != treatment::divided) return anything(bits);
    return exactly(nearest_divided(pair, config));
  });
}

measurement measure_between(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t bits) -> frequency_range {
    if (treatment_of(pair, config) == treatment::still) return anything(bits);
    const std::uint64_t unscaled = nearest_unscaled(pair, config), divided = nearest_divided(pair, config);
    return {std::min(unscaled, divided), std::max(unscaled, divided)};
  });
}

measurement measure_monotone(const frequency_source& tables, const rope& config) {
  std::uint64_t previous = format<double>::infinity - 1;
  return judge_each_pair(tables, config, [&](int, std::uint64_t bits) -> frequency_range {
    const frequency_range allowed{0, previous};
    previous = bits;
    return allowed;
  });
}

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
  return judge_each_pair(tables, with_factor_one, [&](int pair, std::uint64_t bits) -> frequency_range {
    if (treatment_of(pair, with_factor_one) == treatment::still) return anything(bits);
    return exactly(nearest_unscaled(pair, config));
  });
}

measurement measure_continuity(const frequency_source& tables, const rope& config) {
  const std::vector<std::uint64_t> table = table_of(tables, config);
  const auto holds = [&](int pair, std::uint64_t first, std::uint64_t second) {
    return config.scaling.visit([&](const auto& rule) {
      if constexpr (has_ramp<decltype(rule)>)
        return may_be_continuous<6>(rule, pair, config, before_rounding<6>(first),
                                    before_rounding<6>(second));
      else
        return true;
    });
  };
  measurement measured;
  for (int pair = 0; pair + 1 < pair_count(config); ++pair) {
    const std::uint64_t first = table[static_cast<std::size_t>(pair)];
    const std::uint64_t second = table[static_cast<std::size_t>(pair) + 1];
    const bool are_numbers = first < format<double>::infinity && second < format<double>::infinity;
    place where;
    where.pair = pair;
    record(measured, judge_equal(are_numbers && holds(pair, first, second)), where, [&] {
      return evidence{ROPEWALK_F64, 2, {}, {}, {first, second}};
    });
  }
  return measured;
}

measurement measure_switch(const frequency_source& tables, const rope& config) {
  const longrope& rule = config.scaling.as<longrope>();
  const auto lengths = lengths_around(rule.original_max_position_embeddings);
  measurement measured;
  for (const std::int64_t length : lengths) {
    const factor_list& list = length == lengths[2] ? rule.long_factor : rule.short_factor;
    merge(measured, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_divided_by(list[pair], pair, config));
          }));
  }
  return measured;
}

measurement measure_growth(const frequency_source& tables, const rope& config) {
  const auto lengths = lengths_around(config.scaling.as<dynamic>().max_position_embeddings);
  measurement measured;
  for (const std::int64_t length : {lengths[0], lengths[1]})
    merge(measured, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_unscaled(pair, config));
          }));
  std::vector<std::uint64_t> before = table_of(tables, at_length(lengths[1], config));
  for (std::int64_t length = lengths[2], tries = 0; length <= largest_seq_len && tries < 3; ++tries) {
    const rope longer = at_length(length, config);
    merge(measured, judge_each_pair(tables, longer, [&](int pair, std::uint64_t) -> frequency_range {
            if (pair == 0) return exactly(nearest_unscaled(0, config));
            if (pair == pair_count(config) - 1) return exactly(nearest_divided(pair, longer));
            return {nearest_divided(pair, longer), before[static_cast<std::size_t>(pair)]};
          }));
    before = table_of(tables, longer);
    length *= 2;
  }
  return measured;
}

measurement measure_slowest_pair(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t bits) -> frequency_range {
    return pair == pair_count(config) - 1 ? exactly(nearest_divided(pair, config)) : anything(bits);
  });
}

measurement measure_still(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t bits) -> frequency_range {
    return treatment_of(pair, config) == treatment::still ? exactly(0) : anything(bits);
  });
}

}  // namespace detail

measurement frequency_laws::judge_kept(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_kept(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_divided(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_divided(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_between(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_between(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_monotone(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_monotone(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_factor_one(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_factor_one(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_continuity(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_continuity(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_switch_of_lists(const checked_frequencies& frequencies,
                                                  const whole_table&) {
  return detail::measure_switch(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_growth(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_growth(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_slowest_pair(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_slowest_pair(frequencies.tables, frequencies.config);
}

measurement frequency_laws::judge_still(const checked_frequencies& frequencies, const whole_table&) {
  return detail::measure_still(frequencies.tables, frequencies.config);
}

}  // namespace ropewalk
