#pragma once
// Rows of any position range, in order, computed by several threads in memory that does not grow with the
// range.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/table/in_order.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Bits of consecutive rows.
///
/// shape   cos, sin [positions, pairs]
template <floating_format Float>
struct row_block {
  position_range positions{};
  std::vector<bits_of<Float>> cos;
  std::vector<bits_of<Float>> sin;
};

inline constexpr std::int64_t rows_in_a_block = 1024;

/// Calls `sink(const row_block<Float>&)` for consecutive blocks, in order, on the calling thread; `threads`
/// threads compute the blocks.
///
/// error   correctly rounded, the same for any number of threads
/// throws  std::invalid_argument for a bad range or threads < 1; undecided at the cap of Ziv's loop;
///         the exceptions of `sink`
template <floating_format Float, class Sink>
void stream_rows(const rope_rows& rows, position_range positions, int threads, Sink sink) {
  validate(positions);
  require(threads >= 1, "threads", threads, "1 or above");
  const auto width = static_cast<std::size_t>(rows.pairs());
  std::vector<row_block<Float>> blocks(static_cast<std::size_t>(threads));
  const auto fill = [&](row_run run, int slot) {
    row_block<Float>& block = blocks[static_cast<std::size_t>(slot)];
    block.positions = {positions.begin + run.first, positions.begin + run.first + run.count};
    const std::size_t entries = static_cast<std::size_t>(run.count) * width;
    block.cos.resize(entries);
    block.sin.resize(entries);
    rows.rows<Float>(block.positions, false, block.cos.data(), block.sin.data());
  };
  in_order(size(positions), rows_in_a_block, threads, fill, [&](row_run, int slot) {
    sink(static_cast<const row_block<Float>&>(blocks[static_cast<std::size_t>(slot)]));
  });
}

}  // namespace ropewalk
