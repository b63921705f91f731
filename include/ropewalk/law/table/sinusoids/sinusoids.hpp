#pragma once
// Sinusoids under test: tables from any source. The laws hold for the correctly rounded table; each compares
// values, or has the one bound that follows from two roundings.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Makes the rows of a run of positions: bits of the table's format, [positions, d_model].
using sinusoidal_source = std::function<std::vector<std::uint64_t>(position_range, const sinusoidal&)>;

/// A source of rows, with their configuration and format. A case is the run of positions that is judged.
struct checked_sinusoids {
  using case_type = position_range;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  sinusoidal_source rows;
  sinusoidal config;
};

/// The rows that a source makes for a run of positions.
template <floating_format Float>
class sinusoid_rows {
 public:
  /// throws  std::invalid_argument when the source gives another number of entries
  sinusoid_rows(const sinusoidal_source& source, position_range positions, const sinusoidal& config)
      : positions_(positions), config_(config), entries_(source(positions, config)) {
    const std::size_t wanted = static_cast<std::size_t>(size(positions)) * width();
    require(entries_.size() == wanted, "the table's length", static_cast<double>(entries_.size()),
            "d_model numbers for each position");
  }

  /// Positions that the source was asked for.
  position_range positions() const { return positions_; }
  /// Convention that the source was asked for.
  const sinusoidal& config() const { return config_; }

  /// Bits of one entry.
  ///
  /// domain  position in positions(), 0 <= channel < d_model
  bits_of<Float> at(std::int64_t position, int channel) const {
    return static_cast<bits_of<Float>>(
        entries_[static_cast<std::size_t>(position - positions_.begin) * width() +
                 static_cast<std::size_t>(channel)]);
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
  std::vector<std::uint64_t> entries_;
};

namespace detail {

template <floating_format Float>
inline constexpr bits_of<Float> one_of = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);

inline place place_of(std::int64_t position, int pair, int channel) {
  place where;
  where.position = static_cast<std::int32_t>(position);
  where.pair = pair;
  where.channel = channel;
  return where;
}

/// Judges whether every entry equals wanted(position, channel, got) -> bits, in value.
template <floating_format Float, class Wanted>
measurement judge_each_entry(const sinusoid_rows<Float>& rows, Wanted wanted) {
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
