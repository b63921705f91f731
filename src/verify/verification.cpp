#include "verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "diagnosis/diagnosis.hpp"
#include "door/exchange.hpp"
#include "door/library_kernels.hpp"
#include "export/terminal.hpp"
#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/table/in_order.hpp"
#include "search/schedule.hpp"
#include "search/size_cases.hpp"
#include "verify/as_good_as.hpp"
#include "verify/beyond_limits.hpp"
#include "verify/demands.hpp"
#include "verify/held.hpp"
#include "verify/missing_bound.hpp"

namespace ropewalk::verify {
namespace {

constexpr std::int64_t first_cases = 3;   // of every verdict
constexpr std::int64_t lead_cases = 200;  // of each kernel and law, on the model that leads
constexpr std::int64_t most_shares = 3;   // dtypes among which lead_cases are divided
constexpr std::int64_t most_timed_cases = 1000;
// Shares of the budget.
constexpr double search_share = 0.85;   // for tables and searches, before promises take theirs
constexpr double table_share = 0.2;     // at most, for this library's own tables
constexpr double explain_share = 0.05;  // at least, for the searches and each step that explains failures
constexpr double promise_share = 0.4;   // taken from the searches if kernels are tried on promises
constexpr double promises_end = 0.95;   // when promises end; failures are explained in the rest

std::string missing_bound_of(const held_rotation& kernel, ropewalk_dtype dtype) {
  return missing_bound(kernel.promised(), dtype, kernel.nearest_attention());
}
std::string missing_bound_of(const held_addition&, ropewalk_dtype) { return {}; }

/// Records the positions from which the bounds decide nothing.
void tell_vacuous(const law<held_rotation>& of, const held_rotation& kernel, ropewalk_dtype dtype,
                  result& line) {
  line.some_vacuous_from = kernel.vacuous_from(of, dtype, false);
  line.every_vacuous_from = kernel.vacuous_from(of, dtype, true);
}
void tell_vacuous(const law<held_addition>&, const held_addition&, ropewalk_dtype, result&) {}

/// Failing cases of one kernel on one subject; one of the lists is empty.
struct failures {
  std::vector<diagnosis::failed_case<held_rotation>> rotations;
  std::vector<diagnosis::failed_case<held_addition>> additions;

  void add(const law<held_rotation>& of, const law_case& given, bool is_reproducible) {
    rotations.push_back({&of, given, is_reproducible});
  }
  void add(const law<held_addition>& of, const law_case& given, bool is_reproducible) {
    additions.push_back({&of, given, is_reproducible});
  }
};

search::clock::duration seconds(double count) {
  return std::chrono::duration_cast<search::clock::duration>(std::chrono::duration<double>(count));
}

class verifier {
 public:
  verifier(const verification& asked, const std::atomic<bool>& stopped) : asked_(asked), stopped_(stopped) {}

