#include "kernel/recipe/axes_entries.hpp"

#include <cmath>
#include <cstddef>

#include "kernel/recipe/nearest_cos_sin.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::recipe {
namespace {

/// A power in binary32, computed in binary64, which has more than twice the precision.
float single_power(float base, float exponent) {
  return static_cast<float>(std::pow(double{base}, double{exponent}));
}

/// The base that a rule changes, in binary64 as in engines' Python code.
double base_of(const rope& config) {
  double growth = 1;
  config.scaling.visit([&](const auto& rule) {
    if constexpr (requires { base_growth<2>(rule, config.seq_len); }) {
      const exact_factor<2> factor = base_growth<2>(rule, config.seq_len);
      growth = from_bits<double>(round<double>(factor.numerator / factor.denominator).bits);
    }
  });
  const double pairs = pair_count(config);
  return pairs > 1 ? config.base * std::pow(growth, pairs / (pairs - 1)) : config.base;
}

/// Frequency `pair` of an embedding, in binary32.
float single_of_rope(int pair, const rope& config, double exact) {
  const float exponent = static_cast<float>(2 * pair) / static_cast<float>(config.rotary_dim);
  const float power = single_power(static_cast<float>(base_of(config)), exponent);
  if (config.scaling.is<longrope>()) {
    // The list's number: the unscaled frequency divided by the exact one.
    const float factor =
        static_cast<float>(1 / (exact * std::pow(config.base, 2.0 * pair / config.rotary_dim)));
    return 1 / (factor * power);
  }
  const float inv_freq = 1 / power;
  return config.scaling.is<linear>() ? inv_freq / static_cast<float>(config.scaling.as<linear>().factor)
                                     : inv_freq;
}

float unit_in_radians(angle_unit unit) {
  constexpr float pi_in_binary32 = 0x1.921fb6p1F;
  switch (unit) {
    case angle_unit::quarter_turn: return pi_in_binary32 / 2;
    case angle_unit::half_turn: return pi_in_binary32;
    case angle_unit::turn: return 2 * pi_in_binary32;
    case angle_unit::radian: break;
  }
  return 1;
}

/// A frequency between two ends: a power of their ratio times the first, in binary32.
float single_between(int k, int n, const ropewalk::frequencies& frequencies, float unit) {
  const float first =
      static_cast<float>(frequencies.first.numerator) / static_cast<float>(frequencies.first.denominator);
  const float last =
      static_cast<float>(frequencies.last.numerator) / static_cast<float>(frequencies.last.denominator);
  if (frequencies.rule == spacing::linear)
    return (first + (last - first) * (static_cast<float>(k) / static_cast<float>(n - 1))) * unit;
  const float exponent = static_cast<float>(k) / static_cast<float>(n - frequencies.shift);
  const bool rises = last > first;
  const float power = single_power(rises ? last / first : first / last, exponent);
  return (rises ? first * power : first / power) * unit;
}

float single_frequency(int pair, const placed_rope& config, double exact) {
  const pair_axis at = axis_of(pair, config.axes, config.encoding);
  if (at.is_still()) return 0;
  if (config.axes.frequencies_of != axis_frequencies::own)
    return single_of_rope(at.frequency, config.encoding, exact);
  const ropewalk::frequencies& turn = config.axes.axis[static_cast<std::size_t>(at.axis)].turn;
  if (turn.rule == spacing::of_base)
    return single_of_rope(at.frequency, rope_of_axis(at.axis, config.axes, config.encoding), exact);
  const float unit = turn.unit == angle_unit::turn ? 1 : unit_in_radians(turn.unit);
  if (turn.rule == spacing::listed) return static_cast<float>(turn.list[at.frequency]) * unit;
  return single_between(at.frequency, pairs_of_axis(at.axis, config.axes, config.encoding), turn, unit);
}

/// Whole turns multiply the coordinate first, as in DINOv3's code; fractions of a turn multiply the
/// frequency, as in LTX.
float unit_of_coordinate(int pair, const placed_rope& config) {
  const pair_axis at = axis_of(pair, config.axes, config.encoding);
  const bool is_in_turns = !at.is_still() && ropewalk::detail::unit_of(at, config.axes) == angle_unit::turn;
  return is_in_turns ? unit_in_radians(angle_unit::turn) : 1;
}

}  // namespace

const char* name_of(table_arithmetic arithmetic) {
  switch (arithmetic) {
    case table_arithmetic::binary64: return "binary64, rounded at the end";
    case table_arithmetic::binary64_angle: return "binary64, its angle rounded to binary32";
    case table_arithmetic::binary64_frequency: return "binary32, of a frequency in binary64";
    case table_arithmetic::binary32: break;
  }
  return "binary32";
}

axes_entries::axes_entries(const placed_rope& config, table_arithmetic arithmetic)
    : config_(config), arithmetic_(arithmetic) {
  const axes_shared<4> shared = share<4>(config);
  for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
    const auto exact = rope_axes_inv_freq<4>(pair, config.axes, config.encoding, shared);
    inv_freq_.push_back(from_bits<double>(round<double>(exact).bits));
    single_.push_back(arithmetic == table_arithmetic::binary64_frequency
                          ? static_cast<float>(inv_freq_.back())
                          : single_frequency(pair, config, inv_freq_.back()));
    unit_.push_back(unit_of_coordinate(pair, config));
    axis_.push_back(axis_of(pair, config.axes, config.encoding).axis);
  }
}

enclosure<2> axes_entries::exact_coordinate(int pair, std::int64_t index) const {
  const int axis = axis_[static_cast<std::size_t>(pair)];
  const coordinate& coordinate = config_.coordinates[static_cast<std::size_t>(axis)];
  return ropewalk::detail::with_scale(enclosure<2>::of(position_of_index(index, coordinate)), coordinate);
}

double axes_entries::coordinate_of(int pair, std::int64_t index) const {
  return from_bits<double>(round<double>(exact_coordinate(pair, index)).bits);
}

axes_entries::entry axes_entries::at(int pair, std::int64_t index) const {
  const float single = from_bits<float>(round<float>(exact_coordinate(pair, index)).bits);
  return of_coordinate(pair, coordinate_of(pair, index), single);
}

axes_entries::entry axes_entries::at_real(int pair, double coordinate) const {
  return of_coordinate(pair, coordinate, static_cast<float>(coordinate));
}

axes_entries::entry axes_entries::of_coordinate(int pair, double wide, float single) const {
  const auto at = static_cast<std::size_t>(pair);
  if (arithmetic_ == table_arithmetic::binary64) {
    const double angle = wide * inv_freq_[at];
    const cos_sin_of<float> rounded = nearest_cos_sin_narrowed(angle, 1);
    return {rounded.cos, rounded.sin};
  }
  const float angle = arithmetic_ == table_arithmetic::binary64_angle
                          ? static_cast<float>(wide * inv_freq_[at])
                          : single * unit_[at] * single_[at];
  const cos_sin_of<float> rounded = nearest_cos_sin(angle);
  return {rounded.cos, rounded.sin};
}

}  // namespace ropewalk::recipe
