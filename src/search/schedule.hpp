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

/// One search among many.
struct job {
  std::function<outcome(const limits& until, const std::atomic<bool>& stopped)> run;
  std::int64_t least_cases = 1;
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

/// Runs them all, each with its share of what is left of the budget but never below its least number of
/// cases; results stand as the jobs do. `on_progress(done)` is called from any thread, one at a time.
std::vector<outcome> run(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
                         const std::function<void(std::size_t done)>& on_progress);

}  // namespace ropewalk::search
