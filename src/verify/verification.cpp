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
constexpr double table_share = 0.2;     // at most, for this library's own tables
constexpr double explain_share = 0.05;  // at least, for the searches and each step that explains failures
constexpr double promise_share = 0.4;   // taken from the searches if kernels are tried on promises
constexpr double trial_seconds =
    60;  // for promises where there is no budget, or three times what the laws took

search::clock::duration seconds(double count) {
  return std::chrono::duration_cast<search::clock::duration>(std::chrono::duration<double>(count));
}

class verifier {
 public:
  verifier(const verification& asked, const std::atomic<bool>& stopped,
           const std::function<void(const results&)>& judged)
      : asked_(asked), stopped_(stopped), judged_(judged) {}

  results run() {
    const auto begin = search::clock::now();
    const auto start = std::chrono::steady_clock::now();
    const double processor_begin = search::processor_seconds();
    results r;
    r.seed = asked_.seed;
    r.threads = asked_.threads;
    r.device = asked_.device;
    r.left_out = asked_.left_out;
    r.limits = texts_of_limits();
    r.allows_declined = asked_.allows_declined;
    r.allows_cut = asked_.allows_cut;
    r.skipped_laws = asked_.skipped_laws;
    r.files = files();
    judge_tables(begin);
    judge_arrays(r, begin);
    jobs_.emplace(asked_, stopped_);
    if (asked_.budget > 0) transport::end_of_waiting = start + waiting(limit_);
    const double verdict_share = count_of_claims() > 0 ? 1 - promise_share : 1;
    const std::chrono::duration<double> spent = search::clock::now() - begin;
    const double budget =
        std::max(asked_.budget * search_share - spent.count(), asked_.budget * explain_share);
    const double limit = std::max(limit_ * search_share - spent.count(), budget);
    r.lines = jobs_->run(budget * verdict_share, limit * verdict_share);
    const auto time_of = [&](double share) {  // leaves explain_share in any case
      if (asked_.budget <= 0) return search::clock::time_point{};
      return std::max(begin + seconds(asked_.budget * share),
                      search::clock::now() + seconds(asked_.budget * explain_share));
    };
    await_further(asked_.budget * explain_share);
    jobs_->shrink_failures(r.lines, time_of(verdict_share));
    std::vector<failing> failed = jobs_->failing_of(r.lines);
    report_what_was_cut(r);
    for (result& one : jobs_->take_set_aside()) r.lines.push_back(std::move(one));
    for (result& one : arrays_.lines) r.lines.push_back(std::move(one));
    for (result& one : tables_.lines) {
      if (!one.found.holds())
        report_diagnosis(
            r.diagnoses, one.kernel, one.model,
            {.found = diagnosis::verdict::explained, .sentence = "this library's own table is wrong"});
      r.lines.push_back(std::move(one));
    }
    for (result& one : r.lines) one.allows_cut = asked_.allows_cut;
    const auto now = search::clock::now();
    await_further(asked_.budget * explain_share);
    try_promises(r,
                 asked_.budget > 0 ? time_of(1) : now + std::max(3 * (now - begin), seconds(trial_seconds)));
    if (!stopped_) r.not_judged = not_judged(asked_, r.lines);
    for (const std::string& one : asked_.missing_layers) r.not_judged.push_back(one);
    r.failed_on = failed_on(asked_, r.lines);
    r.awaits_verdicts = std::any_of(r.lines.begin(), r.lines.end(), [](const result& one) {
      return one.found.holds() && one.found.awaited > 0;
    });
    if (judged_ && !failed.empty() && !r.awaits_verdicts && !stopped_) judged_(r);
    transport::end_of_waiting = asked_.diagnosis
                                    ? transport::monotonic_clock::now() + waiting(*asked_.diagnosis)
                                    : transport::monotonic_clock::time_point::max();
    if (asked_.diagnosis != 0.0) {
      const auto end_of_diagnosis =
          asked_.diagnosis ? search::clock::now() + seconds(*asked_.diagnosis) : search::clock::time_point{};
      diagnose_failures(asked_, std::move(failed), end_of_diagnosis, stopped_, r.diagnoses);
    }
    transport::end_of_waiting = transport::monotonic_clock::time_point::max();
    report_what_is_awaited(r);
    r.ended = asked_.ended;
    report_unanswered(r);
    if (!stopped_) unload_libraries(r);
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    r.processor_seconds = search::processor_seconds() - processor_begin;
    r.interrupted = stopped_;
    return r;
  }

 private:
  /// The time that may pass while so many seconds of a budget are spent.
  static transport::monotonic_clock::duration waiting(double budget) {
    return std::chrono::duration_cast<transport::monotonic_clock::duration>(
        std::chrono::duration<double>(search::most_waiting * budget));
  }

