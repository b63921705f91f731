#include "command/verify_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "search/diagnosis.hpp"
#include "search/schedule.hpp"
#include "writer/terminal.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t lead_cases = 200;  // of each kernel, law and dtype, on one model at least
constexpr std::int64_t other_cases = 3;   // on every other model
constexpr std::int64_t most_timed_cases = 1000;
constexpr std::int64_t promise_cases = 40;  // of each verdict, when a promise is tried that nobody made
constexpr double promise_share = 0.1;       // of the budget, for each promise tried

constexpr ropewalk_promise by_strictness[] = {ROPEWALK_CANONICAL, ROPEWALK_ROUNDED_TABLE,
                                              ROPEWALK_DTYPE_TABLE, ROPEWALK_ANGLE_F32};

class verifier {
 public:
  verifier(const verification& asked, const std::atomic<bool>& stopped) : asked_(asked), stopped_(stopped) {}

  report::report run() {
    const auto begin = search::clock::now();
    report::report r;
    r.seed = asked_.seed;
    r.threads = asked_.threads;
    make_jobs();
    const double foreign_share = has_foreign() ? 1 - promise_share * 4 : 1;
    r.lines = lines_of(run_jobs(jobs_, asked_.budget * foreign_share, "verify"));
    explain_failures(r.lines);
    for (const verified_kernel& kernel : asked_.kernels)
      if (!kernel.chosen.library.empty()) r.promises.push_back(promise_of(kernel, r.lines));
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

  bool has_foreign() const {
    return std::any_of(asked_.kernels.begin(), asked_.kernels.end(),
                       [](const verified_kernel& kernel) { return !kernel.chosen.library.empty(); });
  }

  const held_kernel& held(const verified_kernel& kernel, ropewalk_promise promise,
                          const verified_model& model) {
    auto& slot = held_[{&kernel, &model, promise}];
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
            if (applies(*asked_.laws[l], kernel.promise))
              jobs_.push_back(make_job(kernel, kernel.promise, asked_.models[m], asked_.dtypes[d],
                                       *asked_.laws[l], least_cases(l, d, m)));
  }

  named_job make_job(const verified_kernel& kernel, ropewalk_promise promise, const verified_model& model,
                     ropewalk_dtype dtype, const law& judged_by, std::int64_t least) {
    return {{&judged_by, &held(kernel, promise, model), dtype,
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
      const named_job& one = jobs_[i];
      report::line line{one.kernel->chosen.label(),
                        one.model->model.name,
                        one.job.dtype,
                        one.job.judged_by,
                        one.kernel->promise,
                        one.model->model.encoding.rotary_dim,
                        one.model->model.layout.pairing_out,
                        std::move(outcomes[i]),
                        "",
                        ""};
      if (!line.found.holds()) line.reproduce = reproduce(one, line.found);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  std::string reproduce(const named_job& one, const search::outcome& found) const {
    std::string text =
        fmt::format("ropewalk verify {} --kernel {} --law {} --dtype {}", one.model->options,
                    one.kernel->option, one.job.judged_by->name, ropewalk::name_of(one.job.dtype));
    if (!one.kernel->chosen.library.empty())
      text += fmt::format(" --promise {}", report::name_of(one.kernel->promise));
    return text + fmt::format(" --seed {} --cases {}", asked_.seed,
                              found.failure ? found.failure->case_number + 1 : found.cases + 1);
  }

  /// Shrinks and explains the first failure of each kernel and law; the others are kept as they were found.
  void explain_failures(std::vector<report::line>& lines) const {
    std::set<std::pair<std::string, const law*>> explained;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      report::line& line = lines[i];
      if (!line.found.failure) continue;
      const search::job& job = jobs_[i].job;
      if (stopped_ || !explained.insert({line.kernel, line.judged_by}).second) continue;
      search::shrink(*job.judged_by, *job.kernel, job.seed, *line.found.failure, stopped_);
      line.likely = search::words_for(*job.judged_by, *job.kernel, *line.found.failure);
    }
  }

  bool keeps(const verified_kernel& kernel, ropewalk_promise promise) {
    for (const law& one : ropewalk::laws) {
      if (!applies(one, promise)) continue;
      std::vector<named_job> jobs;
      for (const verified_model& model : asked_.models)
        for (const ropewalk_dtype dtype : asked_.dtypes)
          jobs.push_back(make_job(kernel, promise, model, dtype, one, promise_cases / 8));
      const double share = asked_.budget * promise_share / static_cast<double>(ropewalk::laws.size());
      for (const search::outcome& found : run_jobs(jobs, share, "promises"))
        if (!found.holds() || stopped_) return false;
    }
    return true;
  }

  report::promise_line promise_of(const verified_kernel& kernel, const std::vector<report::line>& lines) {
    report::promise_line r{kernel.chosen.label(), report::name_of(kernel.promise), ""};
    const bool judged_by_all = asked_.laws.size() == ropewalk::laws.size();
    const bool kept = std::all_of(lines.begin(), lines.end(), [&](const report::line& line) {
      return line.kernel != r.kernel || line.found.holds();
    });
    for (const ropewalk_promise promise : by_strictness) {
      const bool is_claim = promise == kernel.promise;
      const bool holds = is_claim && (!kept || judged_by_all) ? kept : keeps(kernel, promise);
      if (!holds) continue;
      r.strictest = report::name_of(promise);
      break;
    }
    return r;
  }

  const verification& asked_;
  const std::atomic<bool>& stopped_;
  std::map<std::tuple<const verified_kernel*, const verified_model*, ropewalk_promise>,
           std::unique_ptr<held_kernel>>
      held_;
  std::vector<named_job> jobs_;
};

}  // namespace

report::report verify(const verification& asked, const std::atomic<bool>& stopped) {
  return verifier(asked, stopped).run();
}

}  // namespace ropewalk::command
