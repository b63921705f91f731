#pragma once
// Faults of tables of rotary embeddings.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "ropewalk/table/xpos_rows.hpp"
#include "verify/table_fault.hpp"

namespace ropewalk::example {

/// Exact frequencies, each changed by change(bits, pair, config).
template <class Change>
frequency_source frequencies_with(Change change) {
  return [=](const rope& config) {
    std::vector<std::uint64_t> bits = inv_freqs<double>(config);
    for (std::size_t pair = 0; pair < bits.size(); ++pair)
      bits[pair] = change(bits[pair], static_cast<int>(pair), config);
    return bits;
  };
}

/// Frequencies from a cache whose key lacks the factor; one cache per case.
inline checked_frequencies with_cache_without_factor(const frequency_case& test_case) {
  using key = std::tuple<bool, std::int64_t>;  // has a rule, seq_len
  const auto cache = std::make_shared<std::map<key, std::vector<std::uint64_t>>>();
  return {[cache](const rope& config) {
            return cache
                ->try_emplace({config.scaling.is<unscaled>(), config.seq_len}, inv_freqs<double>(config))
                .first->second;
          },
          test_case.config};
}

/// Dynamic NTK whose base stops growing at twice the length.
inline std::vector<std::uint64_t> dynamic_that_stops(rope config) {
  const auto last = static_cast<std::int64_t>(config.scaling.as<dynamic>().max_position_embeddings);
  config.seq_len = std::min(config.seq_len, 2 * last);
  return inv_freqs<double>(config);
}

inline std::vector<std::uint64_t> longrope_from_the_original_on(rope config) {
  const double original = config.scaling.as<longrope>().original_max_position_embeddings;
  if (static_cast<double>(config.seq_len) == original) ++config.seq_len;
  return inv_freqs<double>(config);
}

inline void add_frequency_faults(table_faults& to) {
  const auto add = [&](const law<checked_frequencies>& caught, const rope_scaling& rule,
                       const frequency_source& tables) {
    to.add("frequency", frequency_laws::all, caught, frequency_cases(rule),
           [=](const frequency_case& test_case) {
             return checked_frequencies{tables, test_case.config};
           });
  };
  const auto treated = [](treatment as, auto change) {
    return frequencies_with([=](std::uint64_t bits, int pair, const rope& config) {
      return treatment_of(pair, config) == as ? change(bits, pair, config) : bits;
    });
  };
  const auto ulp_more = [](std::uint64_t bits, int, const rope&) { return bits + 1; };
  const auto plain = [](std::uint64_t, int pair, const rope& config) {
    return nearest_unscaled(pair, config);
  };
  add(frequency_laws::kept, yarn{}, treated(treatment::kept, ulp_more));
  add(frequency_laws::divided, linear{}, treated(treatment::divided, ulp_more));
  add(frequency_laws::between, yarn{}, frequencies_with([](std::uint64_t bits, int pair, const rope& config) {
        const treatment as = treatment_of(pair, config);
        if (as == treatment::kept || as == treatment::divided) return bits;
        const std::uint64_t highest = std::max(nearest_unscaled(pair, config), nearest_divided(pair, config));
        return to_bits(4 * from_bits<double>(highest));
      }));
  add(frequency_laws::monotone, proportional{},
      treated(treatment::still, [](std::uint64_t, int, const rope&) { return to_bits(1.0); }));
  to.add("frequency", frequency_laws::all, frequency_laws::factor_one, frequency_cases(linear{}),
         with_cache_without_factor);
  add(frequency_laws::continuity, yarn{},
      frequencies_with([=](std::uint64_t bits, int pair, const rope& config) {
        const treatment as = treatment_of(pair, config);
        return as == treatment::divided ? bits : plain(bits, pair, config);
      }));
  add(frequency_laws::switch_of_lists, longrope{}, longrope_from_the_original_on);
  add(frequency_laws::growth, dynamic{}, dynamic_that_stops);
  add(frequency_laws::slowest_pair, ntk{},
      frequencies_with([](std::uint64_t bits, int pair, const rope& config) {
        const std::uint64_t unscaled_bits = nearest_unscaled(pair, config);
        if (pair != pair_count(config) - 1 || bits == unscaled_bits) return bits;
        return bits < unscaled_bits ? bits + 1 : bits - 1;
      }));
  add(frequency_laws::still, proportional{},
      treated(treatment::still,
              [](std::uint64_t, int pair, const rope& config) { return nearest_divided(pair, config); }));
}

inline std::vector<cos_sin_entry> exact_row(std::int64_t position, const rope& config) {
  std::vector<cos_sin_entry> row;
  const rope_rows rows(config);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto entry = rows.entry<float>(pair, static_cast<std::int32_t>(position), false);
    row.push_back({entry.cos, entry.sin});
  }
  return row;
}

