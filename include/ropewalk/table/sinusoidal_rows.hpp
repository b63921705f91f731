#pragma once
// Rows of the sinusoidal encoding at run time, correctly rounded, for any signed 32-bit or finite binary64
// position.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "ropewalk/table/sinusoidal_table.hpp"

namespace ropewalk {

/// Turns per row of every pair, as enclosures, and the rows that they give.
class sinusoidal_rows {
 public:
  static constexpr int limb_count = 6;  // 384 bits: 32 for a row, 256 for its phase, and some to spare

  /// throws  std::invalid_argument naming the field and its value
  template <std::same_as<sinusoidal> Config = sinusoidal>
  explicit sinusoidal_rows(const Config& config) : config_(config) {
    const auto shared = share<limb_count>(config);
    for (int pair = 0; pair < pair_count(config); ++pair)
      turns_.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  }

  /// Configuration of the encoding.
  const sinusoidal& config() const { return config_; }
  /// Number of entries in a row.
  int width() const { return config_.d_model; }
  /// Turns of one pair.
  ///
  /// units   turns per row
  /// domain  0 <= pair < floor(d_model / 2)
  const enclosure<limb_count>& turns(int pair) const { return turns_[static_cast<std::size_t>(pair)]; }

  /// Bits of the row of one position.
  ///
  /// shape   out [d_model]
  /// domain  any finite position
  /// error   correctly rounded; sin 0, the padding's row and the last channel of an odd d_model are +0
  /// throws  std::invalid_argument if the position is not finite; undecided at the cap of Ziv's loop
  template <floating_format Float>
  void row(double position, bits_of<Float>* out) const;

  /// Consecutive rows by a walk, which is much faster per entry than `row` and gives the same bits.
  ///
  /// shape   out [positions, d_model]
  /// throws  std::invalid_argument for a bad range; undecided at the cap of Ziv's loop
  template <floating_format Float>
  void rows(position_range positions, bits_of<Float>* out) const;

 private:
  static constexpr int quick_limbs = 2;

  template <floating_format Float>
  void put(bits_of<Float>* row, int pair, const cos_sin_bits<Float>& bits) const {
    const sinusoidal_channels at = channels_of(pair, config_);
    row[at.sine] = bits.sin;
    row[at.cosine] = bits.cos;
  }

