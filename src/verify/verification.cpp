#include "verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"
#include "transport/child.hpp"
#include "transport/exchange.hpp"
#include "transport/library_kernels.hpp"
#include "transport/patience.hpp"
#include "transport/remote_kernel.hpp"
#include "verify/as_good_as.hpp"
#include "verify/demands.hpp"
#include "verify/failure_causes.hpp"
#include "verify/held.hpp"
#include "verify/law_jobs.hpp"

namespace ropewalk::verify {
namespace {

// Shares of the budget.
constexpr double search_share = 0.85;   // for tables and searches, before promises take theirs
constexpr double table_share = 0.2;     // at most, of this library's own tables
constexpr double explain_share = 0.05;  // at least, for the searches and each step that explains failures
constexpr double promise_share = 0.4;   // taken from the searches if kernels are tried on promises
// For promises, if there is no budget; or three times as long as the laws took, if that is more.
constexpr double trial_seconds = 60;

search::clock::duration seconds(double count) {
  return std::chrono::duration_cast<search::clock::duration>(std::chrono::duration<double>(count));
}

class verifier {
 public:
  verifier(const verification& request, const std::atomic<bool>& stopped,
           const std::function<void(const results&)>& judged)
      : request_(request), stopped_(stopped), judged_(judged) {}

  results run() {
    const auto begin = search::clock::now();
    const auto start = std::chrono::steady_clock::now();
    const double processor_begin = search::processor_seconds();
    results run;
    run.seed = request_.seed;
    run.threads = request_.threads;
    run.device = request_.device;
    run.left_out = request_.left_out;
    run.limits = texts_of_limits();
    run.allows_declined = request_.allows_declined;
    run.allows_cut = request_.allows_cut;
    run.skipped_laws = request_.skipped_laws;
    run.files = files();
    judge_tables(begin);
    judge_arrays(run, begin);
    jobs_.emplace(request_, stopped_);
    if (request_.budget > 0) transport::end_of_waiting = start + waiting(limit_);
    const double verdict_share = count_of_claims() > 0 ? 1 - promise_share : 1;
    const std::chrono::duration<double> spent = search::clock::now() - begin;
    const double budget =
        std::max(request_.budget * search_share - spent.count(), request_.budget * explain_share);
    const double limit = std::max(limit_ * search_share - spent.count(), budget);
    run.lines = jobs_->run(budget * verdict_share, limit * verdict_share);
    // Leaves explain_share in any case.
    const auto time_of = [&](double share) {
      if (request_.budget <= 0) return search::clock::time_point{};
      return std::max(begin + seconds(request_.budget * share),
                      search::clock::now() + seconds(request_.budget * explain_share));
    };
    await_further(request_.budget * explain_share);
    jobs_->shrink_failures(run.lines, time_of(verdict_share));
    std::vector<failing> failed = jobs_->failing_of(run.lines);
    report_what_was_cut(run);
    for (result& result : jobs_->take_set_aside()) run.lines.push_back(std::move(result));
    for (result& line : arrays_.lines) run.lines.push_back(std::move(line));
    for (result& line : tables_.lines) {
      if (!line.outcome.holds())
        report_diagnosis(
            run.diagnoses, line.kernel, line.model,
            {.verdict = diagnosis::verdict::explained, .sentence = "this library's own table is wrong"});
      run.lines.push_back(std::move(line));
    }
    for (result& line : run.lines) line.allows_cut = request_.allows_cut;
    const auto now = search::clock::now();
    await_further(request_.budget * explain_share);
    try_promises(
        run, request_.budget > 0 ? time_of(1) : now + std::max(3 * (now - begin), seconds(trial_seconds)));
    if (!stopped_) run.not_judged = not_judged(request_, run.lines);
    for (const std::string& layer : request_.missing_layers) run.not_judged.push_back(layer);
    run.failed_on = failed_on(request_, run.lines);
    run.awaits_verdicts = std::any_of(run.lines.begin(), run.lines.end(), [](const result& result) {
      return result.outcome.holds() && result.outcome.awaited > 0;
    });
    if (judged_ && !failed.empty() && !run.awaits_verdicts && !stopped_) judged_(run);
    transport::end_of_waiting = request_.diagnosis
                                    ? transport::monotonic_clock::now() + waiting(*request_.diagnosis)
                                    : transport::monotonic_clock::time_point::max();
    if (request_.diagnosis != 0.0) {
      const auto end_of_diagnosis = request_.diagnosis ? search::clock::now() + seconds(*request_.diagnosis)
                                                       : search::clock::time_point{};
      diagnose_failures(request_, std::move(failed), end_of_diagnosis, stopped_, run.diagnoses);
    }
    transport::end_of_waiting = transport::monotonic_clock::time_point::max();
    report_what_is_awaited(run);
    run.ended = request_.ended;
    report_unanswered(run);
    if (!stopped_) unload_libraries(run);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.processor_seconds = search::processor_seconds() - processor_begin;
    run.interrupted = stopped_;
    return run;
  }

