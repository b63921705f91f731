#include "command/verify_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "command/bound_domain.hpp"
#include "command/kernel_words.hpp"
#include "command/watched_laws.hpp"
#include "search/diagnosis.hpp"
#include "search/schedule.hpp"
#include "writer/terminal.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t lead_cases = 200;  // of each kernel, law and dtype, on one model at least
constexpr std::int64_t other_cases = 3;   // on every other model
constexpr std::int64_t most_timed_cases = 1000;
constexpr std::int64_t promise_cases = 40;  // of each verdict, when a promise is tried that nobody made
constexpr double promise_share = 0.08;      // of the budget, for each promise tried

class verifier {
 public:
  verifier(const verification& asked, const std::atomic<bool>& stopped) : asked_(asked), stopped_(stopped) {}

  report::report run() {
    const auto begin = search::clock::now();
    report::report r;
    r.seed = asked_.seed;
    r.threads = asked_.threads;
    r.device = asked_.device;
    r.left_out = asked_.left_out;
    make_jobs();
    const double verdict_share = has_claims() ? 1 - promise_share * std::size(promises_by_strictness) : 1;
    r.lines = lines_of(run_jobs(jobs_, asked_.budget * verdict_share, "verify"));
    for (report::line& one : without_bound_) r.lines.push_back(std::move(one));
    explain_failures(r.lines);
    for (const verified_table& table : asked_.tables)
      if (!stopped_) r.lines.push_back(line_of(table));
    for (const verified_kernel& kernel : asked_.kernels)
      if (tries_promises(kernel) && !stopped_) r.promises.push_back(promise_of(kernel, r.lines));
    if (!stopped_) r.not_judged = not_judged(r.lines);
    r.seconds = std::chrono::duration<double>(search::clock::now() - begin).count();
    r.interrupted = stopped_;
    return r;
  }

 private:
  struct named_job {
    search::job job;
    const verified_kernel* kernel;
    const verified_model* model;
  };

  /// What an addition promises beside canonical bits has one bound: there is nothing to choose from.
  static bool tries_promises(const verified_kernel& kernel) {
    return kernel.chosen.may_claim() && operation_of(kernel) == ROPEWALK_ROTATE;
  }

  static ropewalk_operation operation_of(const verified_kernel& kernel) {
    return static_cast<ropewalk_operation>(kernel.chosen.kernel->operation);
  }

  /// Whether a law is one of the kernel's operation and speaks of its promise.
  static bool is_judged_by(const verified_kernel& kernel, const law& one) {
    const auto own = laws_of(operation_of(kernel));
    return std::any_of(own.begin(), own.end(), [&](const law& of) { return &of == &one; }) &&
           applies(one, kernel.promise);
  }

  bool has_claims() const {
    return std::any_of(asked_.kernels.begin(), asked_.kernels.end(),
                       [](const verified_kernel& kernel) { return tries_promises(kernel); });
  }

  const held_kernel& held(const verified_kernel& kernel, ropewalk_promise promise,
                          const verified_model& model) {
    auto& slot = held_[{&kernel, &model, promise}];
    if (!slot && model.adds) slot = std::make_unique<held_kernel>(*kernel.chosen.kernel, promise, model.adds);
    if (!slot)
      slot = std::make_unique<held_kernel>(*kernel.chosen.kernel, promise, model.model.encoding,
                                           model.model.layout, model.model.config);
    return *slot;
  }

  /// One model leads for each law and dtype: another one for each, so that all of them come to lead.
  std::int64_t least_cases(std::size_t law_index, std::size_t dtype_index, std::size_t model_index) const {
    if (asked_.cases > 0) return asked_.budget > 0 ? std::min(asked_.cases, lead_cases) : asked_.cases;
    return (law_index + dtype_index) % asked_.models.size() == model_index ? lead_cases : other_cases;
  }

  void make_jobs() {
    for (const verified_kernel& kernel : asked_.kernels)
      for (std::size_t m = 0; m < asked_.models.size(); ++m)
        for (std::size_t d = 0; d < asked_.dtypes.size(); ++d)
          for (std::size_t l = 0; l < asked_.laws.size(); ++l)
            if (is_judged_by(kernel, *asked_.laws[l]) &&
                asked_.models[m].operation() == operation_of(kernel) &&
                speaks_of(*asked_.laws[l], held(kernel, kernel.promise, asked_.models[m])))
              add_job(make_job(kernel, kernel.promise, asked_.models[m], asked_.dtypes[d], *asked_.laws[l],
                               least_cases(l, d, m)));
  }

  /// A law whose bound does not speak for the model's attention factor is not run.
  void add_job(const named_job& one) {
    const std::string why = missing_bound_of(one);
    if (one.job.judged_by->relative_to.empty() || why.empty()) {
      jobs_.push_back(one);
      return;
    }
    without_bound_.push_back(line_of(one, {}));
    without_bound_.back().no_bound = why;
  }