  results run() {
    const auto begin = search::clock::now();
    results r;
    r.seed = asked_.seed;
    r.threads = asked_.threads;
    r.device = asked_.device;
    r.left_out = asked_.left_out;
    r.limits = texts_of_limits();
    r.skipped_laws = asked_.skipped_laws;
    judge_tables(begin);
    judge_arrays(r, begin);
    make_jobs();
    const double verdict_share = has_claims() ? 1 - promise_share : 1;
    const std::chrono::duration<double> spent = search::clock::now() - begin;
    const double budget =
        std::max(asked_.budget * search_share - spent.count(), asked_.budget * explain_share);
    r.lines = results_of(run_jobs(jobs_, budget * verdict_share, "verify"));
    const auto time_of = [&](double share) {  // leaves explain_share in any case
      if (asked_.budget <= 0) return search::clock::time_point{};
      return std::max(begin + seconds(asked_.budget * share),
                      search::clock::now() + seconds(asked_.budget * explain_share));
    };
    shrink_failures(r.lines, time_of(verdict_share));
    std::vector<failing> failed = failing_of(r.lines);  // as long as lines correspond to jobs
    tell_what_was_cut(r);
    for (result& one : set_aside_) r.lines.push_back(std::move(one));
    for (result& one : arrays_) r.lines.push_back(std::move(one));
    for (result& one : tables_.lines) {
      if (!one.found.holds())
        tell_diagnosis(
            r.diagnoses, one.kernel, one.model,
            {.found = diagnosis::verdict::explained, .sentence = "this library's own table is wrong"});
      r.lines.push_back(std::move(one));
    }
    try_promises(r, begin + seconds(asked_.budget * promises_end));
    diagnose_failures(r, std::move(failed), time_of(1));
    if (!stopped_) r.not_judged = not_judged(asked_, r.lines);
    for (const std::string& one : asked_.missing_layers) r.not_judged.push_back(one);
    tell_what_is_awaited(r);
    r.ended = asked_.ended;
    if (!stopped_) unload_libraries(r.ended);
    r.failed_on = failed_on(asked_, r.lines);
    r.seconds = std::chrono::duration<double>(search::clock::now() - begin).count();
    r.interrupted = stopped_;
    return r;
  }

 private:
  /// One search, the fixed part of its result, and what to do with a failure.
  struct named_job {
    search::job job;
    result blank;
    std::string reproduce;  // without the number of cases
    std::string missing_bound;
    bool leads = false;            // its subject leads for the law and the dtype
    std::int64_t least_cases = 0;  // if it leads
    std::function<void(search::counterexample&, search::clock::time_point deadline)> shrink;
    const judged_kernel* kernel = nullptr;
    std::pair<const rotation_subject*, const addition_subject*> subject{};
    std::function<void(failures&, const search::counterexample&)> add_failure;
    std::function<void(result&)> tell_vacuous;
  };

  /// Writes the requests that were made, and says which commands bring their answers.
  static void tell_what_is_awaited(results& r) {
    for (const door::awaited_answers& one : door::write_requests())
      r.awaits.push_back(door::what_to_run(one));
    r.awaits_verdicts = std::any_of(r.lines.begin(), r.lines.end(), [](const result& one) {
      return one.found.holds() && one.found.awaited > 0;
    });
  }

  /// Frees every plan and unloads the libraries. Adds those whose process ends in another way than it should.
  void unload_libraries(std::vector<std::string>& ended) {
    jobs_.clear();  // they refer to the held kernels, which hold the plans
    rotations_.clear();
    additions_.clear();
    for (const auto& [path, how] : door::end_libraries())
      ended.push_back(fmt::format("{}: its process {}", printable(std::string(library_prefix) + path), how));
  }

  /// Restrictions of the request and limits of the kernels, one line each.
  std::vector<std::string> texts_of_limits() const {
    std::vector<std::string> r;
    for (const auto& [law, reason] : asked_.skipped_laws)
      r.push_back(fmt::format("left out: {}, because {}", law, reason));
    const position_range positions = asked_.asked.positions;
    if (positions.begin != positions.end)
      r.push_back(fmt::format("asked for: positions {} to {}", positions.begin, positions.end - 1));
    // Each text of limits, and the kernels that it applies to.
    std::vector<std::pair<std::string, std::string>> limited;
    for (const judged_kernel& kernel : asked_.kernels) {
      const ropewalk_limits* limits = kernel.chosen.kernel->limits;
      const std::string text = limits == nullptr ? "" : served_calls(*limits).text();
      const auto same =
          std::find_if(limited.begin(), limited.end(), [&](const auto& one) { return one.first == text; });
      if (same != limited.end())
        same->second += ", " + kernel.chosen.label();
      else if (!text.empty())
        limited.emplace_back(text, kernel.chosen.label());
    }
    for (const auto& [text, kernels] : limited) r.push_back(fmt::format("limits of {}: {}", kernels, text));
    for (const judged_kernel& kernel : asked_.kernels)
      for (const ropewalk_dtype dtype : asked_.dtypes)
        if (is_alone(kernel, dtype))
          r.push_back(
              fmt::format("sizes of {} in {}: no other canonical kernel serves it; the mirror alone judges, "
                          "in long calls a sample",
                          kernel.chosen.label(), ropewalk::name_of(dtype)));
    return r;
  }