 private:
  /// The time that may pass while `budget` seconds of the budget clock are spent.
  static transport::monotonic_clock::duration waiting(double budget) {
    return std::chrono::duration_cast<transport::monotonic_clock::duration>(
        std::chrono::duration<double>(search::most_waiting * budget));
  }

  /// Extends the wait for answers by `budget` seconds of the budget clock, if there is a budget.
  void await_further(double budget) const {
    if (request_.budget <= 0) return;
    transport::end_of_waiting =
        std::max(transport::end_of_waiting.load(), transport::monotonic_clock::now() + waiting(budget));
  }

  /// Writes the pending requests, and reports the commands that bring their answers.
  static void report_what_is_awaited(results& results) {
    for (const transport::awaited_answers& request : transport::write_requests())
      results.awaits.push_back(transport::what_to_run(request));
  }

  /// Reports kernel processes that ended or did not answer, each with its first such case.
  void report_unanswered(results& results) const {
    std::set<std::pair<std::string, std::string>> items;
    std::set<std::string> kernels;
    for (const result& line : results.lines) {
      if (!line.outcome.first_unanswered) continue;
      const search::counterexample& first = *line.outcome.first_unanswered;
      if (first.measured.trouble.ends_with(transport::not_asked_again)) continue;
      kernels.insert(line.kernel);
      // The address of an access depends on the case, so each kind of end is reported once.
      const std::string& how = first.measured.trouble;
      if (!items.insert({line.kernel, how.substr(0, how.find(" when it "))}).second) continue;
      results.ended.push_back(fmt::format("{}: {} in {}, {}, {}, at {}; again: {}", line.kernel,
                                          first.measured.trouble, line.model, ropewalk::name_of(line.dtype),
                                          line.law.name, search::text_of(first.original), line.reproduce));
    }
    for (const judged_kernel& kernel : request_.kernels)
      if (const std::string how = transport::first_end_of(*kernel.chosen.entry);
          !how.empty() && kernels.count(kernel.chosen.label()) == 0)
        results.ended.push_back(fmt::format(
            "{}: {}, outside the searches of laws: while preparing the kernel, repeating, shrinking or "
            "explaining a failure, or trying promises; again: the same command with --seed {}",
            kernel.chosen.label(), how, request_.seed));
  }

  /// Frees every plan and unloads the libraries. Reports processes that end abnormally, and those that
  /// printed something.
  void unload_libraries(results& results) {
    jobs_->clear();
    for (const auto& [path, how, printed, is_cut] : transport::end_libraries()) {
      const std::string name = printable(std::string(library_prefix) + path);
      if (!how.empty()) results.ended.push_back(fmt::format("{}: its process {}", name, how));
      if (printed > 0)
        results.printed.push_back(fmt::format("{} printed {} byte{}, passed on to standard error{}", name,
                                              printed, printed == 1 ? "" : "s",
                                              is_cut ? "; its output beyond 1 MiB was refused" : ""));
    }
  }

  /// The files of kernels, arrays and models, by their names in results.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> files;
    for (const judged_kernel& kernel : request_.kernels)
      if (const std::string file = kernel.chosen.file(); !file.empty()) files[kernel.chosen.label()] = file;
    for (const rotation_subject& model : request_.models)
      if (!model.file.empty()) files[model.model.name] = model.file;
    for (const given_array& array : request_.arrays)
      files[input::visible(array.place.text())] = array.place.path;
    return files;
  }

