#include "kernel/run_time_table.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk {
namespace {

/// A plan whose exact rows come from the configuration instead of its resolved numbers, so that more limbs
/// can be computed when an entry is undecided.
rotation_plan plan_of(const ropewalk_rotation& encoding, const rope& config) {
  rotation_plan plan(encoding);
  plan.rows = rope_rows(config);
  return plan;
}

/// Whether a binary32 value is a rounding midpoint of a narrower format. A real number and its nearest
/// binary32 lie on the same side of every such midpoint, unless the binary32 is one itself.
template <floating_format Narrow>
bool is_in_the_middle(float value, bits_of<Narrow> nearest) {
  if (!is_finite<Narrow>(nearest)) {  // compare with the overflow threshold
    const auto number = [](int places_below) {
      return from_bits<float>(
          convert<float, Narrow>(static_cast<bits_of<Narrow>>(format<Narrow>::infinity - places_below)));
    };
    return std::abs(value) == number(1) + (number(1) - number(2)) / 2;
  }
  const float below = from_bits<float>(convert<float, Narrow>(nearest));
  if (value == below) return false;
  const bool grows = (value > below) != is_negative<Narrow>(nearest);
  const auto next = static_cast<bits_of<Narrow>>(grows ? nearest + 1 : nearest - 1);
  // Both differences are exact.
  return value - below == from_bits<float>(convert<float, Narrow>(next)) - value;
}

}  // namespace

run_time_table::run_time_table(const rope& config)
    : resolved_(config, {.head_dim = config.rotary_dim}),
      plan_(plan_of(resolved_.view(), config)),
      fast_(plan_, *simd::targets().front()),
      wide_(plan_, *simd::targets().front(), false) {}

template <floating_format Float>
decided_entries run_time_table::fill(position_range positions, bits_of<Float>* cos,
                                     bits_of<Float>* sin) const {
  const auto width = static_cast<std::size_t>(pairs());
  const std::size_t entries = static_cast<std::size_t>(size(positions)) * width;
  if constexpr (std::is_same_v<Float, double>) {
    std::vector<double> c(entries), s(entries);
    wide_walk walk(wide_);
    walk.rows(positions, c.data(), s.data());
    std::transform(c.begin(), c.end(), cos, to_bits<double>);
    std::transform(s.begin(), s.end(), sin, to_bits<double>);
    return {walk.decided_by_sum(), 0, walk.decided_exactly()};
  } else {
    std::vector<float> c(entries + simd::row_multiple), s(c);
    row_walk walk(fast_);
    walk.rows(positions, false, c.data(), s.data());
    decided_entries decided = walk.decided();
    for (std::size_t i = 0; i < entries; ++i) {
      cos[i] = convert<Float, float>(to_bits(c[i]));
      sin[i] = convert<Float, float>(to_bits(s[i]));
      if constexpr (!std::is_same_v<Float, float>) {
        if (!is_in_the_middle<Float>(c[i], cos[i]) && !is_in_the_middle<Float>(s[i], sin[i])) continue;
        const std::int64_t position = positions.begin + static_cast<std::int64_t>(i / width);
        const auto entry = plan_.rows.entry<Float>(static_cast<int>(i % width), position, false);
        cos[i] = entry.cos;
        sin[i] = entry.sin;
        ++decided.exactly;
        --(decided.by_sum > 0 ? decided.by_sum : decided.by_polynomial);
      }
    }
    return decided;
  }
}

#define ROPEWALK_FILL(Float)                                                                             \
  template decided_entries run_time_table::fill<Float>(position_range, bits_of<Float>*, bits_of<Float>*) \
      const;
ROPEWALK_EACH_FORMAT(ROPEWALK_FILL)
#undef ROPEWALK_FILL

}  // namespace ropewalk
