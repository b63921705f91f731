#pragma once
// Somebody's table of the sinusoidal encoding: asked for, and taken apart into entries and pairs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/law/exact_pair.hpp"
#include "ropewalk/law/identity.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Makes the rows of a run of positions: bit patterns, [positions, d_model].
template <floating_format Float>
using sinusoidal_source = std::function<std::vector<bits_of<Float>>(position_range, const sinusoidal&)>;

/// The rows that a source gave.
template <floating_format Float>
class held_sinusoids {
 public:
  /// throws  std::invalid_argument when the source gives another number of entries
  held_sinusoids(const sinusoidal_source<Float>& source, position_range positions, const sinusoidal& config)
      : positions_(positions), config_(config), entries_(source(positions, config)) {
    const std::size_t wanted = static_cast<std::size_t>(size(positions)) * width();
    require(entries_.size() == wanted, "the table's length", static_cast<double>(entries_.size()),
            "d_model numbers for each position");
  }

  position_range positions() const { return positions_; }
  const sinusoidal& config() const { return config_; }

  bits_of<Float> at(std::int64_t position, int channel) const {
    return entries_[static_cast<std::size_t>(position - positions_.begin) * width() +
                    static_cast<std::size_t>(channel)];
  }

  /// Sine and cosine of one pair, in this order.
  bits_pair<Float> pair_at(std::int64_t position, int pair) const {
    const sinusoidal_channels channels = channels_of(pair, config_);
    return {at(position, channels.sine), at(position, channels.cosine)};
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(config_.d_model); }

  position_range positions_;
  sinusoidal config_;
  std::vector<bits_of<Float>> entries_;
};

namespace detail {

inline place place_of(std::int64_t position, int pair, int channel) {
  place where;
  where.position = static_cast<std::int32_t>(position);
  where.pair = pair;
  where.channel = channel;
  return where;
}

/// Asks wanted(position, channel, got) -> bits of every entry, which got must equal in value.
template <floating_format Float, class Wanted>
measurement judge_each_entry(const held_sinusoids<Float>& rows, Wanted wanted) {
  measurement m;
  for (std::int64_t p = rows.positions().begin; p < rows.positions().end; ++p)
    for (int channel = 0; channel < rows.config().d_model; ++channel) {
      const bits_of<Float> got = rows.at(p, channel), want = wanted(p, channel, got);
      record(m, judge_equal(same_value<Float>(got, want)), place_of(p, -1, channel), [&] {
        return evidence{dtype_of<Float>, 1, {}, {want}, {got}};
      });
    }
  return m;
}

}  // namespace detail
}  // namespace ropewalk
