#include "verify/as_good_as.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "output/terminal.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/schedule.hpp"
#include "verify/beyond_limits.hpp"
#include "verify/held.hpp"
#include "verify/lead_cases.hpp"

namespace ropewalk::verify {
namespace {

constexpr std::int64_t first_tries = 3;  // cases per law and model; most broken promises fail here
constexpr int most_rounds = 8;           // each doubles the cases of laws with too few decided

const auto& laws_for(const checked_rotation*) { return rotation_laws::all; }
const auto& laws_for(const checked_addition*) { return addition_laws::all; }

/// The relative bound at the position where it is largest; none if the promise has no bound.
std::optional<double> largest_bound(const checked_rotation& kernel, ropewalk_dtype dtype) {
  if (!kernel.has_bound(dtype)) return std::nullopt;
  const position_range positions = kernel.served().positions();
  const auto farthest = static_cast<double>(std::max(std::abs(positions.begin), std::abs(positions.end - 1)));
  return with_format(dtype,
                     [&]<class Float>() { return kernel.accuracy_at<Float>(farthest, false).relative; });
}
std::optional<double> largest_bound(const checked_addition& kernel, ropewalk_dtype dtype) {
  const promise& promised = kernel.promised();
  return with_format(dtype, [&]<class Float>() {
    return promised == promise::exact ? accuracy_bound<Float>(promised, 1, 0).relative
                                      : addition_bound<Float>(promised).relative;
  });
}

/// Tries promises on one kernel in one dtype.
template <class Kernel, class Subject>
class promise_trial {
 public:
  promise_trial(const verification& request, const judged_kernel& kernel,
                const std::vector<const Subject*>& subjects, ropewalk_dtype dtype,
                search::clock::time_point deadline, const std::atomic<bool>& stopped)
      : request_(request),
        kernel_(kernel),
        subjects_(subjects),
        dtype_(dtype),
        deadline_(deadline),
        stopped_(stopped) {}

  dtype_promise run(const std::vector<result>& lines) {
    dtype_promise run{dtype_};
    const std::vector<promise> ordered = candidates();
    // Counts only bounds: a kernel that breaks a bound breaks promises of bits, too.
    bool is_some_unasked = false;
    for (const promise& promised : ordered) {
      std::string missing;
      if (!is_asked_by_some_law(promised)) {
        is_some_unasked = is_some_unasked || !promises_bits(promised);
        continue;
      }
      broken_promise broken{promised};
      if (!keeps(promised, lines, run.cases, missing, broken)) {
        run.stricter.reset();
        if (!broken.law.empty()) run.stricter = broken;
        continue;
      }
      if (missing.empty())
        run.kept = promised;
      else
        run.missing = missing, run.stricter.reset();
      return run;
    }
    run.stricter.reset();  // no promise is kept
    if (ordered.empty()) run.missing = "no promise has a bound here";
    if (is_some_unasked) run.missing = "the requested laws cannot decide other promises";
    return run;
  }

 private:
  /// One law on one subject, and its outcome so far.
  struct trial {
    const ropewalk::law<Kernel>* law;
    const Kernel* held;
    std::uint64_t seed;
    std::int64_t asked_before;  // cases that the law ran before; 0 for sizes, which have their own list
    search::outcome outcome{};
  };

  /// Whether a requested law can break the promise. For a promise of bits, only the law that compares bits
  /// can.
  bool is_asked_by_some_law(const promise& candidate) const {
    if (candidate == promise::canonical) return request_.asks_for(rotation_laws::canonical.name);
    if (candidate == promise::exact) return request_.asks_for(rotation_laws::accuracy.name);
    const auto& laws = laws_for(static_cast<const Kernel*>(nullptr));
    return std::any_of(laws.begin(), laws.end(), [&](const law<Kernel>& law) {
      return request_.asks_for(law.name) &&
             std::any_of(subjects_.begin(), subjects_.end(), [&](const Subject* on) {
               return law.applies(*hold(*kernel_.chosen.entry, candidate, *on, request_.calls));
             });
    });
  }

