#include "verify/law_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "output/terminal.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/size_cases.hpp"
#include "verify/beyond_limits.hpp"
#include "verify/held.hpp"
#include "verify/lead_cases.hpp"
#include "verify/missing_bound.hpp"

namespace ropewalk::verify {
namespace {

constexpr std::int64_t first_cases = 3;  // per verdict
constexpr std::int64_t most_timed_cases = 1000;

std::string missing_bound_of(const checked_rotation& kernel, ropewalk_dtype dtype) {
  if (!kernel.knows_frequencies())
    return "a frequency that the kernel forms in binary32 may have a relative error above 1/4";
  return missing_bound(kernel.promised(), dtype, kernel.nearest_attention());
}
std::string missing_bound_of(const checked_addition&, ropewalk_dtype) { return {}; }

/// Records the positions from which the bounds are vacuous.
void report_vacuous(const law<checked_rotation>& law, const checked_rotation& kernel, ropewalk_dtype dtype,
                    result& line) {
  line.some_vacuous_from = kernel.vacuous_from(law, dtype, false);
  line.every_vacuous_from = kernel.vacuous_from(law, dtype, true);
}
void report_vacuous(const law<checked_addition>&, const checked_addition&, ropewalk_dtype, result&) {}

result blank_for(const judged_kernel& kernel, const rotation_subject& subject) {
  result blank;
  blank.kernel = kernel.chosen.label();
  blank.model = subject.model.name;
  blank.rotary_dim = subject.model.encoding.rotary_dim;
  blank.rotary_begin = subject.model.layout.rotary_begin;
  blank.pairing_out = subject.model.layout.pairing_out;
  blank.axes = subject.model.axes;
  return blank;
}

result blank_for(const judged_kernel& kernel, const addition_subject& subject) {
  result blank;
  blank.kernel = kernel.chosen.label();
  blank.model = subject.name;
  blank.has_keys = kernel.operation() == ROPEWALK_ADD_BIAS;
  return blank;
}

bool is_same_subject(const any_failures& a, const any_failures& b) {
  const auto subject = [](const auto& failures) -> const void* { return failures.subject; };
  return std::visit(subject, a) == std::visit(subject, b);
}

std::string options_of(const rotation_subject& subject) {
  return subject.options.empty() ? "" : subject.options + " ";
}
std::string options_of(const addition_subject&) { return ""; }

/// The option that repeats the first cases of a search.
std::string cases_option(const search::outcome& outcome, std::int64_t cases) {
  return fmt::format(" --cases {}{}", cases, cases < outcome.count ? " --allow-cut" : "");
}

}  // namespace

const checked_rotation& law_jobs::held(const judged_kernel& kernel, promise promised,
                                       const rotation_subject& subject) {
  auto& slot = rotations_[{&kernel, &subject, promised}];
  if (slot) return *slot;
  asked_calls calls = request_.calls;
  if (asks_each_position(kernel)) calls.context = context_of(subject.model);
  slot = hold(*kernel.chosen.entry, promised, subject, calls);
  return *slot;
}

const checked_addition& law_jobs::held(const judged_kernel& kernel, promise promised,
                                       const addition_subject& subject) {
  auto& slot = additions_[{&kernel, &subject, promised}];
  if (!slot) slot = hold(*kernel.chosen.entry, promised, subject, request_.calls);
  return *slot;
}

template <class Kernel, class Subject>
law_jobs::named_job law_jobs::make_job(const judged_kernel& kernel, promise promised, const Subject& on,
                                       ropewalk_dtype dtype, const law<Kernel>& law, bool leads) {
  const Kernel& judged = held(kernel, promised, on);
  named_job job;
  job.blank = blank_for(kernel, on);
  job.blank.dtype = dtype;
  job.blank.law = law.text();
  job.blank.needs = law.needs;
  job.blank.promised = promised;
  job.blank.operation = kernel.operation();
  const std::uint64_t seed = search::job_seed(request_.seed, job.blank.model, dtype, law.name);
  job.least_cases = search::least_cases(law, judged, dtype);
  job.blank.outcome.count = wanted_cases(law, job.least_cases, leads);
  // Without a budget or a number of cases, only as many as a verdict needs.
  const std::int64_t most = request_.cases > 0    ? request_.cases
                            : request_.budget > 0 ? most_timed_cases
                                                  : job.blank.outcome.count;
  job.job.go_on = [&judged, &law, dtype, seed, most](search::limits until, const std::atomic<bool>& stopped,
                                                     search::outcome& so_far) {
    until.most_cases = std::min(until.most_cases, most);
    search::search_on(law, judged, dtype, seed, until, stopped, so_far);
  };
  // Slow laws wait: extrapolation and sizes start after the first cases of the others.
  const bool waits = law.needs.one_range || law.needs.sizes;
  const std::int64_t few = std::min(first_cases, job.blank.outcome.count);
  if (request_.budget > 0) job.job.stages = {leads && !waits ? few : 0, few, job.blank.outcome.count};
  job.shrink = [&judged, &law, seed, this](search::counterexample& counterexample,
                                           search::clock::time_point deadline) {
    search::shrink(law, judged, seed, counterexample, stopped_, deadline);
  };
  job.report_vacuous = [&judged, &law, dtype](result& line) { report_vacuous(law, judged, dtype, line); };
  job.kernel = &kernel;
  job.no_failures = failures<Kernel, Subject>{&on};
  job.add_failure = [&law](any_failures& failed, const search::counterexample& counterexample) {
    auto& same_kind = std::get<failures<Kernel, Subject>>(failed);
    same_kind.add(law, counterexample.original, counterexample.is_reproducible);
    if (!(counterexample.smallest == counterexample.original))
      same_kind.add(law, counterexample.smallest, counterexample.is_reproducible);
  };
  job.missing_bound = missing_bound_of(judged, dtype);
  job.blank.beyond = beyond_limits(law, judged, dtype);
  if (const auto same_as = judged.same_as(); same_as && job.blank.beyond.empty())
    if (const std::string beyond = beyond_limits(law, *same_as, dtype); !beyond.empty())
      job.blank.beyond = fmt::format("{}: {}", same_as->name(), beyond);
  if (law.needs.sizes && job.least_cases == 0 && job.blank.beyond.empty())
    job.blank.beyond = "sizes: no size is served";
  job.reproduce =
      fmt::format("ropewalk verify {}--kernel {}{} --dtype {}", options_of(on), kernel.option,
                  request_.same_as ? "" : fmt::format(" --law {}", law.name), ropewalk::name_of(dtype));
  if (request_.same_as)
    job.reproduce += " --same-as " + request_.same_as->option;
  else if (kernel.chosen.may_claim())
    job.reproduce += fmt::format(" --promise {}", name_of(promised, kernel.operation()));
  if (request_.form && kernel.operation() == ROPEWALK_ADD_BIAS)
    job.reproduce += fmt::format(" --form {}", ropewalk::name_of(*request_.form));
  if (needs_device(kernel.chosen)) job.reproduce += request_.device_option;
  const position_range positions = request_.calls.positions;
  if (positions.begin != positions.end)
    job.reproduce += fmt::format(" --positions {}:{}", positions.begin, positions.end);
  if (request_.calls.every_environment) job.reproduce += " --environment all";
  job.reproduce += fmt::format(" --seed {}", request_.seed);
  return job;
}

template <class Kernel>
std::int64_t law_jobs::wanted_cases(const law<Kernel>& law, std::int64_t least, bool leads) const {
  if (law.needs.sizes) return least;
  if (!leads) return law.needs.one_range ? 0 : first_cases;
  return std::max(lead_cases(law.name, request_.dtypes.size()), least);
}

template <class Subject>
bool law_jobs::is_within_limits(const judged_kernel& kernel, const Subject& on) {
  return beyond_limits(held(kernel, kernel.promised, on)).empty();
}

template <class Laws, class Subject>
void law_jobs::make_jobs(const judged_kernel& kernel, const Laws& laws,
                         const std::vector<const Subject*>& subjects) {
  for (std::size_t l = 0; l < laws.size(); ++l) {
    std::vector<const Subject*> judged;
    for (const Subject* subject : subjects)
      if (request_.asks_for(laws[l].name) && laws[l].applies(held(kernel, kernel.promised, *subject)))
        judged.push_back(subject);
    if (judged.empty()) continue;
    std::size_t leader = (l + request_.seed) % judged.size();
    // Sizes depend on the kernel, not on the model, so one served subject is enough.
    if (laws[l].needs.sizes) {
      for (std::size_t i = 1; i < judged.size() && !is_within_limits(kernel, *judged[leader]); ++i)
        leader = (leader + 1) % judged.size();
      judged = {judged[leader]};
      leader = 0;
    }
    for (std::size_t s = 0; s < judged.size(); ++s)
      for (const ropewalk_dtype dtype : request_.dtypes)
        add_job(make_job(kernel, kernel.promised, *judged[s], dtype, laws[l], s == leader));
  }
}

law_jobs::law_jobs(const verification& request, const std::atomic<bool>& stopped)
    : request_(request), stopped_(stopped) {
  for (const judged_kernel& kernel : request_.kernels) {
    if (kernel.operation() == ROPEWALK_ROTATE) {
      std::vector<const rotation_subject*> subjects;
      for (const rotation_subject& model : request_.models) subjects.push_back(&model);
      make_jobs(kernel, rotation_laws::all, subjects);
      make_jobs(kernel, rotation_laws::of_two_kernels, subjects);
    } else {
      make_jobs(kernel, addition_laws::all, request_.additions_of(kernel));
      make_jobs(kernel, addition_laws::of_two_kernels, request_.additions_of(kernel));
    }
  }
}

void law_jobs::add_job(named_job job) {
  if (!job.blank.law.norm.empty()) job.blank.no_bound = job.missing_bound;
  if (job.blank.beyond.empty() && job.blank.no_bound.empty())
    jobs_.push_back(std::move(job));
  else
    set_aside_.push_back(std::move(job.blank));
}

std::vector<result> law_jobs::run(double budget, double limit) const {
  std::vector<search::job> jobs;
  for (const named_job& job : jobs_) jobs.push_back(job.job);
  const std::int64_t most = request_.cases > 0 ? request_.cases : most_timed_cases;
  constexpr std::uint64_t steps = 1000;
  output::progress_bar bar("verify", steps, request_.quiet);
  using seconds = std::chrono::duration<double>;
  std::vector<search::outcome> outcomes =
      search::run(jobs, {request_.threads, most, seconds(budget), seconds(limit)}, stopped_,
                  [&](double share) { bar.show(static_cast<std::uint64_t>(steps * share)); });
  std::vector<result> results;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    result result = jobs_[i].blank;
    outcomes[i].count = result.outcome.count;
    result.outcome = std::move(outcomes[i]);
    if (result.outcome.vacuous > 0) jobs_[i].report_vacuous(result);
    const search::outcome& outcome = result.outcome;
    if (!outcome.holds())
      result.reproduce = jobs_[i].reproduce + cases_option(outcome, outcome.asked());
    else if (outcome.first_unanswered)
      result.reproduce =
          jobs_[i].reproduce + cases_option(outcome, outcome.first_unanswered->case_number + 1);
    if (outcome.holds() && outcome.cases == 0 && outcome.declined > 0)
      result.no_bound = jobs_[i].missing_bound;
    results.push_back(std::move(result));
  }
  return results;
}

