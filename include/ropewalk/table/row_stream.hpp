#pragma once
// Rows of any position range in order, computed by several threads in constant memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// A run of rows as bit patterns.
///
/// shape   cos, sin [positions, pairs]
template <floating_format Float>
struct row_block {
  position_range positions{};
  std::vector<bits_of<Float>> cos;
  std::vector<bits_of<Float>> sin;
};

inline constexpr std::int64_t rows_in_a_block = 1024;

/// Calls `sink(const row_block<Float>&)` for consecutive blocks, in order, on the calling thread; `threads` threads fill them.
///
/// error   correctly rounded, the same for any number of threads
/// throws  std::invalid_argument for a bad range or threads < 1; undecided at the cap of Ziv's loop; what `sink` throws
template <floating_format Float, class Sink>
void stream_rows(const rope_rows& rows, position_range positions, int threads, Sink sink) {
  validate(positions);
  require(threads >= 1, "threads", threads, "a number from 1 up");
  const auto width = static_cast<std::size_t>(rows.pairs());
  std::vector<row_block<Float>> blocks(static_cast<std::size_t>(threads));
  std::vector<std::exception_ptr> failures(blocks.size());
  const auto fill = [&](std::size_t index) {
    try {
      row_block<Float>& block = blocks[index];
      const std::size_t entries = static_cast<std::size_t>(size(block.positions)) * width;
      block.cos.resize(entries);
      block.sin.resize(entries);
      rows.rows<Float>(block.positions, false, block.cos.data(), block.sin.data());
    } catch (...) {
      failures[index] = std::current_exception();
    }
  };
  for (std::int64_t next = positions.begin; next < positions.end;) {
    std::size_t used = 0;
    for (; used < blocks.size() && next < positions.end; ++used) {
      const std::int64_t end = std::min(next + rows_in_a_block, positions.end);
      blocks[used].positions = {next, end};
      next = end;
    }
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 1; i < used; ++i) workers.emplace_back(fill, i);
      fill(0);
    }
    for (std::size_t i = 0; i < used; ++i) {
      if (failures[i]) std::rethrow_exception(failures[i]);
      sink(static_cast<const row_block<Float>&>(blocks[i]));
    }
  }
}

}  // namespace ropewalk
