#pragma once
// Runs many searches on few threads within one time budget. Every search runs its first cases before any
// search gets more time.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/search.hpp"

namespace ropewalk::search {

/// One search of many; each call continues where the last one ended.
struct job {
  std::function<void(const limits& until, const std::atomic<bool>& stopped, outcome& so_far)> go_on;
  // Increasing numbers of cases: every job reaches its first before any job continues to its second.
  std::vector<std::int64_t> stages{};
};

/// Seed of a search's cases. Depends on the seed, the model, the dtype and the law, but on no other search.
std::uint64_t job_seed(std::uint64_t seed, const std::string& model, ropewalk_dtype dtype,
                       std::string_view law);

struct plan {
  int threads = 1;
  std::int64_t most_cases = 1;
  std::chrono::duration<double> budget{};  // for all jobs together; 0: none
  std::chrono::duration<double> limit{};   // for the stages, if they take longer than the budget
};

/// Runs all jobs stage by stage, then each with its share of the remaining budget. Outcomes are in the order
/// of the jobs. No job starts once the budget is spent; each outcome gives the number of cases drawn.
/// `on_progress(share done)` is called from any thread, one call at a time.
std::vector<outcome> run(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
                         const std::function<void(double share)>& on_progress);

}  // namespace ropewalk::search