  /// Whether the law of sizes has no canonical kernel of this dtype to compare a kernel with.
  bool is_alone(const judged_kernel& kernel, ropewalk_dtype dtype) const {
    const auto serves = [&](const ropewalk_kernel& one) {
      return one.limits == nullptr || served_calls(*one.limits).serves(dtype);
    };
    return kernel.operation() == ROPEWALK_ROTATE && asked_.has_subject(kernel) &&
           asked_.asks_for(rotation_laws::sizes.name) && serves(*kernel.chosen.kernel) &&
           !serves(canonical_beside(*kernel.chosen.kernel));
  }

  static bool tries_promises(const judged_kernel& kernel) {
    return kernel.chosen.may_claim() && !kernel.chosen.is_in_files();
  }

  void try_promises(results& r, search::clock::time_point end) const {
    auto left = std::count_if(asked_.kernels.begin(), asked_.kernels.end(), tries_promises);
    for (const judged_kernel& kernel : asked_.kernels) {
      if (!tries_promises(kernel) || stopped_) continue;
      const auto now = search::clock::now();
      const auto share = std::max(end - now, search::clock::duration{}) / left--;
      r.promises.push_back(judged_as(
          asked_, kernel, r.lines, asked_.budget > 0 ? now + share : search::clock::time_point{}, stopped_));
    }
  }

  bool has_claims() const {
    return std::any_of(asked_.kernels.begin(), asked_.kernels.end(), tries_promises);
  }

  const held_rotation& held(const judged_kernel& kernel, promise promised, const rotation_subject& on) {
    auto& slot = rotations_[{&kernel, &on, promised}];
    if (!slot) slot = hold(*kernel.chosen.kernel, promised, on, asked_.asked);
    return *slot;
  }

  const held_addition& held(const judged_kernel& kernel, promise promised, const addition_subject& on) {
    auto& slot = additions_[{&kernel, &on, promised}];
    if (!slot) slot = hold(*kernel.chosen.kernel, promised, on, asked_.asked);
    return *slot;
  }

  static result blank_for(const judged_kernel& kernel, const rotation_subject& on) {
    result r;
    r.kernel = kernel.chosen.label();
    r.model = on.model.name;
    r.rotary_dim = on.model.encoding.rotary_dim;
    r.pairing_out = on.model.layout.pairing_out;
    return r;
  }

  static result blank_for(const judged_kernel& kernel, const addition_subject& on) {
    result r;
    r.kernel = kernel.chosen.label();
    r.model = on.name;
    r.has_keys = kernel.operation() == ROPEWALK_ADD_BIAS;
    return r;
  }

  using any_subject = std::pair<const rotation_subject*, const addition_subject*>;
  static any_subject subject_of(const rotation_subject& on) { return {&on, nullptr}; }
  static any_subject subject_of(const addition_subject& on) { return {nullptr, &on}; }

  static std::string options_of(const rotation_subject& on) {
    return on.options.empty() ? "" : on.options + " ";
  }
  static std::string options_of(const addition_subject&) { return ""; }

