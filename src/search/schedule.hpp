#pragma once
// Many searches on few threads in little time: the time is divided, the coverage is not.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/search.hpp"

namespace ropewalk::search {

/// One search among many, which goes on where it ended.
struct job {
  std::function<void(const limits& until, const std::atomic<bool>& stopped, outcome& so_far)> go_on;
  std::vector<std::int64_t>
      stages{};  // numbers of cases, rising: every job does its first before any does its second
};

/// A search's stream of cases: it depends on the seed, the model, the dtype and the law, and on nothing that runs beside
/// it.
std::uint64_t job_seed(std::uint64_t seed, const std::string& model, ropewalk_dtype dtype,
                       std::string_view law);

struct plan {
  int threads = 1;
  std::int64_t most_cases = 1;
  std::chrono::duration<double> budget{};  // for all jobs together; none when 0
};

/// Runs them all, stage after stage, then each with its share of what is left of the budget; results stand as the jobs do.
/// Nothing is begun once the budget is spent: a job's outcome says how many cases it came to. `on_progress(share done)`
/// is called from any thread, one at a time.
std::vector<outcome> run(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
                         const std::function<void(double share)>& on_progress);

}  // namespace ropewalk::search