  /// Restrictions of the request and limits of the kernels, one line each.
  std::vector<std::string> texts_of_limits() const {
    std::vector<std::string> texts;
    for (const auto& [law, reason] : request_.skipped_laws)
      texts.push_back(fmt::format("left out: {}, because {}", law, reason));
    const position_range positions = request_.calls.positions;
    if (positions.begin != positions.end)
      texts.push_back(fmt::format("asked for: positions {} to {}", positions.begin, positions.end - 1));
    // Each text of limits, and the kernels that it applies to.
    std::vector<std::pair<std::string, std::string>> limited;
    for (const judged_kernel& kernel : request_.kernels) {
      const ropewalk_limits* limits = kernel.chosen.entry->limits;
      const std::string text = limits == nullptr ? "" : served_calls(*limits).text();
      const auto same =
          std::find_if(limited.begin(), limited.end(), [&](const auto& item) { return item.first == text; });
      if (same != limited.end())
        same->second += ", " + kernel.chosen.label();
      else if (!text.empty())
        limited.emplace_back(text, kernel.chosen.label());
    }
    for (const auto& [text, kernels] : limited)
      texts.push_back(fmt::format("limits of {}: {}", kernels, text));
    for (std::string& line : transport::unconfined_libraries()) texts.push_back(std::move(line));
    if (request_.same_as)
      texts.push_back(fmt::format("every output is compared with that of {}, which is shown as expected",
                                  request_.same_as->chosen.label()));
    for (const judged_kernel& kernel : request_.kernels)
      if (const std::string share = share_of_context(kernel); !share.empty()) texts.push_back(share);
    for (const auto& [laws, kernels] : laws_of_other_promises())
      texts.push_back(fmt::format("not run on {}, because of {}: {}", fmt::join(kernels, ", "),
                                  kernels.size() == 1 ? "its promise" : "their promises", laws));
    for (const judged_kernel& kernel : request_.kernels)
      for (const ropewalk_dtype dtype : request_.dtypes)
        if (is_alone(kernel, dtype))
          texts.push_back(
              fmt::format("sizes of {} in {}: no other canonical kernel serves it; only the mirror judges, "
                          "in long calls on a sample",
                          kernel.chosen.label(), ropewalk::name_of(dtype)));
    return texts;
  }

  /// Positions of the context that the law of sizes leaves out; empty if none.
  std::string share_of_context(const judged_kernel& kernel) const {
    if (!asks_each_position(kernel) || kernel.operation() != ROPEWALK_ROTATE || request_.models.size() != 1 ||
        !request_.asks_for(rotation_laws::sizes.name))
      return "";
    const ropewalk_limits* const limits = kernel.chosen.entry->limits;
    const served_calls served =
        (limits == nullptr ? served_calls() : served_calls(*limits)).within(request_.calls.positions);
    const model::model& model = request_.models[0].model;
    const std::int64_t context = context_of(model);
    const std::int64_t at_once =
        search::positions_at_once(search::served_part_of(context, served), model.layout.head_dim);
    if (at_once == context || !served.shapes().empty()) return "";
    return fmt::format("sizes runs {} on at most {} of the {} positions of the context, in one piece",
                       kernel.chosen.label(), at_once, context);
  }

  /// Laws that apply only under other promises, with the kernels that skip them. Empty if the request names
  /// laws.
  std::map<std::string, std::vector<std::string>> laws_of_other_promises() const {
    std::map<std::string, std::vector<std::string>> by_name;
    if (!request_.laws.empty() || !request_.kernels_are_named) return by_name;
    for (const judged_kernel& kernel : request_.kernels) {
      std::vector<std::string_view> laws;
      for (const law_text& law : laws_of(kernel.operation()))
        if (request_.asks_for(law.name) && is_of_another_promise(law, kernel, request_))
          laws.push_back(law.name);
      if (!laws.empty()) by_name[fmt::format("{}", fmt::join(laws, ", "))].push_back(kernel.chosen.label());
    }
    return by_name;
  }

  /// Whether the law of sizes lacks a canonical kernel of this dtype to compare with.
  bool is_alone(const judged_kernel& kernel, ropewalk_dtype dtype) const {
    const auto serves = [&](const ropewalk_kernel& candidate) {
      return candidate.limits == nullptr || served_calls(*candidate.limits).serves(dtype);
    };
    return kernel.operation() == ROPEWALK_ROTATE && request_.has_subject(kernel) &&
           request_.asks_for(rotation_laws::sizes.name) && serves(*kernel.chosen.entry) &&
           !serves(canonical_beside(*kernel.chosen.entry));
  }

  bool tries_promises(const judged_kernel& kernel) const {
    return !request_.same_as && kernel.chosen.may_claim() && !kernel.chosen.is_in_files();
  }

