#pragma once
// Runs a sweep: does the remaining units of a range of work, alone, as one of several shards, or as the ranks
// of an MPI launcher.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "sweep/ranks.hpp"
#include "sweep/subject.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// A part of the units: those with index % `count` == `number` - 1.
struct shard {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

struct run_plan {
  std::string directory;
  shard part{};
  int threads = 1;
  std::chrono::duration<double> budget{};  // 0: no limit
  bool is_quiet = false;
};

struct run_end {
  std::int64_t left = 0;      // units of this part still to do
  double seconds_left = 0;    // at the rate of this run; 0 if unknown
  bool is_first_rank = true;  // the rank that reports for all
};

/// Does the units. On return, their results are in the directory; after an exception, those of the finished
/// units.
///
/// throws  exceptions of the subject and of the directory
run_end run(const work_range& range, const subject_maker& maker, const run_plan& plan, ranks& among,
            const std::atomic<bool>& stopped);

}  // namespace ropewalk::sweep