  template <class Kernel, class Subject>
  named_job make_job(const judged_kernel& kernel, promise promised, const Subject& on, ropewalk_dtype dtype,
                     const law<Kernel>& of, bool leads) {
    const Kernel& judged = held(kernel, promised, on);
    named_job r;
    r.blank = blank_for(kernel, on);
    r.blank.dtype = dtype;
    r.blank.law = of.text();
    r.blank.needs = of.needs;
    r.blank.promised = promised;
    r.blank.operation = kernel.operation();
    const std::uint64_t seed = search::job_seed(asked_.seed, r.blank.model, dtype, of.name);
    r.leads = leads;
    r.job.go_on = [&judged, &of, dtype, seed](const search::limits& until, const std::atomic<bool>& stopped,
                                              search::outcome& so_far) {
      search::search_on(of, judged, dtype, seed, until, stopped, so_far);
    };
    // Extrapolation runs many cases or none: on a subject that does not lead, only in the time left over.
    const bool waits = of.needs.one_range;
    const std::int64_t few = waits && !leads ? 0 : first_cases;
    r.least_cases = lead_cases_of_each();
    if (of.needs.sizes) r.least_cases = search::count_sizes(search::domain_of(of, judged, dtype)).usual;
    if (asked_.budget > 0 && of.needs.sizes)
      r.job.stages = {0, few, r.least_cases};
    else if (asked_.budget > 0)
      r.job.stages = {leads && !waits ? few : 0, few, leads ? r.least_cases : few};
    r.shrink = [&judged, &of, seed, this](search::counterexample& found, search::clock::time_point deadline) {
      search::shrink(of, judged, seed, found, stopped_, deadline);
    };
    r.tell_vacuous = [&judged, &of, dtype](result& line) { tell_vacuous(of, judged, dtype, line); };
    r.kernel = &kernel;
    r.subject = subject_of(on);
    r.add_failure = [&of](failures& to, const search::counterexample& found) {
      to.add(of, found.original, found.is_reproducible);
      if (!(found.smallest == found.original)) to.add(of, found.smallest, found.is_reproducible);
    };
    r.missing_bound = missing_bound_of(judged, dtype);
    r.blank.beyond = beyond_limits(of, judged, dtype);
    if (of.needs.sizes && r.least_cases == 0 && r.blank.beyond.empty())
      r.blank.beyond = "sizes: no size is served";
    r.reproduce = fmt::format("ropewalk verify {}--kernel {} --law {} --dtype {}", options_of(on),
                              kernel.option, of.name, ropewalk::name_of(dtype));
    if (kernel.chosen.may_claim())
      r.reproduce += fmt::format(" --promise {}", name_of(promised, kernel.operation()));
    if (needs_device(kernel.chosen)) r.reproduce += asked_.device_option;
    const position_range positions = asked_.asked.positions;
    if (positions.begin != positions.end)
      r.reproduce += fmt::format(" --positions {}:{}", positions.begin, positions.end);
    if (asked_.asked.every_environment) r.reproduce += " --environment all";
    r.reproduce += fmt::format(" --seed {}", asked_.seed);
    return r;
  }

  template <class Subject>
  bool is_within_limits(const judged_kernel& kernel, const Subject& on) {
    return beyond_limits(held(kernel, kernel.promised, on)).empty();
  }

  /// Makes the jobs of one kernel. One subject leads for each law, in every dtype: it gets lead_cases, the
  /// others few. The leader changes with the law and the seed, so that every subject leads at times.
  template <class Laws, class Subject>
  void make_jobs(const judged_kernel& kernel, const Laws& laws, const std::vector<const Subject*>& subjects) {
    for (std::size_t l = 0; l < laws.size(); ++l) {
      std::vector<const Subject*> judged;
      for (const Subject* one : subjects)
        if (asked_.asks_for(laws[l].name) && laws[l].applies(held(kernel, kernel.promised, *one)))
          judged.push_back(one);
      if (judged.empty()) continue;
      std::size_t leader = (l + asked_.seed) % judged.size();
      // Sizes depend on the kernel, not on the model: one subject that the kernel serves is enough.
      if (laws[l].needs.sizes) {
        for (std::size_t i = 1; i < judged.size() && !is_within_limits(kernel, *judged[leader]); ++i)
          leader = (leader + 1) % judged.size();
        judged = {judged[leader]};
        leader = 0;
      }
      for (std::size_t s = 0; s < judged.size(); ++s)
        for (const ropewalk_dtype dtype : asked_.dtypes)
          add_job(make_job(kernel, kernel.promised, *judged[s], dtype, laws[l], s == leader));
    }
  }