  void try_promises(results& results, search::clock::time_point end) const {
    auto left = count_of_claims();
    for (const judged_kernel& kernel : request_.kernels) {
      if (!tries_promises(kernel) || stopped_) continue;
      const auto now = search::clock::now();
      const auto share = std::max(end - now, search::clock::duration{}) / left--;
      results.promises.push_back(judged_as(request_, kernel, results.lines, now + share, stopped_));
    }
  }

  std::int64_t count_of_claims() const {
    return std::count_if(request_.kernels.begin(), request_.kernels.end(),
                         [this](const judged_kernel& kernel) { return tries_promises(kernel); });
  }

  /// Judges this library's own tables, within their share of the time.
  void judge_tables(search::clock::time_point begin) {
    table_plan plan{request_.seed, request_.threads, request_.cases > 0 ? request_.cases : table_cases, {}};
    if (request_.budget > 0) plan.end = begin + seconds(limit_ * table_share);
    tables_ = judge(request_.tables, plan, stopped_);
  }

  /// Judges every entry of arrays of files, as far as the budget reaches.
  void judge_arrays(results& results, search::clock::time_point begin) {
    array_plan plan{
        request_.threads, request_.quiet, [&](std::string_view law) { return request_.asks_for(law); }, {}};
    if (request_.budget > 0) plan.end = begin + seconds(limit_ * search_share);
    arrays_ = judge(request_.arrays, plan, stopped_);
    results.arrays = std::move(arrays_.findings);
    results.diagnoses = std::move(arrays_.causes);
  }

  /// Removes the results that got too little of the remaining time, and reports their number in results::cut.
  void report_what_was_cut(results& results) const {
    if (stopped_) return;
    const cut_searches cut = jobs_->remove_cut(results.lines);
    if (cut.count > 0)
      results.cut = fmt::format("left out for {}: {} more verdict{} of {}, each on a further model",
                                request_.budget > 0 ? fmt::format("the budget of {:g} s", request_.budget)
                                                    : fmt::format("--cases {}", request_.cases),
                                cut.count, cut.count == 1 ? "" : "s", fmt::join(cut.laws, ", "));
  }

  const verification& request_;
  const std::atomic<bool>& stopped_;
  const std::function<void(const results&)>& judged_;
  const double limit_ = std::max(request_.budget, request_.limit);
  std::optional<law_jobs> jobs_;
  judged_tables tables_;
  judged_arrays arrays_;
};

template <class Laws>
std::vector<law_text> texts_of(const Laws& laws) {
  std::vector<law_text> result;
  for (const auto& law : laws) result.push_back(law.text());
  return result;
}

}  // namespace

bool verification::asks_for(std::string_view law) const {
  if (same_as || law == rotation_laws::same_as.name) return same_as && law == rotation_laws::same_as.name;
  if (skipped_laws.count(std::string(law)) > 0) return false;
  return laws.empty() || std::find(laws.begin(), laws.end(), law) != laws.end();
}

bool verification::has_subject(const judged_kernel& kernel) const {
  if (kernel.operation() == ROPEWALK_ROTATE) return !models.empty();
  return !additions_of(kernel).empty();
}

std::vector<const addition_subject*> verification::additions_of(const judged_kernel& kernel) const {
  const ropewalk_limits* const limits = kernel.chosen.entry->limits;
  const served_calls served = limits == nullptr ? served_calls() : served_calls(*limits);
  std::vector<const addition_subject*> subjects;
  for (const addition_subject& addition : additions) {
    if (addition.truth->operation() != kernel.operation()) continue;
    const std::optional<alibi_form> its = addition.truth->form();
    if (!its || (form ? its == form : served.serves(*its))) subjects.push_back(&addition);
  }
  return subjects;
}

std::vector<law_text> laws_of_one_kernel(ropewalk_operation operation) {
  return operation == ROPEWALK_ROTATE ? texts_of(rotation_laws::all) : texts_of(addition_laws::all);
}

std::vector<law_text> laws_of(ropewalk_operation operation) {
  std::vector<law_text> laws = laws_of_one_kernel(operation);
  laws.push_back(operation == ROPEWALK_ROTATE ? rotation_laws::same_as.text()
                                              : addition_laws::same_as.text());
  return laws;
}

results verify(const verification& request, const std::atomic<bool>& stopped,
               const std::function<void(const results&)>& judged) {
  return verifier(request, stopped, judged).run();
}

}  // namespace ropewalk::verify