  static std::string missing_bound_of(const named_job& one) {
    return missing_bound(one.job.kernel->promise(), one.job.dtype, one.job.kernel->nearest_attention());
  }

  named_job make_job(const verified_kernel& kernel, ropewalk_promise promise, const verified_model& model,
                     ropewalk_dtype dtype, const law& judged_by, std::int64_t least) {
    return {{&watched(judged_by), &held(kernel, promise, model), dtype,
             search::job_seed(asked_.seed, model.model.name, dtype, judged_by), least},
            &kernel,
            &model};
  }

  std::vector<search::outcome> run_jobs(const std::vector<named_job>& named, double budget,
                                        const char* label) const {
    std::vector<search::job> jobs;
    for (const named_job& one : named) jobs.push_back(one.job);
    const std::int64_t most = asked_.cases > 0 ? asked_.cases : most_timed_cases;
    writer::progress_bar bar(label, jobs.size(), asked_.quiet);
    return search::run(jobs, {asked_.threads, most, std::chrono::duration<double>(budget)}, stopped_,
                       [&](std::size_t done) { bar.show(done); });
  }

  std::vector<report::line> lines_of(std::vector<search::outcome> outcomes) const {
    std::vector<report::line> lines;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      report::line line = line_of(jobs_[i], std::move(outcomes[i]));
      if (!line.found.holds()) line.reproduce = reproduce(jobs_[i], line.found);
      if (line.found.holds() && line.found.cases == 0 && line.found.declined > 0)
        line.no_bound = missing_bound_of(jobs_[i]);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  static report::line line_of(const named_job& one, search::outcome found) {
    return {one.kernel->chosen.label(),
            one.model->model.name,
            one.job.dtype,
            one.job.judged_by,
            one.kernel->promise,
            one.model->model.encoding.rotary_dim,
            one.model->model.layout.pairing_out,
            std::move(found),
            "",
            "",
            "",
            operation_of(*one.kernel) == ROPEWALK_ADD_BIAS};
  }

  static report::line line_of(const verified_table& table) {
    report::line r;
    r.kernel = "tables";
    r.model = table.encoding;
    r.dtype = table.dtype;
    r.judged_by = table.judged_by;
    r.found.worst = table.run();
    r.found.cases = 1;
    r.found.compared = r.found.worst.compared;
    if (r.found.worst.holds) return r;
    r.found.failure = search::counterexample{{}, {}, r.found.worst, 0, 0};
    r.likely = "this library's own table is wrong";
    r.reproduce = fmt::format("ropewalk verify --law {}", table.judged_by->name);
    return r;
  }

  std::string reproduce(const named_job& one, const search::outcome& found) const {
    const std::string options = one.model->options.empty() ? "" : one.model->options + " ";
    std::string text =
        fmt::format("ropewalk verify {}--kernel {} --law {} --dtype {}", options, one.kernel->option,
                    one.job.judged_by->name, ropewalk::name_of(one.job.dtype));
    if (one.kernel->chosen.may_claim())
      text += fmt::format(" --promise {}", report::name_of(one.kernel->promise));
    if (needs_device(one.kernel->chosen)) text += asked_.device_option;
    return text + fmt::format(" --seed {} --cases {}", asked_.seed,
                              found.failure ? found.failure->case_number + 1 : found.cases + 1);
  }

  /// Shrinks and explains the first failure of each kernel and law; the others are kept as they were found.
  void explain_failures(std::vector<report::line>& lines) const {
    std::set<std::pair<std::string, const law*>> explained;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      report::line& line = lines[i];
      if (!line.found.failure) continue;
      const search::job& job = jobs_[i].job;
      if (stopped_ || !explained.insert({line.kernel, line.judged_by}).second) continue;
      search::shrink(*job.judged_by, *job.kernel, job.seed, *line.found.failure, stopped_);
      line.likely = visible(likely_of(job, *line.found.failure));
    }
  }

  /// The known faults are told apart by bounds; where there is none, only that can be said.
  static std::string likely_of(const search::job& job, const search::counterexample& failure) try {
    return search::words_for(*job.judged_by, *job.kernel, failure);
  } catch (const std::invalid_argument&) {
    const std::string why = missing_bound(job.kernel->promise(), job.dtype, job.kernel->nearest_attention());
    if (why.empty()) throw;
    return "not told apart from known faults: " + why;
  }