  /// Lets a further part of the work wait for so many seconds of the budget, if there is one.
  void await_further(double budget) const {
    if (asked_.budget <= 0) return;
    transport::end_of_waiting =
        std::max(transport::end_of_waiting.load(), transport::monotonic_clock::now() + waiting(budget));
  }

  /// Writes the requests that were made, and says which commands bring their answers.
  static void report_what_is_awaited(results& r) {
    for (const transport::awaited_answers& one : transport::write_requests())
      r.awaits.push_back(transport::what_to_run(one));
  }

  /// Says which processes of kernels ended or were silent, and the first case in which each did so.
  void report_unanswered(results& r) const {
    std::set<std::pair<std::string, std::string>> told;
    std::set<std::string> kernels;
    for (const result& one : r.lines) {
      if (!one.found.first_unanswered) continue;
      const search::counterexample& first = *one.found.first_unanswered;
      if (first.measured.trouble.ends_with(transport::not_asked_again)) continue;
      kernels.insert(one.kernel);
      // Where an access lay depends on the case: one end of a kind is enough.
      const std::string& how = first.measured.trouble;
      if (!told.insert({one.kernel, how.substr(0, how.find(" when it "))}).second) continue;
      r.ended.push_back(fmt::format("{}: {} in {}, {}, {}, at {}; again: {}", one.kernel,
                                    first.measured.trouble, one.model, ropewalk::name_of(one.dtype),
                                    one.law.name, search::text_of(first.original), one.reproduce));
    }
    for (const judged_kernel& kernel : asked_.kernels)
      if (const std::string how = transport::first_end_of(*kernel.chosen.kernel);
          !how.empty() && kernels.count(kernel.chosen.label()) == 0)
        r.ended.push_back(fmt::format(
            "{}: {}, in no case that a law was first asked: while the kernel was prepared, a failure was "
            "repeated, shrunk or explained, or promises were tried; again: the same command with --seed {}",
            kernel.chosen.label(), how, asked_.seed));
  }

  /// Frees every plan and unloads the libraries. Says which processes end in another way than they should,
  /// and which printed something.
  void unload_libraries(results& r) {
    jobs_->clear();
    for (const auto& [path, how, printed, is_cut] : transport::end_libraries()) {
      const std::string name = printable(std::string(library_prefix) + path);
      if (!how.empty()) r.ended.push_back(fmt::format("{}: its process {}", name, how));
      if (printed > 0)
        r.printed.push_back(fmt::format("{} printed {} byte{}, passed on to standard error{}", name, printed,
                                        printed == 1 ? "" : "s",
                                        is_cut ? "; what it printed beyond 1 MiB was refused" : ""));
    }
  }

