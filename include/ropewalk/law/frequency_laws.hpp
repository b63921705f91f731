#pragma once
// What every table of inverse frequencies owes its scaling rule, whoever made it. A table holds binary64
// numbers, each the exact frequency rounded once; rounding keeps order, so every law compares bits and none
// has a tolerance.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ropewalk/law/frequency_ends.hpp"
#include "ropewalk/law/frequency_ramp.hpp"
#include "ropewalk/law/frequency_table.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_kept(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) != treatment::kept) return anything(got);
    return exactly(nearest_unscaled(pair, config));
  });
}

inline measurement measure_divided(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) != treatment::divided) return anything(got);
    return exactly(nearest_divided(pair, config));
  });
}

inline measurement measure_between(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) == treatment::still) return anything(got);
    const std::uint64_t unscaled = nearest_unscaled(pair, config), divided = nearest_divided(pair, config);
    return {std::min(unscaled, divided), std::max(unscaled, divided)};
  });
}

inline measurement measure_monotone(const frequency_source& tables, const rope& config) {
  std::uint64_t previous = format<double>::infinity - 1;
  return judge_each_pair(tables, config, [&](int, std::uint64_t got) -> frequency_range {
    const frequency_range allowed{0, previous};
    previous = got;
    return allowed;
  });
}

inline measurement measure_factor_one(const frequency_source& tables, const rope& config) {
  const rope with_factor_one = with_factor(1, config);
  const auto plain = table_of(tables, without_scaling(config));
  return judge_each_pair(tables, with_factor_one, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, with_factor_one) == treatment::still) return anything(got);
    return exactly(plain[static_cast<std::size_t>(pair)]);
  });
}

inline measurement measure_still(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    return treatment_of(pair, config) == treatment::still ? exactly(0) : anything(got);
  });
}

inline measurement measure_slowest_pair(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    return pair == pair_count(config) - 1 ? exactly(nearest_divided(pair, config)) : anything(got);
  });
}

/// Lengths L - 1, L and L + 1 of a rule that changes beyond L; L itself need be no whole number.
inline std::array<std::int64_t, 3> lengths_around(double original) {
  const auto last = static_cast<std::int64_t>(original);
  return {std::max<std::int64_t>(last - 1, 0), last, last + 1};
}

inline measurement measure_switch(const frequency_source& tables, const rope& config) {
  const longrope& rule = config.scaling.as_longrope;
  const auto lengths = lengths_around(rule.original_max_position_embeddings);
  measurement m;
  for (const std::int64_t length : lengths) {
    const factor_list& list = length == lengths[2] ? rule.long_factor : rule.short_factor;
    merge(m, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_divided_by(list[pair], pair, config));
          }));
  }
  return m;
}

inline measurement measure_growth(const frequency_source& tables, const rope& config) {
  const auto lengths = lengths_around(config.scaling.as_dynamic.max_position_embeddings);
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

struct frequency_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const rope&);
  measurement (*measure)(const frequency_source&, const rope&);
};

inline constexpr std::array frequency_laws{
    frequency_law{"kept", "a pair that the rule leaves alone has its unscaled frequency",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::none, scaling_rule::dynamic, scaling_rule::ntk,
                                             scaling_rule::llama3, scaling_rule::yarn});
                  },
                  detail::measure_kept},
    frequency_law{"divided", "a pair beyond the ramp has its frequency over the factor",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::linear, scaling_rule::llama3, scaling_rule::yarn,
                                             scaling_rule::proportional});
                  },
                  detail::measure_divided},
    frequency_law{"between", "a scaled frequency lies between f and f over the factor",
                  [](const rope& config) { return !has_rule(config, {scaling_rule::longrope}); },
                  detail::measure_between},
    frequency_law{"monotone", "frequencies never rise with the pair", detail::is_monotone,
                  detail::measure_monotone},
    frequency_law{
        "factor-one", "a factor of 1 changes nothing",
        [](const rope& config) {
          return !has_rule(config, {scaling_rule::none, scaling_rule::dynamic, scaling_rule::longrope});
        },
        detail::measure_factor_one},
    frequency_law{"continuity", "neighbours differ by no more than the ramp's slope allows",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::llama3, scaling_rule::yarn});
                  },
                  detail::measure_continuity},
    frequency_law{"switch", "up to L the short list, strictly beyond it the long one",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::longrope}) &&
                           config.scaling.as_longrope.original_max_position_embeddings < largest_seq_len;
                  },
                  detail::measure_switch},
    frequency_law{"growth",
                  "nothing changes up to max_position_embeddings; beyond, all pairs fall but pair 0",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::dynamic}) &&
                           config.scaling.as_dynamic.max_position_embeddings < largest_seq_len;
                  },
                  detail::measure_growth},
    frequency_law{"slowest-pair", "the slowest pair is divided by exactly what the base grew for",
                  [](const rope& config) {
                    return has_rule(config, {scaling_rule::dynamic, scaling_rule::ntk});
                  },
                  detail::measure_slowest_pair},
    frequency_law{"still", "a pair beyond the live ones stands still",
                  [](const rope& config) { return has_rule(config, {scaling_rule::proportional}); },
                  detail::measure_still},
};

}  // namespace ropewalk
