#pragma once
// A run of a sweep: does units of a range of work that are not done yet, alone, as one of several shards, or
// as the ranks of an MPI launcher.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "sweep/ranks.hpp"
#include "sweep/subject.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// A part of the units: those whose index leaves `number` - 1 when divided by `of`.
struct shard {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

struct run_plan {
  std::string directory;
  shard part{};
  int threads = 1;
  std::chrono::duration<double> budget{};  // 0: none
  bool is_quiet = false;
};

struct run_end {
  std::int64_t left = 0;      // units of this part that are not done
  double seconds_left = 0;    // at the rate of this run; 0 if unknown
  bool is_first_rank = true;  // which speaks for all
};

/// Does the units. Their results are in the directory when it returns; if it throws, those that were done.
///
/// throws  what a subject or the directory throws
run_end run(const work_range& range, const subject_maker& maker, const run_plan& plan, ranks& among,
            const std::atomic<bool>& stopped);

}  // namespace ropewalk::sweep
