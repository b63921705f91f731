#pragma once
// Rows of index codes at run time, correctly rounded: at integer positions, and for the sine-only code at any
// finite binary64.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/table/index_code_table.hpp"
#include "ropewalk/table/just_below.hpp"

namespace ropewalk {

/// One number of the sine-only code at any finite position.
///
/// error   correctly rounded; sin 0 is +0
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr bits_of<Float> round_sine_only(double position, int column, const index_code& config) {
  constexpr int limbs_first = 6;
  const auto first = round<Float>(sine_only_entry<limbs_first>(position, column, config));
  if (first.decided) return first.bits;
  // For tiny angles the sine lies too close to a tie for any precision; round just below the angle.
  const auto angle = enclosure<limbs_first>::of(position) * sine_only_inv_freq<limbs_first>(column, config);
  if (!may_be_zero(angle) && 2 * (magnitude_above(angle).exponent + 32) <= -limb_bits * limbs_first)
    if (const auto below = detail::round_just_below<Float>(angle); below.decided) return below.bits;
  return round_with_enough_limbs<Float>(
      "sine", [&]<int N>() { return sine_only_entry<N>(position, column, config); });
}

/// Rows of one index code; holds the frequencies that they share.
class index_code_rows {
 public:
  static constexpr int limb_count = 6;

  /// throws  std::invalid_argument naming the field and its value
  template <std::same_as<index_code> Config = index_code>
  explicit index_code_rows(const Config& config) : config_(config) {
    validate(config);
    for (int column = 0; !is_rational(config.kind) && column < config.width; ++column)
      turns_.push_back(sine_only_inv_freq<limb_count>(column, config) * inverse_two_pi<limb_count>());
  }

  /// Configuration of the code.
  const index_code& config() const { return config_; }
  /// Number of entries in a row.
  int width() const { return config_.width; }

  /// The row of one position.
  ///
  /// shape   out [width]
  /// error   correctly rounded, ties to even
  /// throws  std::invalid_argument for a position without a code; undecided at the cap of Ziv's loop
  template <floating_format Float, std::integral Position>
  void row(Position position, bits_of<Float>* out) const {
    constexpr std::int64_t exact_in_binary64 = std::int64_t{1} << format<double>::precision;
    const bool is_exact = std::in_range<std::int64_t>(position) &&
                          static_cast<std::int64_t>(position) >= -exact_in_binary64 &&
                          static_cast<std::int64_t>(position) <= exact_in_binary64;
    if (!is_rational(config_.kind) && is_exact) return row<Float>(static_cast<double>(position), out);
    require(std::in_range<std::int64_t>(position), "position", static_cast<double>(position),
            "a whole number of 64 bits");
    for (int column = 0; column < width(); ++column)
      out[column] = round_index_code<Float>(position, column, config_);
  }

  /// The row of any finite position, for the sine-only code.
  template <floating_format Float>
  void row(double position, bits_of<Float>* out) const {
    require(!is_rational(config_.kind), "position", position,
            "an integer; only the sine-only code has fractional positions");
    for (int column = 0; column < width(); ++column) {
      const auto at = enclosure<quick_limbs>::of(position);
      const auto quick = round<Float>(cos_sin_of_turns(with_limbs<quick_limbs>(turns(column)) * at).sin);
      out[column] = quick.decided ? quick.bits : round_sine_only<Float>(position, column, config_);
    }
  }

  /// Consecutive rows. The sines come from a walk, which is much faster per entry than `row` and gives the
  /// same bits.
  ///
  /// shape   out [positions, width]
  /// throws  as row, and std::invalid_argument for a bad range
  template <floating_format Float>
  void rows(position_range positions, bits_of<Float>* out) const {
    validate(positions);
    const auto columns = static_cast<std::size_t>(width());
    if (is_rational(config_.kind)) {
      for (std::int64_t position = positions.begin; position < positions.end; ++position, out += columns)
        row<Float>(position, out);
      return;
    }
    constexpr std::int64_t longest_walk = 256;  // the walk's error grows with the square of its length
    for (std::int64_t begin = positions.begin; begin < positions.end; begin += longest_walk) {
      const std::int64_t end = begin + longest_walk < positions.end ? begin + longest_walk : positions.end;
      bits_of<Float>* const first = out + static_cast<std::size_t>(begin - positions.begin) * columns;
      for (int column = 0; column < width(); ++column) walk<Float>({begin, end}, column, first + column);
    }
  }

 private:
  static constexpr int quick_limbs = 2;

  const enclosure<limb_count>& turns(int column) const { return turns_[static_cast<std::size_t>(column)]; }

  template <floating_format Float>
  void walk(position_range positions, int column, bits_of<Float>* out) const {
    detail::walk_positions<Float>(
        positions, turns(column), fixed_factor{},
        [&](std::int64_t n, const cos_sin_bits<Float>& entry) {
          out[static_cast<std::size_t>(n) * static_cast<std::size_t>(width())] = entry.sin;
        },
        [&](std::int64_t position) {
          return cos_sin_bits<Float>{{},
                                     round_sine_only<Float>(static_cast<double>(position), column, config_)};
        });
  }

  index_code config_;
  std::vector<enclosure<limb_count>> turns_;
};

}  // namespace ropewalk