  /// The files of kernels, arrays and models, by their names in results.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> r;
    for (const judged_kernel& kernel : asked_.kernels)
      if (const std::string file = kernel.chosen.file(); !file.empty()) r[kernel.chosen.label()] = file;
    for (const rotation_subject& one : asked_.models)
      if (!one.file.empty()) r[one.model.name] = one.file;
    for (const given_array& one : asked_.arrays) r[input::visible(one.place.text())] = one.place.path;
    return r;
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
    for (std::string& line : transport::unconfined_libraries()) r.push_back(std::move(line));
    if (asked_.same_as)
      r.push_back(fmt::format("every output is compared with that of {}, which is shown as expected",
                              asked_.same_as->chosen.label()));
    for (const judged_kernel& kernel : asked_.kernels)
      if (const std::string share = share_of_context(kernel); !share.empty()) r.push_back(share);
    for (const auto& [laws, kernels] : laws_of_other_promises())
      r.push_back(fmt::format("not asked of {}, by what {}: {}", fmt::join(kernels, ", "),
                              kernels.size() == 1 ? "it promises" : "they promise", laws));
    for (const judged_kernel& kernel : asked_.kernels)
      for (const ropewalk_dtype dtype : asked_.dtypes)
        if (is_alone(kernel, dtype))
          r.push_back(
              fmt::format("sizes of {} in {}: no other canonical kernel serves it; the mirror alone judges, "
                          "in long calls a sample",
                          kernel.chosen.label(), ropewalk::name_of(dtype)));
    return r;
  }

  /// Which positions of the context the law of sizes leaves out; empty: none.
  std::string share_of_context(const judged_kernel& kernel) const {
    if (!asks_each_position(kernel) || kernel.operation() != ROPEWALK_ROTATE || asked_.models.size() != 1 ||
        !asked_.asks_for(rotation_laws::sizes.name))
      return "";
    const ropewalk_limits* const limits = kernel.chosen.kernel->limits;
    const served_calls served =
        (limits == nullptr ? served_calls() : served_calls(*limits)).within(asked_.asked.positions);
    const model::model& on = asked_.models[0].model;
    const std::int64_t context = context_of(on);
    const std::int64_t at_once =
        search::positions_at_once(search::served_part_of(context, served), on.layout.head_dim);
    if (at_once == context || !served.shapes().empty()) return "";
    return fmt::format("sizes asks {} for at most {} of the {} positions of the context, in one piece",
                       kernel.chosen.label(), at_once, context);
  }

  /// Laws that would be asked of another promise, and the kernels of which they are not. None where laws are
  /// named.
  std::map<std::string, std::vector<std::string>> laws_of_other_promises() const {
    std::map<std::string, std::vector<std::string>> r;
    if (!asked_.laws.empty() || !asked_.kernels_are_named) return r;
    for (const judged_kernel& kernel : asked_.kernels) {
      std::vector<std::string_view> laws;
      for (const law_text& one : laws_of(kernel.operation()))
        if (asked_.asks_for(one.name) && is_of_another_promise(one, kernel, asked_)) laws.push_back(one.name);
      if (!laws.empty()) r[fmt::format("{}", fmt::join(laws, ", "))].push_back(kernel.chosen.label());
    }
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

  bool tries_promises(const judged_kernel& kernel) const {
    return !asked_.same_as && kernel.chosen.may_claim() && !kernel.chosen.is_in_files();
  }

  void try_promises(results& r, search::clock::time_point end) const {
    auto left = count_of_claims();
    for (const judged_kernel& kernel : asked_.kernels) {
      if (!tries_promises(kernel) || stopped_) continue;
      const auto now = search::clock::now();
      const auto share = std::max(end - now, search::clock::duration{}) / left--;
      r.promises.push_back(judged_as(asked_, kernel, r.lines, now + share, stopped_));
    }
  }

  std::int64_t count_of_claims() const {
    return std::count_if(asked_.kernels.begin(), asked_.kernels.end(),
                         [this](const judged_kernel& kernel) { return tries_promises(kernel); });
  }

  /// This library's own tables, in their share of the time.
  void judge_tables(search::clock::time_point begin) {
    table_plan how{asked_.seed, asked_.threads, asked_.cases > 0 ? asked_.cases : table_cases, {}};
    if (asked_.budget > 0) how.end = begin + seconds(limit_ * table_share);
    tables_ = judge(asked_.tables, how, stopped_);
  }

  /// Arrays of files: every entry, as far as the budget reaches.
  void judge_arrays(results& r, search::clock::time_point begin) {
    array_plan how{
        asked_.threads, asked_.quiet, [&](std::string_view law) { return asked_.asks_for(law); }, {}};
    if (asked_.budget > 0) how.end = begin + seconds(limit_ * search_share);
    arrays_ = judge(asked_.arrays, how, stopped_);
    r.arrays = std::move(arrays_.found);
    r.diagnoses = std::move(arrays_.causes);
  }

  /// Removes the results that got too little of the time left over, and tells their number in results::cut.
  void report_what_was_cut(results& r) const {
    if (stopped_) return;
    const cut_searches cut = jobs_->remove_cut(r.lines);
    if (cut.count > 0)
      r.cut = fmt::format("left out for {}: {} more verdict{} of {}, each on a further model",
                          asked_.budget > 0 ? fmt::format("the budget of {:g} s", asked_.budget)
                                            : fmt::format("--cases {}", asked_.cases),
                          cut.count, cut.count == 1 ? "" : "s", fmt::join(cut.laws, ", "));
  }

  const verification& asked_;
  const std::atomic<bool>& stopped_;
  const std::function<void(const results&)>& judged_;
  const double limit_ = std::max(asked_.budget, asked_.limit);
  std::optional<law_jobs> jobs_;
  judged_tables tables_;
  judged_arrays arrays_;
};

template <class Laws>
std::vector<law_text> texts_of(const Laws& laws) {
  std::vector<law_text> r;
  for (const auto& one : laws) r.push_back(one.text());
  return r;
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
  const ropewalk_limits* const limits = kernel.chosen.kernel->limits;
  const served_calls served = limits == nullptr ? served_calls() : served_calls(*limits);
  std::vector<const addition_subject*> r;
  for (const addition_subject& one : additions) {
    if (one.truth->operation() != kernel.operation()) continue;
    const std::optional<alibi_form> its = one.truth->form();
    if (!its || (form ? its == form : served.serves(*its))) r.push_back(&one);
  }
  return r;
}

std::vector<law_text> laws_of_one_kernel(ropewalk_operation operation) {
  return operation == ROPEWALK_ROTATE ? texts_of(rotation_laws::all) : texts_of(addition_laws::all);
}

std::vector<law_text> laws_of(ropewalk_operation operation) {
  std::vector<law_text> r = laws_of_one_kernel(operation);
  r.push_back(operation == ROPEWALK_ROTATE ? rotation_laws::same_as.text() : addition_laws::same_as.text());
  return r;
}

results verify(const verification& asked, const std::atomic<bool>& stopped,
               const std::function<void(const results&)>& judged) {
  return verifier(asked, stopped, judged).run();
}

}  // namespace ropewalk::verify