inline constexpr std::uint64_t float_sign = 0x80000000;

inline void add_cos_sin_faults(table_faults& to) {
  const auto add = [&](const law<checked_cos_sin>& caught, auto change) {
    const cos_sin_source rows = [=](std::int64_t position, const rope& config) {
      std::vector<cos_sin_entry> entries = exact_row(position, config);
      for (cos_sin_entry& entry : entries) change(entry, position);
      return entries;
    };
    to.add("cos_sin", cos_sin_laws::all, caught, cos_sin_cases(yarn{}), [=](const cos_sin_case& test_case) {
      return checked_cos_sin{ROPEWALK_F32, rows, test_case.config};
    });
  };
  add(cos_sin_laws::origin, [](cos_sin_entry& entry, std::int64_t position) {
    entry.cos = position == 0 ? to_bits(1.0f) : entry.cos;
  });
  add(cos_sin_laws::norm, [](cos_sin_entry& entry, std::int64_t position) {
    if (position != 0) entry.cos += 8, entry.sin += 8;
  });
  add(cos_sin_laws::distance_only,
      [](cos_sin_entry& entry, std::int64_t) { entry.sin ^= entry.sin == 0 ? 0 : float_sign; });
  add(cos_sin_laws::rounded_once, [](cos_sin_entry& entry, std::int64_t) {
    entry = {small_ones_off(entry.cos), small_ones_off(entry.sin)};
  });
}

inline void add_axes_faults(table_faults& to) {
  const auto add = [&](const law<checked_axes_rows>& caught, auto change) {
    to.add("axes", axes_laws::all, caught, axes_cases(axes_kind::mrope), [=](const axes_case& test_case) {
      const rope_axes_source rows = [=](std::vector<std::int32_t> at, const rope_axes& axes,
                                        const rope& config) {
        change(at);
        return widened_pairs(rope_axes_rows(axes, config).row<float>(at));
      };
      return checked_axes_rows{ROPEWALK_F32, rows, test_case.config.axes, test_case.config.encoding};
    });
  };
  add(axes_laws::text, [](std::vector<std::int32_t>& at) {
    for (std::int32_t& position : at) position -= position > smallest_position;
  });
  add(axes_laws::own_axis, [](std::vector<std::int32_t>& at) { std::swap(at[1], at[2]); });
}

inline void add_xpos_faults(table_faults& to) {
  const auto add = [&](const law<checked_xpos_rows>& caught, auto change) {
    const xpos_source rows = [=](std::int64_t position, xpos_side side, const xpos& config) {
      auto entries = widened_pairs(xpos_row<float>(position, side, config));
      change(entries, position, config);
      return entries;
    };
    to.add("xpos", xpos_laws::all, caught, xpos_cases(), [=](const xpos_case& test_case) {
      return checked_xpos_rows{ROPEWALK_F32, rows, test_case.config};
    });
  };
  using row = std::vector<cos_sin_entry>;
  add(xpos_laws::norm, [](row& result, std::int64_t position, const xpos& config) {
    result = exact_row(position, rotary_part(config));
  });
  add(xpos_laws::relative, [](row& result, std::int64_t, const xpos&) {
    for (cos_sin_entry& entry : result) entry.sin ^= entry.sin == 0 ? 0 : float_sign;
  });
  add(xpos_laws::rounded_once, [](row& entries, std::int64_t, const xpos&) {
    for (cos_sin_entry& entry : entries)
      entry = {entry.cos ^ float_sign, entry.sin == 0 ? 0 : entry.sin ^ float_sign};
  });
}

}  // namespace ropewalk::example
