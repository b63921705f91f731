#pragma once
// Rows of cosine and sine at run time, correctly rounded, for any signed 32-bit position in any order: what kernels and
// exported tables read. Made from a configuration, or from the resolved numbers that the C interface carries.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {

/// Turns per position of every pair and the attention factor, as enclosures, and the rows they give.
class rope_rows {
 public:
  static constexpr int limb_count = 6;  // 384 bits: 31 of a position, 256 of its phase, and room to spare

  /// throws  std::invalid_argument naming the field and its value; undecided where a scaling rule is not decided
  explicit rope_rows(const rope& config) : config_(config) {
    const auto shared = share<limb_count>(config);
    for (int pair = 0; pair < pair_count(config); ++pair) {
      enclosure<limb_count> turns = rope_turns<limb_count>(pair, config, shared);
      if (is_unbounded(turns)) turns = decided_turns(pair, config);
      turns_.push_back(turns);
    }
    set_factor(rope_attention_factor<limb_count>(config));
  }

  /// From resolved numbers: each pair's turns per position and the attention factor, with whatever error they carry.
  rope_rows(std::vector<enclosure<limb_count>> turns, const enclosure<limb_count>& attention_factor)
      : turns_(std::move(turns)) {
    set_factor(attention_factor);
  }

  int pairs() const { return static_cast<int>(turns_.size()); }
  const enclosure<limb_count>& turns(int pair) const { return turns_[static_cast<std::size_t>(pair)]; }
  const enclosure<limb_count>& attention_factor() const { return factor_; }

  /// a cos and a sin at one position as enclosures, or cos and sin with `unit`.
  ///
  /// error   carried; more limbs than limb_count narrow it only where a configuration is known
  template <int N>
  cos_sin<N> exact(int pair, std::int64_t position, bool unit) const {
    if constexpr (N > limb_count)
      if (config_) {
        const cos_sin<N> point =
            cos_sin_of_turns(rope_turns<N>(pair, config_.value) * enclosure<N>::of(position));
        return unit ? point : detail::scaled(point, rope_attention_factor<N>(config_.value));
      }
    const cos_sin<N> point = cos_sin_of_turns(with_limbs<N>(turns(pair)) * enclosure<N>::of(position));
    return unit ? point : detail::scaled(point, with_limbs<N>(factor_));
  }

  /// One entry.
  ///
  /// error   correctly rounded
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float>
  cos_sin_bits<Float> entry(int pair, std::int64_t position, bool unit) const {
    const auto quick = exact<2>(pair, position, unit);
    const rounding<Float> c = round<Float>(quick.cos), s = round<Float>(quick.sin);
    return {c.decided ? c.bits
                      : round_with_enough_limbs<Float>(
                            "cos", [&]<int N>() { return exact<N>(pair, position, unit).cos; }),
            s.decided ? s.bits : round_with_enough_limbs<Float>("sin", [&]<int N>() {
              return exact<N>(pair, position, unit).sin;
            })};
  }

  /// The row of one position.
  ///
  /// shape   cos, sin [pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float>
  void row(std::int64_t position, bool unit, bits_of<Float>* cos, bits_of<Float>* sin) const {
    for (int pair = 0; pair < pairs(); ++pair) {
      const cos_sin_bits<Float> bits = entry<Float>(pair, position, unit);
      cos[pair] = bits.cos;
      sin[pair] = bits.sin;
    }
  }

  /// Consecutive rows, by walking: much faster an entry than `row`, the same bits.
  ///
  /// shape   cos, sin [positions, pairs]
  template <floating_format Float>
  void rows(position_range positions, bool unit, bits_of<Float>* cos, bits_of<Float>* sin) const {
    constexpr std::int64_t longest_walk = 256;  // the walk's error grows with the square of its length
    const auto width = static_cast<std::size_t>(pairs());
    for (std::int64_t begin = positions.begin; begin < positions.end; begin += longest_walk) {
      const position_range part{begin,
                                begin + longest_walk < positions.end ? begin + longest_walk : positions.end};
      const std::size_t first_row = static_cast<std::size_t>(begin - positions.begin) * width;
      for (int pair = 0; pair < pairs(); ++pair) {
        std::size_t at = first_row + static_cast<std::size_t>(pair);
        detail::walk_positions<Float>(
            part, turns(pair), unit ? fixed_factor{} : fixed_factor_,
            [&](std::int64_t, const cos_sin_bits<Float>& bits) {
              cos[at] = bits.cos;
              sin[at] = bits.sin;
              at += width;
            },
            [&](std::int64_t position) { return entry<Float>(pair, position, unit); });
      }
    }
  }

 private:
  static enclosure<limb_count> decided_turns(int pair, const rope& config) {
    struct narrowed {
      enclosure<limb_count> value;
      bool decided;
    };
    return with_enough_limbs("inv_freq",
                             [&]<int N>() {
                               const enclosure<N> turns = rope_turns<N>(pair, config);
                               return narrowed{with_limbs<limb_count>(turns), !is_unbounded(turns)};
                             })
        .value;
  }

  void set_factor(const enclosure<limb_count>& factor) {
    factor_ = factor;
    fixed_factor_ = to_fixed_factor(factor);
  }

  std::vector<enclosure<limb_count>> turns_;
  enclosure<limb_count> factor_{};
  fixed_factor fixed_factor_{};
  given<rope> config_{};
};

}  // namespace ropewalk
