#pragma once
// Laws of sinusoids, for tables from any source. The laws hold for the correctly rounded table; each compares
// values, or has the one bound that follows from two roundings.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
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
    const std::size_t count = static_cast<std::size_t>(size(positions)) * width();
    require(entries_.size() == count, "the table's length", static_cast<double>(entries_.size()),
            "d_model numbers for each position");
  }

  /// Positions requested from the source.
  position_range positions() const { return positions_; }
  /// Convention requested from the source.
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

/// Bound of |PE(p + k) - R PE(p)| for one pair, with both rows rounded. Rounding moves an entry by at most u
/// / 2, and so a pair by at most u / sqrt 2. R preserves lengths, so both roundings add up to sqrt 2 u.
/// Subnormal entries move less.
///
/// units   none
/// error   rounded up; proofs/table/sinusoidal_table_proof.cpp bounds the rounding of an entry
template <floating_format Float>
inline constexpr double sinusoidal_shift_bound = detail::product_up(root_of_two, unit_roundoff<Float>);

/// sinusoidal_shift_bound of a dtype.
constexpr double sinusoidal_shift_bound_in(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return sinusoidal_shift_bound<Float>; });
}

namespace detail {

/// Whether exact rows `distance` apart differ in some pair by more than two roundings can close:
/// |e^(i k f) - 1| = 2 |sin(k f / 2)| above `bound`, the largest distance of two points that round alike.
template <int N>
constexpr bool differs_beyond_rounding(std::int64_t distance, const std::vector<enclosure<N>>& turns,
                                       double bound) {
  for (const enclosure<N>& per_row : turns) {
    const auto half = cos_sin_of_turns(times_power_of_two(per_row * enclosure<N>::of(distance), -1));
    const enclosure<N> chord = times_power_of_two(absolute(half.sin), 1);
    if (compare(chord, enclosure<N>::of(bound)) == order::greater) return true;
  }
  return false;
}

}  // namespace detail

/// Number of consecutive positions whose rows are certainly distinct in a correctly rounded table: the
/// smallest distance at which every pair of two rows may round alike, at most `limit`. Exact rows differ at
/// every distance.
///
/// domain  limit >= 1
/// throws  std::invalid_argument naming the field and its value
template <floating_format Float>
std::int64_t sinusoidal_distinct_length(const sinusoidal& config, std::int64_t limit) {
  require(limit >= 1, "limit", static_cast<double>(limit), "1 or above");
  constexpr int limb_count = 2;
  const auto shared = share<limb_count>(config);
  std::vector<enclosure<limb_count>> turns;
  for (int pair = 0; pair < pair_count(config); ++pair)
    turns.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  for (std::int64_t distance = 1; distance < limit; ++distance)
    if (!detail::differs_beyond_rounding(distance, turns, sinusoidal_shift_bound<Float>)) return distance;
  return limit;
}

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
  measurement measured;
  for (std::int64_t p = rows.positions().begin; p < rows.positions().end; ++p)
    for (int channel = 0; channel < rows.config().d_model; ++channel) {
      const bits_of<Float> got = rows.at(p, channel), want = wanted(p, channel, got);
      record(measured, judge_equal(same_value<Float>(got, want)), place_of(p, -1, channel), [&] {
        return evidence{dtype_of<Float>, 1, {}, {want}, {got}};
      });
    }
  return measured;
}

}  // namespace detail

namespace sinusoidal_laws {

measurement judge_range(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_origin(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_zeros(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_frequencies(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_distinct(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_shift(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_same_row(const checked_sinusoids& sinusoids, const position_range& positions);
measurement judge_rounded_once(const checked_sinusoids& sinusoids, const position_range& positions);

inline constexpr law<checked_sinusoids> range{
    .name = "range",
    .statement = "every value lies in [-1, 1]",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/sinusoidal_proof.cpp, every_pair_lies_on_the_unit_circle; "
        "proofs/table/sinusoidal_table_proof.cpp, rounded_values_stay_in_range",
    .catches = "entries from one half up are doubled, except at position 0",
    .measure = judge_range};

inline constexpr law<checked_sinusoids> origin{
    .name = "origin",
    .statement = "at position 0 every sine is 0 and every cosine 1",
    .equality = "equal values",
    .catches = "positions are counted from one",
    .applies = [](const checked_sinusoids& sinusoids) { return !sinusoids.config.padding_idx; },
    .measure = judge_origin};

inline constexpr law<checked_sinusoids> zeros{
    .name = "zeros",
    .statement = "the padding's row and the last channel of an odd width are 0",
    .equality = "equal values",
    .proof = "proofs/encoding/sinusoidal_proof.cpp, padding_has_the_zero_row_and_positions_follow_it",
    .catches = "the padding's row holds a number that is not 0",
    .applies =
        [](const checked_sinusoids& sinusoids) {
          return sinusoids.config.padding_idx || sinusoids.config.d_model % 2 != 0;
        },
    .measure = judge_zeros};

/// With a scale above 1 the sines need not fall.
inline constexpr law<checked_sinusoids> frequencies{
    .name = "frequencies",
    .statement = "the sines of position 1 fall with the pair, strictly where rounding keeps them apart",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/sinusoidal_proof.cpp, frequencies_fall_strictly_with_the_pair",
    .catches = "the pairs are in the opposite order",
    .applies =
        [](const checked_sinusoids& sinusoids) {
          return !sinusoids.config.padding_idx && sinusoids.config.scale <= 1;
        },
    .measure = judge_frequencies};

inline constexpr law<checked_sinusoids> distinct{
    .name = "distinct",
    .statement = "rows that rounding must keep apart are distinct",
    .equality = "rows that differ",
    .proof =
        "proofs/encoding/sinusoidal_proof.cpp, pair_zero_tells_1024_positions_apart; "
        "proofs/table/sinusoidal_table_proof.cpp, numbers_up_to_one_lie_at_most_a_unit_apart",
    .catches = "the table is a ring of 64 rows",
    .measure = judge_distinct};

inline constexpr law<checked_sinusoids> shift{
    .name = "shift",
    .statement = "a shift by a distance rotates each pair by distance x frequency",
    .norm = "absolute",
    .proof =
        "proofs/encoding/sinusoidal_shift_proof.cpp, one_rotation_shifts_every_position; "
        "proofs/table/sinusoidal_table_proof.cpp, numbers_up_to_one_lie_at_most_a_unit_apart",
    .catches = "cosines have a frequency of their own",
    .bound_in = sinusoidal_shift_bound_in,
    .measure = judge_shift};

inline constexpr law<checked_sinusoids> same_row{
    .name = "same-row",
    .statement = "a position has one row, whatever the length of the table",
    .equality = "equal values",
    .proof = "proofs/table/sinusoidal_table_proof.cpp, rows_do_not_depend_on_the_length",
    .catches = "rows come from a cache whose key is the last position alone",
    .measure = judge_same_row};

inline constexpr law<checked_sinusoids> rounded_once{
    .name = "rounded-once",
    .statement = "every entry is the exact value rounded once",
    .equality = "equal values",
    .catches = "numbers below 2^-6 are one ulp too far from zero",
    .measure = judge_rounded_once};

inline constexpr std::array all{range, origin, zeros, frequencies, distinct, shift, same_row, rounded_once};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