void law_jobs::shrink_failures(std::vector<result>& lines, search::clock::time_point deadline) const {
  std::set<std::pair<std::string, std::string_view>> seen;
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    if (lines[i].outcome.failure && seen.insert({lines[i].kernel, lines[i].law.name}).second)
      failed.push_back(i);
  for (std::size_t done = 0; done < failed.size() && !stopped_; ++done) {
    result& line = lines[failed[done]];
    const auto now = search::clock::now();
    const bool has_deadline = deadline != search::clock::time_point{};
    const auto share = (deadline - now) / static_cast<std::int64_t>(failed.size() - done);
    jobs_[failed[done]].shrink(*line.outcome.failure, has_deadline ? now + share : deadline);
    line.is_shown = true;
  }
}

std::vector<failing> law_jobs::failing_of(const std::vector<result>& lines) const {
  std::vector<failing> failings;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (!lines[i].outcome.failure) continue;
    const named_job& job = jobs_[i];
    auto same = std::find_if(failings.begin(), failings.end(), [&](const failing& failing) {
      return failing.kernel == job.kernel && is_same_subject(failing.failed, job.no_failures);
    });
    if (same == failings.end())
      same = failings.insert(failings.end(), {job.kernel, lines[i].model, job.no_failures});
    job.add_failure(same->failed, *lines[i].outcome.failure);
  }
  return failings;
}

cut_searches law_jobs::remove_cut(std::vector<result>& lines) const {
  cut_searches searches;
  std::vector<result> kept;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const search::outcome& outcome = lines[i].outcome;
    if (outcome.count == 0 && outcome.holds() && outcome.unanswered == 0 &&
        outcome.asked() < jobs_[i].least_cases) {
      ++searches.count;
      searches.laws.insert(lines[i].law.name);
      continue;
    }
    kept.push_back(std::move(lines[i]));
  }
  lines = std::move(kept);
  return searches;
}

void law_jobs::clear() {
  jobs_.clear();  // first: they refer to the kernels, which own the plans
  rotations_.clear();
  additions_.clear();
}

}  // namespace ropewalk::verify