  std::vector<promise> candidates() const {
    std::vector<std::pair<double, promise>> items;
    const auto add = [&](const promise& promised) {
      for (const auto& [bound, other] : items)
        if (detail::is_same_for(kernel_.operation(), promised, other)) return;
      double largest = 0;
      for (const Subject* on : subjects_) {
        const auto bound = largest_bound(*hold(*kernel_.chosen.entry, promised, *on, request_.calls), dtype_);
        if (!bound) return;
        largest = std::max(largest, *bound);
      }
      items.emplace_back(largest, promised);
    };
    for (const promise_description& description : promises) add(description.value);
    add(kernel_.promised);
    add(promise_of(*kernel_.chosen.entry));
    std::stable_sort(items.begin(), items.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<promise> candidates;
    for (const auto& [bound, candidate] : items) candidates.push_back(candidate);
    return candidates;
  }

  /// Whether no law fails under the candidate. `missing` names a law that decided too few cases to say that
  /// it holds, or had no answer; empty if there is none. `broken` names a law that fails.
  bool keeps(const promise& candidate, const std::vector<result>& lines, std::int64_t& cases,
             std::string& missing, broken_promise& broken) {
    std::vector<std::unique_ptr<Kernel>> held;
    for (const Subject* on : subjects_)
      held.push_back(hold(*kernel_.chosen.entry, candidate, *on, request_.calls));
    if (fails_again(held, lines, broken)) return false;
    std::vector<trial> trials;
    for (const law<Kernel>& law : laws_for(static_cast<const Kernel*>(nullptr)))
      for (std::size_t s = 0; s < (law.needs.sizes ? 1 : held.size()); ++s)
        if (request_.asks_for(law.name) && law.applies(*held[s]) &&
            beyond_limits(law, *held[s], dtype_).empty()) {
          const search::outcome before = found_before(law, name_of_subject(*subjects_[s]), lines);
          const bool is_same = detail::is_same_for(kernel_.operation(), candidate, kernel_.promised);
          trials.push_back({&law, held[s].get(),
                            search::job_seed(request_.seed, name_of_subject(*subjects_[s]), dtype_, law.name),
                            law.needs.sizes ? 0 : before.asked(), is_same ? before : search::outcome{}});
        }
    bool fails = !go_on(trials, [](const trial& attempt) {
      return attempt.law->needs.one_range || attempt.law->needs.sizes ? 0 : first_tries;
    });
    // Where only a rare position distinguishes promises, these two laws find it first.
    fails = fails || !go_on(trials, [](const trial& attempt) {
              const bool is_first =
                  attempt.law->needs.one_range || attempt.law->name == rotation_laws::accuracy.name;
              return is_first ? attempt.asked_before : 0;
            });
    for (int round = 0; round < most_rounds && !fails && !is_over(); ++round) {
      const auto too_few = [&](const trial& attempt) { return needs_more(trials, *attempt.law); };
      if (std::none_of(trials.begin(), trials.end(), too_few)) break;
      fails = !go_on(trials, [&](const trial& attempt) {
        const auto subjects = static_cast<std::int64_t>(held.size());
        return too_few(attempt) ? (needed(*attempt.law) + subjects - 1) / subjects << round : 0;
      });
    }
    // Some promises differ only at far positions: the candidate gets at least as many cases as the laws had.
    fails = fails || !go_on(trials, [](const trial& attempt) { return attempt.asked_before; });
    for (const trial& attempt : trials) cases += attempt.outcome.cases;
    for (const trial& attempt : trials)
      if (attempt.outcome.failure)
        report(*attempt.law, attempt.outcome.failure->measured, attempt.outcome.failure->original, broken);
    if (fails) return false;
    for (const trial& attempt : trials)
      if (missing.empty() && attempt.outcome.unanswered > 0)
        missing = fmt::format("no answer in {} of {} cases of {}", attempt.outcome.unanswered,
                              attempt.outcome.asked(), attempt.law->name);
    for (const trial& attempt : trials)
      if (missing.empty() && needs_more(trials, *attempt.law))
        missing = fmt::format("too few cases: {} held so far, on {} of the {} cases needed of {}",
                              name_of(candidate, kernel_.operation()), decided(trials, *attempt.law),
                              needed(*attempt.law), attempt.law->name);
    for (const trial& attempt : trials)
      if (missing.empty() && attempt.outcome.asked() < attempt.asked_before)
        missing = fmt::format("too few cases: {} held so far, ran {} of {} cases of {}",
                              name_of(candidate, kernel_.operation()), attempt.outcome.asked(),
                              attempt.asked_before, attempt.law->name);
    return true;
  }

  /// The law's outcome under the promise that the kernel was judged by: the same seed draws the same cases.
  search::outcome found_before(const law<Kernel>& law, const std::string& subject,
                               const std::vector<result>& lines) const {
    for (const result& line : lines)
      if (line.kernel == kernel_.chosen.label() && line.model == subject && line.dtype == dtype_ &&
          line.law.name == law.name && line.no_bound.empty() && line.beyond.empty())
        return line.outcome;
    return {};
  }

  /// Whether a case that failed under the kernel's promise also fails under the candidate.
  bool fails_again(const std::vector<std::unique_ptr<Kernel>>& held, const std::vector<result>& lines,
                   broken_promise& broken) const {
    for (const result& line : lines) {
      if (!line.outcome.failure || line.kernel != kernel_.chosen.label() || line.dtype != dtype_) continue;
      if (!line.outcome.failure->is_reproducible) return true;
      for (const law<Kernel>& law : laws_for(static_cast<const Kernel*>(nullptr)))
        for (std::size_t s = 0; s < held.size(); ++s) {
          if (law.name != line.law.name || name_of_subject(*subjects_[s]) != line.model ||
              !law.applies(*held[s]))
            continue;
          law_case test_case = line.outcome.failure->original;
          if (!held[s]->is_asked_everywhere()) test_case.environment = caller_environment::usual;
          const measurement measured = measure(law, *held[s], test_case);
          if (measured.holds) continue;
          report(law, measured, test_case, broken);
          return true;
        }
    }
    return false;
  }

  /// Records the failing law that exceeds its bound by most. An error under the caller's floating-point
  /// environment does not measure a kernel.
  static void report(const law<Kernel>& law, const measurement& measured, const law_case& test_case,
                     broken_promise& broken) {
    const bool has_number = measured.bound > 0 && std::isfinite(measured.worst) && measured.worst > 1 &&
                            test_case.environment == caller_environment::usual;
    if (!broken.law.empty() && !(has_number && measured.worst > broken.times_the_bound)) return;
    broken.law = law.name;
    broken.times_the_bound = has_number ? measured.worst : 0;
  }

  /// Runs each trial up to a number of cases; returns false if one fails.
  template <class CasesOf>
  bool go_on(std::vector<trial>& trials, CasesOf cases_of) const {
    std::vector<search::job> jobs;
    std::int64_t most = 1;
    for (trial& attempt : trials) {
      const std::int64_t cases = cases_of(attempt);
      most = std::max(most, cases);
      search::job job;
      job.stages = {cases};
      job.go_on = [this, &attempt, cases](const search::limits& until, const std::atomic<bool>& stopped,
                                          search::outcome& outcome) {
        search::limits own = until;
        own.most_cases = cases;
        if (attempt.outcome.asked() < cases)
          search::search_on(*attempt.law, *attempt.held, dtype_, attempt.seed, own, stopped, attempt.outcome);
        outcome.cases = cases;
      };
      jobs.push_back(std::move(job));
    }
    const std::chrono::duration<double> left = deadline_ - search::clock::now();
    const auto budget = std::chrono::duration<double>(has_deadline() ? std::max(left.count(), 0.001) : 0.0);
    search::run(jobs, {request_.threads, most, budget}, stopped_, [](double) {});
    return std::none_of(trials.begin(), trials.end(),
                        [](const trial& attempt) { return attempt.outcome.failure.has_value(); });
  }

  static std::int64_t decided(const std::vector<trial>& trials, const law<Kernel>& law) {
    std::int64_t decided = 0;
    for (const trial& attempt : trials)
      if (same_law(*attempt.law, law)) decided += attempt.outcome.decided;
    return decided;
  }

  /// Number of cases that a law must decide before a promise counts as kept.
  std::int64_t needed(const law<Kernel>& law) const {
    return law.needs.sizes ? 1 : lead_cases(law.name, request_.dtypes.size());
  }

  /// Whether a law decided too few cases, although the kernel did not decline all of them.
  bool needs_more(const std::vector<trial>& trials, const law<Kernel>& law) const {
    const bool is_served = std::any_of(trials.begin(), trials.end(), [&](const trial& attempt) {
      return same_law(*attempt.law, law) && (attempt.outcome.cases > 0 || attempt.outcome.declined == 0);
    });
    return is_served && decided(trials, law) < needed(law);
  }

  bool has_deadline() const { return deadline_ != search::clock::time_point{}; }
  bool is_over() const { return stopped_ || (has_deadline() && search::clock::now() >= deadline_); }

  const verification& request_;
  const judged_kernel& kernel_;
  const std::vector<const Subject*>& subjects_;
  const ropewalk_dtype dtype_;
  const search::clock::time_point deadline_;
  const std::atomic<bool>& stopped_;
};

template <class Kernel, class Subject>
std::vector<dtype_promise> in_each_dtype(const verification& request, const judged_kernel& kernel,
                                         const std::vector<const Subject*>& all,
                                         const std::vector<result>& lines, search::clock::time_point deadline,
                                         const std::atomic<bool>& stopped) {
  const auto& first_law = laws_for(static_cast<const Kernel*>(nullptr)).front();
  std::vector<std::pair<ropewalk_dtype, std::vector<const Subject*>>> served;
  for (const ropewalk_dtype dtype : request.dtypes) {
    std::vector<const Subject*> subjects;
    for (const Subject* on : all)
      if (beyond_limits(first_law, *hold(*kernel.chosen.entry, kernel.promised, *on, request.calls), dtype)
              .empty())
        subjects.push_back(on);
    const bool is_declined = std::all_of(lines.begin(), lines.end(), [&](const result& line) {
      return line.kernel != kernel.chosen.label() || line.dtype != dtype || !is_answered(line);
    });
    if (!subjects.empty() && !is_declined) served.emplace_back(dtype, std::move(subjects));
  }
  std::vector<dtype_promise> promiseds;
  for (const auto& [dtype, subjects] : served) {
    if (stopped) break;
    search::clock::time_point until = deadline;
    if (deadline != search::clock::time_point{}) {
      const auto now = search::clock::now();
      until = now + (deadline - now) / static_cast<std::int64_t>(served.size() - promiseds.size());
    }
    promiseds.push_back(
        promise_trial<Kernel, Subject>(request, kernel, subjects, dtype, until, stopped).run(lines));
  }
  return promiseds;
}

}  // namespace

promise_result judged_as(const verification& request, const judged_kernel& kernel,
                         const std::vector<result>& lines, search::clock::time_point deadline,
                         const std::atomic<bool>& stopped) {
  promise_result collected{kernel.chosen.label(), kernel.operation(), kernel.promised, {}, request.laws};
  collected.is_claimed =
      detail::is_same_for(kernel.operation(), kernel.promised, promise_of(*kernel.chosen.entry));
  collected.judged = std::any_of(lines.begin(), lines.end(), [&](const result& line) {
    return line.kernel == collected.kernel && is_answered(line);
  });
  const std::int64_t least_cases = most_lead_cases(request.dtypes.size());
  if (request.cases > 0 && request.cases < least_cases) {
    collected.untried = fmt::format("--cases is below {}", least_cases);
    return collected;
  }
  if (!collected.judged) return collected;
  if (kernel.operation() == ROPEWALK_ROTATE) {
    std::vector<const rotation_subject*> subjects;
    for (const rotation_subject& model : request.models) subjects.push_back(&model);
    collected.in_dtypes =
        in_each_dtype<checked_rotation>(request, kernel, subjects, lines, deadline, stopped);
  } else {
    collected.in_dtypes = in_each_dtype<checked_addition>(request, kernel, request.additions_of(kernel),
                                                          lines, deadline, stopped);
  }
  return collected;
}

}  // namespace ropewalk::verify