  void make_jobs() {
    for (const judged_kernel& kernel : asked_.kernels) {
      if (kernel.operation() == ROPEWALK_ROTATE) {
        std::vector<const rotation_subject*> subjects;
        for (const rotation_subject& one : asked_.models) subjects.push_back(&one);
        make_jobs(kernel, rotation_laws::all, subjects);
      } else {
        std::vector<const addition_subject*> subjects;
        for (const addition_subject& one : asked_.additions)
          if (one.truth->operation() == kernel.operation()) subjects.push_back(&one);
        make_jobs(kernel, addition_laws::all, subjects);
      }
    }
  }

  /// Cases of each dtype on the subject that leads. Three dtypes together reach
  /// lead_cases: a kernel need not serve the fourth.
  std::int64_t lead_cases_of_each() const {
    const auto shares = std::min(static_cast<std::int64_t>(asked_.dtypes.size()), most_shares);
    return (lead_cases + shares - 1) / shares;
  }

  /// Queues a job, unless it exceeds the kernel's limits or the promise has no
  /// bound: its result is then set aside.
  void add_job(named_job one) {
    if (!one.blank.law.norm.empty()) one.blank.no_bound = one.missing_bound;
    if (one.blank.beyond.empty() && one.blank.no_bound.empty())
      jobs_.push_back(std::move(one));
    else
      set_aside_.push_back(std::move(one.blank));
  }

  std::vector<search::outcome> run_jobs(const std::vector<named_job>& named, double budget,
                                        const char* label) const {
    std::vector<search::job> jobs;
    for (const named_job& one : named) jobs.push_back(one.job);
    const std::int64_t most = asked_.cases > 0 ? asked_.cases : most_timed_cases;
    constexpr std::uint64_t steps = 1000;
    output::progress_bar bar(label, steps, asked_.quiet);
    return search::run(jobs, {asked_.threads, most, std::chrono::duration<double>(budget)}, stopped_,
                       [&](double share) { bar.show(static_cast<std::uint64_t>(steps * share)); });
  }

  std::vector<result> results_of(std::vector<search::outcome> outcomes) const {
    std::vector<result> r;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      result one = jobs_[i].blank;
      one.found = std::move(outcomes[i]);
      if (one.found.vacuous > 0) jobs_[i].tell_vacuous(one);
      const search::outcome& found = one.found;
      if (!found.holds())
        one.reproduce =
            jobs_[i].reproduce +
            fmt::format(" --cases {}", found.failure ? found.failure->case_number + 1 : found.cases + 1);
      if (found.holds() && found.cases == 0 && found.declined > 0) one.no_bound = jobs_[i].missing_bound;
      r.push_back(std::move(one));
    }
    return r;
  }

  /// This library's own tables, in their share of the time.
  void judge_tables(search::clock::time_point begin) {
    table_plan how{asked_.seed, asked_.threads, asked_.cases > 0 ? asked_.cases : table_cases, {}};
    if (asked_.budget > 0) how.end = begin + seconds(asked_.budget * table_share);
    tables_ = judge(asked_.tables, how, stopped_);
  }

  /// Arrays of files: every entry, as far as the budget reaches.
  void judge_arrays(results& r, search::clock::time_point begin) {
    array_plan how{
        asked_.threads, asked_.quiet, [&](std::string_view law) { return asked_.asks_for(law); }, {}};
    if (asked_.budget > 0) how.end = begin + seconds(asked_.budget * search_share);
    judged_arrays judged = judge(asked_.arrays, how, stopped_);
    arrays_ = std::move(judged.lines);
    rows_left_out_ = judged.cut_short;
    r.arrays = std::move(judged.found);
  }