  /// Whether every law that a promise is judged by holds, each on one compared case at least. Where the
  /// promise has no bound it cannot be judged, and is not kept.
  bool keeps(const verified_kernel& kernel, ropewalk_promise promise, std::int64_t& tried) {
    for (const law& one : ropewalk::laws) {
      if (!applies(one, promise)) continue;
      std::vector<named_job> jobs;
      for (const verified_model& model : asked_.models)
        for (const ropewalk_dtype dtype : asked_.dtypes) {
          if (model.adds) continue;
          jobs.push_back(make_job(kernel, promise, model, dtype, one, promise_cases / 8));
          if (!missing_bound_of(jobs.back()).empty()) return false;
        }
      const double share = asked_.budget * promise_share / static_cast<double>(ropewalk::laws.size());
      std::int64_t compared = 0;
      bool holds = true,
           is_declined = true;  // a law that the kernel serves no case of says nothing of its promise
      for (const search::outcome& found : run_jobs(jobs, share, "promises")) {
        is_declined = is_declined && found.cases == 0 && found.declined > 0;
        tried += found.cases;
        if (!found.says_nothing()) compared += found.compared;
        holds = holds && found.holds();
      }
      if (!holds || (compared == 0 && !is_declined) || stopped_) return false;
    }
    return true;
  }

  report::promise_line promise_of(const verified_kernel& kernel, const std::vector<report::line>& lines) {
    report::promise_line r{kernel.chosen.label(), report::name_of(kernel.promise), "", 0, true};
    std::int64_t claim_cases = 0;
    bool kept = true;
    for (const report::line& line : lines) {
      if (line.kernel != r.kernel) continue;
      claim_cases += line.found.cases;
      kept = kept && line.found.holds() && line.no_bound.empty();
    }
    r.judged = is_judged(r.kernel, nullptr, lines);
    for (const law* one : asked_.laws)
      kept = kept && (!is_judged_by(kernel, *one) || is_judged(r.kernel, one, lines) ||
                      is_declined(r.kernel, *one, lines));
    const bool judged_by_all = !asked_.laws_are_named;
    for (const ropewalk_promise promise : promises_by_strictness) {
      if (!r.judged || stopped_) break;
      const bool is_known = promise == kernel.promise && (!kept || judged_by_all);
      if (is_known) r.cases += claim_cases;
      if (!(is_known ? kept : keeps(kernel, promise, r.cases))) continue;
      r.strictest = report::name_of(promise);
      break;
    }
    return r;
  }

  /// Whether a kernel came to a verdict, of one law or (nullptr) of any.
  static bool is_judged(const std::string& kernel, const law* judged_by,
                        const std::vector<report::line>& lines) {
    return std::any_of(lines.begin(), lines.end(), [&](const report::line& line) {
      return line.kernel == kernel && (judged_by == nullptr || line.judged_by->name == judged_by->name) &&
             report::is_judged(line);
    });
  }

  /// Whether a kernel served no case of a law.
  static bool is_declined(const std::string& kernel, const law& judged_by,
                          const std::vector<report::line>& lines) {
    return std::all_of(lines.begin(), lines.end(), [&](const report::line& line) {
      return line.kernel != kernel || line.judged_by->name != judged_by.name ||
             report::finding_of(line) == report::finding::not_served;
    });
  }

  /// What was asked for and came to no verdict. A law that nobody named for a kernel that nobody named is not
  /// asked for where the kernel's promise leaves it out.
  std::vector<std::string> not_judged(const std::vector<report::line>& lines) const {
    std::vector<std::string> r;
    for (const verified_kernel& kernel : asked_.kernels) {
      const bool has_subject =
          std::any_of(asked_.models.begin(), asked_.models.end(),
                      [&](const verified_model& model) { return model.operation() == operation_of(kernel); });
      if (!has_subject && !asked_.kernels_are_named) continue;  // nobody asked for one that adds
      const std::string name = kernel.chosen.label();
      const auto is_asked_for = [&](const law* one) {
        const auto own = laws_of(operation_of(kernel));
        const bool is_own = std::any_of(own.begin(), own.end(), [&](const law& of) { return &of == one; });
        return is_own && (asked_.kernels_are_named || applies(*one, kernel.promise));
      };
      if (std::none_of(asked_.laws.begin(), asked_.laws.end(), is_asked_for)) continue;
      if (!is_judged(name, nullptr, lines)) {
        r.push_back(name + ": nothing judged");
        continue;
      }
      for (const law* one : asked_.laws)
        if (asked_.laws_are_named && is_asked_for(one) && !is_judged(name, one, lines))
          r.push_back(fmt::format("{}: {} judged nothing", name, one->name));
    }
    return r;
  }

  const verification& asked_;
  const std::atomic<bool>& stopped_;
  std::map<std::tuple<const verified_kernel*, const verified_model*, ropewalk_promise>,
           std::unique_ptr<held_kernel>>
      held_;
  std::vector<named_job> jobs_;
  std::vector<report::line> without_bound_;
};

}  // namespace

report::report verify(const verification& asked, const std::atomic<bool>& stopped) {
  return verifier(asked, stopped).run();
}

}  // namespace ropewalk::command
