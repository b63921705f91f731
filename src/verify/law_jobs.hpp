#pragma once
// The searches of a verification: one per kernel, subject, dtype and law within the kernel's limits.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "search/schedule.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {

/// The cases of one subject that a kernel fails.
template <class Kernel, class Subject>
struct failures {
  const Subject* subject = nullptr;
  std::vector<diagnosis::failed_case<Kernel>> cases{};

  void add(const law<Kernel>& law, const law_case& test_case, bool is_reproducible) {
    cases.push_back({&law, test_case, is_reproducible});
  }
};
using rotation_failures = failures<checked_rotation, rotation_subject>;
using addition_failures = failures<checked_addition, addition_subject>;
using any_failures = std::variant<rotation_failures, addition_failures>;

/// One kernel that fails on one subject.
struct failing {
  const judged_kernel* kernel = nullptr;
  std::string model;
  any_failures failed{};
  diagnosis::cause cause{};  // set by the diagnosis
};

/// Optional searches that got too little of the remaining time, or none.
struct cut_searches {
  std::int64_t count = 0;
  std::set<std::string_view> laws{};
};

class law_jobs {
 public:
  /// Plans each kernel for each subject.
  ///
  /// throws  std::invalid_argument when a kernel cannot plan for a model it was asked for
  law_jobs(const verification& request, const std::atomic<bool>& stopped);
  law_jobs(const law_jobs&) = delete;  // its jobs refer to it
  law_jobs& operator=(const law_jobs&) = delete;

  /// Runs the searches for `budget` seconds, and up to `limit` seconds for the cases that verdicts need; 0:
  /// no limit. Returns one result per search, in order.
  std::vector<result> run(double budget, double limit) const;

  /// Shrinks the first failure of each kernel and law; the others stay as found.
  void shrink_failures(std::vector<result>& lines, search::clock::time_point deadline) const;

  /// The kernels and subjects that fail, by the results of run().
  std::vector<failing> failing_of(const std::vector<result>& lines) const;

  /// Removes from the results of run() the optional ones that got too little of the remaining time.
  cut_searches remove_cut(std::vector<result>& lines) const;

  /// Results without a search: beyond the kernel's limits, or without a bound.
  std::vector<result> take_set_aside() { return std::move(set_aside_); }

  /// Frees every plan.
  void clear();

 private:
  /// One search, the fixed part of its result, and the callbacks for a failure.
  struct named_job {
    search::job job;
    result blank;
    std::string reproduce;  // without the number of cases
    std::string missing_bound;
    std::int64_t least_cases = 0;  // an optional search with fewer is removed
    std::function<void(search::counterexample&, search::clock::time_point deadline)> shrink;
    const judged_kernel* kernel = nullptr;
    any_failures no_failures{};  // of its subject
    std::function<void(any_failures&, const search::counterexample&)> add_failure;
    std::function<void(result&)> report_vacuous;
  };

  const checked_rotation& held(const judged_kernel& kernel, promise promised,
                               const rotation_subject& subject);
  const checked_addition& held(const judged_kernel& kernel, promise promised,
                               const addition_subject& subject);

  template <class Kernel, class Subject>
  named_job make_job(const judged_kernel& kernel, promise promised, const Subject& on, ropewalk_dtype dtype,
                     const law<Kernel>& law, bool leads);
  template <class Subject>
  bool is_within_limits(const judged_kernel& kernel, const Subject& on);
  /// Number of cases that a verdict needs: many on the leading subject, few on the others. 0 for
  /// extrapolation on the others: its cases are many or none, so it runs only in the remaining time.
  template <class Kernel>
  std::int64_t wanted_cases(const law<Kernel>& law, std::int64_t least, bool leads) const;
  /// Makes the jobs of one kernel. For each law, in every dtype, one subject leads: it gets lead_cases, the
  /// others get few. The leader depends on the law and the seed, so every subject leads at times.
  template <class Laws, class Subject>
  void make_jobs(const judged_kernel& kernel, const Laws& laws, const std::vector<const Subject*>& subjects);
  /// Queues a job. If it exceeds the kernel's limits, or its promise has no bound, sets its result aside
  /// instead.
  void add_job(named_job job);

  const verification& request_;
  const std::atomic<bool>& stopped_;
  std::map<std::tuple<const judged_kernel*, const rotation_subject*, promise>,
           std::unique_ptr<checked_rotation>>
      rotations_;
  std::map<std::tuple<const judged_kernel*, const addition_subject*, promise>,
           std::unique_ptr<checked_addition>>
      additions_;
  std::vector<named_job> jobs_;
  std::vector<result> set_aside_;
};

}  // namespace ropewalk::verify