  sinusoidal config_;
  std::vector<enclosure<limb_count>> turns_;
};

template <floating_format Float>
void sinusoidal_rows::row(double position, bits_of<Float>* out) const {
  std::fill_n(out, width(), bits_of<Float>{});
  const auto at = sinusoidal_row<quick_limbs>(position, config_);
  if (is_padding(position, config_)) return;
  for (int pair = 0; pair < pair_count(config_); ++pair) {
    const auto quick = cos_sin_of_turns(with_limbs<quick_limbs>(turns(pair)) * at);
    const rounding<Float> c = round<Float>(quick.cos), s = round<Float>(quick.sin);
    put<Float>(out, pair,
               c.decided && s.decided ? cos_sin_bits<Float>{c.bits, s.bits}
                                      : detail::round_sinusoid<Float>(pair, position, config_));
  }
}

template <floating_format Float>
void sinusoidal_rows::rows(position_range positions, bits_of<Float>* out) const {
  constexpr std::int64_t longest_walk = 256;  // the walk's error grows with the square of its length
  validate(positions);
  const auto columns = static_cast<std::size_t>(width());
  std::fill_n(out, static_cast<std::size_t>(size(positions)) * columns, bits_of<Float>{});
  for (std::int64_t begin = positions.begin; begin < positions.end; begin += longest_walk) {
    const position_range part{begin, std::min(begin + longest_walk, positions.end)};
    bits_of<Float>* first = out + static_cast<std::size_t>(begin - positions.begin) * columns;
    for (int pair = 0; pair < pair_count(config_); ++pair)
      detail::walk_sinusoid<Float>(pair, part, turns(pair), config_,
                                   [&](std::int64_t n, const cos_sin_bits<Float>& bits) {
                                     if (!is_padding(static_cast<double>(begin + n), config_))
                                       put<Float>(first + static_cast<std::size_t>(n) * columns, pair, bits);
                                   });
  }
}

#define ROPEWALK_ROWS(Float)                                                                   \
  ROPEWALK_COMPILED_FUNCTION(void sinusoidal_rows::row<Float>(double, bits_of<Float>*) const); \
  ROPEWALK_COMPILED_FUNCTION(void sinusoidal_rows::rows<Float>(position_range, bits_of<Float>*) const);
ROPEWALK_EACH_FORMAT(ROPEWALK_ROWS)
#undef ROPEWALK_ROWS

/// Bits of the encoding of a range of positions.
///
/// shape   [positions, d_model], row-major
/// error   correctly rounded; sin 0, the padding's row and the last channel of an odd d_model are +0
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
std::vector<bits_of<Float>> sinusoidal_encodings(position_range positions, const sinusoidal& config) {
  validate(positions);
  const sinusoidal_rows rows(config);
  std::vector<bits_of<Float>> bits(static_cast<std::size_t>(size(positions)) *
                                   static_cast<std::size_t>(rows.width()));
  rows.rows<Float>(positions, bits.data());
  return bits;
}

namespace detail {

/// Rows of positions 0 .. seq_len - 1 by walks along blocks of positions, as the tables do.
template <std::same_as<sinusoidal> Config>
constexpr std::vector<float> walked_sinusoids(const Config& config, std::int64_t seq_len) {
  const auto width = static_cast<std::size_t>(config.d_model);
  const auto shared = share<table_limbs>(config);
  std::vector<float> numbers(static_cast<std::size_t>(seq_len) * width, 0.0F);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto turns = sinusoidal_turns<table_limbs>(pair, config, shared);
    const sinusoidal_channels at = channels_of(pair, config);
    for (std::int64_t begin = 0; begin < seq_len; begin += longest_column)
      walk_sinusoid<float>(pair, position_range{begin, std::min(begin + longest_column, seq_len)}, turns,
                           config, [&](std::int64_t n, const cos_sin_bits<float>& entry) {
                             float* row = numbers.data() + static_cast<std::size_t>(begin + n) * width;
                             row[at.sine] = from_bits<float>(entry.sin);
                             row[at.cosine] = from_bits<float>(entry.cos);
                           });
  }
  return numbers;
}

/// Rows of positions 0 .. seq_len - 1 from the compiled library, if it is linked.
template <std::same_as<sinusoidal> Config>
std::vector<float> sinusoids_at_run_time(const Config& config, std::int64_t seq_len) {
  constexpr std::int64_t rows_at_once = 256;  // keeps the memory for bits small beside that for floats
  const sinusoidal_rows rows(config);
  const auto width = static_cast<std::size_t>(config.d_model);
  std::vector<float> numbers(static_cast<std::size_t>(seq_len) * width);
  std::vector<std::uint32_t> block(static_cast<std::size_t>(std::min(seq_len, rows_at_once)) * width);
  for (std::int64_t begin = 0; begin < seq_len; begin += rows_at_once) {
    const position_range part{begin, std::min(begin + rows_at_once, seq_len)};
    rows.rows<float>(part, block.data());
    const auto count = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(size(part)) * width);
    std::transform(block.begin(), block.begin() + count,
                   numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(begin) * width),
                   from_bits<float>);
  }
  return numbers;
}

}  // namespace detail

/// The encoding of Vaswani et al. for positions 0 .. seq_len - 1: the rows that are added to the tokens of a
/// sequence.
///
/// shape   [seq_len, d_model], row-major
/// domain  1 <= seq_len <= 2147483648, d_model even
/// error   correctly rounded
/// throws  std::invalid_argument naming the field and its value
constexpr std::vector<float> sinusoidal_encoding(std::int64_t seq_len, std::integral auto d_model) {
  require(seq_len >= 1 && seq_len <= largest_position + 1, "seq_len", static_cast<double>(seq_len),
          "a whole number from 1 to 2147483648");
  require(std::in_range<int>(d_model), "d_model", static_cast<double>(d_model), "a number of 32 bits");
  const sinusoidal config{.d_model = static_cast<int>(d_model)};
  validate(config);
  if (std::is_constant_evaluated()) return detail::walked_sinusoids(config, seq_len);
  return detail::sinusoids_at_run_time(config, seq_len);
}

}  // namespace ropewalk
