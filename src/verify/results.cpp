#include "verify/results.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk::verify {

namespace {

/// A law is still judged if at most one of so many cases was undecided.
constexpr std::int64_t tolerated_share = 10;

bool has(const std::vector<doubtful>& all, doubt kind) {
  return std::any_of(all.begin(), all.end(), [=](const doubtful& doubtful) { return doubtful.kind == kind; });
}

/// Whether fewer cases ran than a verdict needs, although every case was answered.
bool is_cut(const result& result) { return result.outcome.is_short() && !result.outcome.is_finished(); }

bool is_accepted(doubt kind, const results& results) {
  switch (kind) {
    case doubt::unanswered: return false;
    case doubt::cut: return results.allows_cut;
    case doubt::declined:
    case doubt::undecided: break;
  }
  return results.allows_declined;
}

}  // namespace

std::string element_name(const result& result) {
  return result.elements.empty() ? ropewalk::name_of(result.dtype) : result.elements;
}

std::vector<doubtful> doubts_of(const result& result) {
  const search::outcome& outcome = result.outcome;
  if (outcome.failure || !result.no_bound.empty() || !result.beyond.empty()) return {};
  // A kernel that serves no drawn case ran nothing, which is no doubt about its answers.
  const std::int64_t number = outcome.cases + outcome.declined + outcome.undecided_cases + outcome.unanswered;
  const bool is_never_served = number == 0 && outcome.awaited == 0 && outcome.drawn > 0;
  if (is_never_served) return {};
  std::vector<doubtful> doubts;
  const auto add = [&](doubt kind, const std::string& what, std::int64_t count) {
    doubts.push_back({kind, fmt::format("{}{} of {} cases", what, count, number)});
  };
  if (outcome.unanswered > 0) {
    add(doubt::unanswered, "no answer in ", outcome.unanswered);
    doubts.back().why += ": " + outcome.first_unanswered->measured.trouble;
  }
  if (outcome.declined > 0) add(doubt::declined, "declined ", outcome.declined);
  const std::int64_t undecided = outcome.undecided_cases - outcome.without_memory;
  if (outcome.cases == 0 && outcome.undecided_cases > 0)
    doubts.push_back(
        {doubt::undecided, (undecided == 0 ? "nothing ran: " : "nothing was decided: ") + outcome.undecided});
  else if (tolerated_share * undecided > number)
    add(doubt::undecided, "undecided ", undecided);
  if (is_cut(result) && !(result.allows_cut && outcome.cases > 0))
    doubts.push_back({doubt::cut, fmt::format("ran {} of {} cases", number, wanted_of(result))});
  return doubts;
}

std::string why_not_judged(const result& result) {
  std::string text;
  for (const doubtful& each : doubts_of(result)) text += (text.empty() ? "" : "; ") + each.why;
  return text;
}

finding finding_of(const result& result) {
  if (result.outcome.failure)
    return result.outcome.failure->is_reproducible ? finding::fails : finding::not_reproducible;
  if (!result.no_bound.empty()) return finding::no_bound;
  if (!result.beyond.empty()) return finding::not_served;
  if (!doubts_of(result).empty()) return finding::not_judged;
  if (result.outcome.cases == 0) return finding::not_run;
  const bool is_measured = result.needs.one_range && grows_with_position(result.promised);
  if (is_measured && result.outcome.compared + result.outcome.vacuous > 0) return finding::measured;
  if (result.outcome.compared == 0 && result.outcome.vacuous > 0) return finding::vacuous;
  return result.outcome.says_nothing() || result.outcome.compared == 0 ? finding::nothing_compared
                                                                       : finding::holds;
}

std::string cause_of(const results& results, const result& result) {
  for (const diagnosed& diagnosed : results.diagnoses)
    if (diagnosed.kernel == result.kernel &&
        std::find(diagnosed.models.begin(), diagnosed.models.end(), result.model) != diagnosed.models.end())
      return text_of(diagnosed.cause);
  return {};
}