  /// Shrinks the first failure of each kernel and law; the others are kept as they were found.
  void shrink_failures(std::vector<result>& lines, search::clock::time_point deadline) const {
    std::set<std::pair<std::string, std::string_view>> seen;
    std::vector<std::size_t> failed;
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (lines[i].found.failure && seen.insert({lines[i].kernel, lines[i].law.name}).second)
        failed.push_back(i);
    for (std::size_t done = 0; done < failed.size() && !stopped_; ++done) {
      result& line = lines[failed[done]];
      const auto now = search::clock::now();
      const bool has_deadline = deadline != search::clock::time_point{};
      const auto share = (deadline - now) / static_cast<std::int64_t>(failed.size() - done);
      jobs_[failed[done]].shrink(*line.found.failure, has_deadline ? now + share : deadline);
      line.is_shown = true;
    }
  }

  /// One kernel that fails on one subject.
  struct failing {
    const judged_kernel* kernel = nullptr;
    any_subject subject{};
    std::string model;
    failures cases{};
    diagnosis::cause cause{};
  };

  std::vector<failing> failing_of(const std::vector<result>& lines) const {
    std::vector<failing> r;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!lines[i].found.failure) continue;
      const named_job& job = jobs_[i];
      auto same = std::find_if(r.begin(), r.end(), [&](const failing& one) {
        return one.kernel == job.kernel && one.subject == job.subject;
      });
      if (same == r.end()) same = r.insert(r.end(), {job.kernel, job.subject, lines[i].model});
      job.add_failure(same->cases, *lines[i].found.failure);
    }
    return r;
  }

  template <class Kernel, class Subject>
  void diagnose_on(const Subject& on, const std::vector<diagnosis::failed_case<Kernel>>& cases, failing& one,
                   search::clock::time_point deadline) const {
    const ropewalk_kernel& kernel = *one.kernel->chosen.kernel;
    diagnosis::known_causes<Kernel> causes(one.kernel->operation(),
                                           [&](ropewalk_kernel other, promise promised) {
                                             other.limits = kernel.limits;
                                             return hold(other, promised, on, asked_.asked);
                                           });
    const diagnosis::effort how{search::job_seed(asked_.seed, one.model, ROPEWALK_F32, "diagnosis"),
                                asked_.dtypes, deadline};
    one.cause = diagnosis::diagnose(kernel, one.kernel->promised, causes, cases, how, stopped_);
  }

  void diagnose(failing& one, search::clock::time_point deadline) const {
    if (one.subject.first != nullptr)
      diagnose_on<held_rotation>(*one.subject.first, one.cases.rotations, one, deadline);
    else
      diagnose_on<held_addition>(*one.subject.second, one.cases.additions, one, deadline);
  }

  /// Diagnoses each kernel on each subject that it fails on; subjects with the same cause share an entry.
  void diagnose_failures(results& r, std::vector<failing> all, search::clock::time_point deadline) const {
    std::atomic<std::size_t> next{0};
    on_threads(asked_.threads, [&](int) {
      for (std::size_t i = next++; i < all.size() && !stopped_; i = next++) {
        const auto now = search::clock::now();
        const auto share = std::max(deadline - now, search::clock::duration{}) * asked_.threads /
                           static_cast<std::int64_t>(all.size() - i);
        diagnose(all[i], deadline == search::clock::time_point{} ? deadline : now + share);
      }
    });
    for (failing& one : all) {
      if (stopped_) break;
      one.cause.sentence = input::visible(one.cause.sentence);
      tell_diagnosis(r.diagnoses, one.kernel->chosen.label(), one.model, one.cause);
    }
  }

  static void tell_diagnosis(std::vector<diagnosed>& to, const std::string& kernel, const std::string& model,
                             const diagnosis::cause& found) {
    for (diagnosed& one : to) {
      if (one.kernel != kernel) continue;
      if (auto both = common_cause(one.cause, found)) {
        one.models.push_back(model);
        one.cause = *std::move(both);
        return;
      }
    }
    to.push_back({kernel, {model}, found});
  }

  /// Removes the results that the budget had no time for, and reports their number in results::cut.
  void tell_what_was_cut(results& r) const {
    if (stopped_) return;
    std::int64_t not_run = 0, few = 0, few_sizes = 0;
    std::set<std::string_view> laws_not_run;
    std::vector<result> kept;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const search::outcome& found = r.lines[i].found;
      const bool is_short = found.holds() && found.drawn < found.least_drawn;
      if (asked_.budget > 0 && (found.drawn == 0 || (found.too_few && is_short))) {
        ++not_run;
        laws_not_run.insert(r.lines[i].law.name);
        continue;
      }
      if (r.lines[i].needs.sizes)
        few_sizes += is_short ? 1 : 0;
      else if (asked_.budget > 0 && jobs_[i].leads && found.holds() && found.declined == 0 &&
               found.drawn < jobs_[i].least_cases)
        ++few;
      kept.push_back(std::move(r.lines[i]));
    }
    r.lines = std::move(kept);
    std::vector<std::string> parts;
    if (not_run > 0)
      parts.push_back(laws_not_run.size() == 1
                          ? fmt::format("{} more verdicts of {} left out", not_run, *laws_not_run.begin())
                          : fmt::format("{} more verdicts left out", not_run));
    if (few > 0)
      parts.push_back(
          fmt::format("{} with fewer than {} cases on their main model", few, lead_cases_of_each()));
    if (few_sizes > 0) parts.push_back(fmt::format("{} of sizes with only some of their calls", few_sizes));
    if (tables_.cut_short > 0)
      parts.push_back(fmt::format("{} of tables with fewer than {} cases", tables_.cut_short, table_cases));
    if (rows_left_out_ > 0)
      parts.push_back(fmt::format("{} of arrays with only some of their rows", rows_left_out_));
    if (!parts.empty())
      r.cut = fmt::format("cut for {}: {}",
                          asked_.budget > 0 ? fmt::format("the budget of {:g} s", asked_.budget)
                                            : fmt::format("--cases {}", asked_.cases),
                          fmt::join(parts, ", "));
  }

  const verification& asked_;
  const std::atomic<bool>& stopped_;
  std::map<std::tuple<const judged_kernel*, const rotation_subject*, promise>, std::unique_ptr<held_rotation>>
      rotations_;
  std::map<std::tuple<const judged_kernel*, const addition_subject*, promise>, std::unique_ptr<held_addition>>
      additions_;
  std::vector<named_job> jobs_;
  std::vector<result> set_aside_;
  judged_tables tables_;
  std::vector<result> arrays_;
  std::int64_t rows_left_out_ = 0;
};

template <class Laws>
std::vector<law_text> texts_of(const Laws& laws) {
  std::vector<law_text> r;
  for (const auto& one : laws) r.push_back(one.text());
  return r;
}

}  // namespace

bool verification::asks_for(std::string_view law) const {
  if (skipped_laws.count(std::string(law)) > 0) return false;
  return laws.empty() || std::find(laws.begin(), laws.end(), law) != laws.end();
}

bool verification::has_subject(const judged_kernel& kernel) const {
  if (kernel.operation() == ROPEWALK_ROTATE) return !models.empty();
  return std::any_of(additions.begin(), additions.end(), [&](const addition_subject& one) {
    return one.truth->operation() == kernel.operation();
  });
}

std::vector<law_text> laws_of(ropewalk_operation operation) {
  return operation == ROPEWALK_ROTATE ? texts_of(rotation_laws::all) : texts_of(addition_laws::all);
}

results verify(const verification& asked, const std::atomic<bool>& stopped) {
  return verifier(asked, stopped).run();
}

}  // namespace ropewalk::verify
