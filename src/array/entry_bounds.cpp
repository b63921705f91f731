#include "array/entry_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::array {

entry_bounds::entry_bounds(const placed_rope& config, tables::table_dtype dtype, bool has_positions)
    : dtype_(dtype),
      has_positions_(has_positions),
      attention_(from_bits<double>(round_with_enough_limbs<double>(
          "attention_factor", [&]<int N>() { return rope_attention_factor<N>(config.encoding); }))) {
  const axes_shared<4> shared = share<4>(config);
  for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
    const pair_axis pair_axis = axis_of(pair, config.axes, config.encoding);
    pairs_.push_back({.attention_factor = attention_,
                      .inv_freq_above = upper_binary64(inv_freq_of_index(pair, config, shared)),
                      .frequency_error = formed_frequency_error(config, pair),
                      .rule_error = formed_rule_error(config, pair),
                      .repeated_error = formed_frequency_error(config, pair, ROPEWALK_PART_REPEATED_F32),
                      .index = config.coordinates[static_cast<std::size_t>(pair_axis.axis)]});
  }
}

entry_bounds::entry_bounds(const sinusoidal& config, tables::table_dtype dtype)
    : dtype_(dtype), has_positions_(true) {
  const auto shared = share<4>(config);
  for (int pair = 0; pair < pair_count(config); ++pair)
    pairs_.push_back({.inv_freq_above = upper_binary64(sinusoidal_inv_freq<4>(pair, config, shared)),
                      .frequency_error = formed_frequency_error(config, pair),
                      .repeated_error = formed_frequency_error(config, pair, ROPEWALK_PART_REPEATED_F32),
                      .scale = config.scale});
}

bool entry_bounds::has(const promise& promised) const {
  if (promises_bits(promised)) return false;
  if (promised.frequency != ROPEWALK_UNROUNDED &&
      std::any_of(pairs_.begin(), pairs_.end(), [&](const bounded_pair& pair) {
        return !std::isfinite(frequency_error_under(promised, pair));
      }))
    return false;
  try {
    static_cast<void>(at(promised, 0, 0));
    return true;
  } catch (const std::invalid_argument&) {  // the attention factor
    return false;
  }
}

double entry_bounds::at(const promise& promised, int pair, double position) const {
  const bounded_pair& numbers = pairs_[static_cast<std::size_t>(pair)];
  return has_positions_ ? entry_bound(dtype_, promised, numbers, position)
                        : stored_frequency_bound(dtype_, promised, numbers);
}

double entry_bounds::relative_at(const promise& promised, int pair, double position) const {
  const double scale = has_positions_ ? attention_ : pairs_[static_cast<std::size_t>(pair)].inv_freq_above;
  return scale > 0 ? at(promised, pair, position) / scale : 0;
}

std::optional<std::int64_t> entry_bounds::vacuous_from(const promise& promised, int pair) const {
  const auto is_vacuous = [&](std::int64_t position) {
    return at(promised, pair, static_cast<double>(position)) >= attention_;
  };
  if (!has_positions_ || !is_vacuous(-smallest_position)) return std::nullopt;
  std::int64_t kept = -1, vacuous = -smallest_position;  // the bound grows with the position
  while (vacuous - kept > 1) {
    const std::int64_t middle = kept + (vacuous - kept) / 2;
    (is_vacuous(middle) ? vacuous : kept) = middle;
  }
  return vacuous;
}

}  // namespace ropewalk::array