bool is_judged(const result& result) {
  const finding kind = finding_of(result);
  return kind == finding::holds || kind == finding::fails || kind == finding::not_reproducible;
}

bool is_answered(const result& result) {
  const finding kind = finding_of(result);
  return is_judged(result) || kind == finding::vacuous || kind == finding::measured ||
         (kind == finding::not_judged && result.outcome.cases > 0);
}

growth growth_of(const result& result) {
  growth growth;
  for (int k = 0; k < position_ranges; ++k) {
    const search::range_worst& range = result.outcome.ranges[static_cast<std::size_t>(k)];
    if (range.error > 0.01 && !growth.over_1_percent) growth.over_1_percent = k;
    if (range.error > 0.1 && !growth.over_10_percent) growth.over_10_percent = k;
  }
  return growth;
}

double error_up_to(const result& result, std::int64_t position) {
  double error = 0;
  for (int k = 0; k < position_ranges && std::int64_t{1} << k <= position; ++k)
    error = std::max(error, result.outcome.ranges[static_cast<std::size_t>(k)].error);
  return error;
}

std::string file_of(const results& results, const result& result) {
  for (const std::string& name : {result.kernel, result.model})
    if (const auto match = results.files.find(name); match != results.files.end()) return match->second;
  return {};
}

bool is_error(const result& result, const results& results) {
  const std::vector<doubtful> doubts = doubts_of(result);
  return std::any_of(doubts.begin(), doubts.end(),
                     [&](const doubtful& each) { return !is_accepted(each.kind, results); });
}

std::vector<std::string> accepted(const results& results) {
  std::int64_t cut = 0, declined = 0;
  for (const result& line : results.lines) {
    const std::vector<doubtful> doubts = doubts_of(line);
    cut += has(doubts, doubt::cut) || (line.allows_cut && is_answered(line) && is_cut(line)) ? 1 : 0;
    declined += has(doubts, doubt::declined) || has(doubts, doubt::undecided) ? 1 : 0;
  }
  std::vector<std::string> accepted;
  const auto add = [&](bool is_given, const char* option, std::int64_t count, const char* what) {
    if (is_given && count > 0)
      accepted.push_back(fmt::format("{}: {} result{} {} change{} no exit code", option, count,
                                     count == 1 ? "" : "s", what, count == 1 ? "s" : ""));
  };
  add(results.allows_cut, "--allow-cut", cut, "of fewer cases than wanted");
  add(results.allows_declined, "--allow-declined", declined, "with declined or undecided calls");
  return accepted;
}

std::vector<std::string> errors_of(const results& results) {
  std::vector<std::string> errors = results.ended;
  errors.insert(errors.end(), results.failed_on.begin(), results.failed_on.end());
  if (!results.allows_declined)
    errors.insert(errors.end(), results.not_judged.begin(), results.not_judged.end());
  return errors;
}

bool all_hold(const results& results) {
  return errors_of(results).empty() &&
         std::all_of(results.lines.begin(), results.lines.end(), [&](const result& result) {
           return result.outcome.holds() && !is_error(result, results);
         });
}

totals totals_of(const results& results) {
  totals totals;
  for (const result& line : results.lines) {
    ++totals.lines;
    totals.cases += line.outcome.cases;
    switch (finding_of(line)) {
      case finding::holds: ++totals.count; break;
      case finding::fails:
      case finding::not_reproducible: ++totals.failed; break;
      case finding::vacuous: ++totals.vacuous; break;
      case finding::measured: ++totals.measured; break;
      case finding::not_judged: ++totals.not_judged; break;
      case finding::not_served: ++totals.not_served; break;
      case finding::nothing_compared: ++totals.nothing_compared; break;
      case finding::no_bound: ++totals.no_bound; break;
      case finding::not_run: ++totals.not_run; break;
    }
  }
  return totals;
}

}  // namespace ropewalk::verify
