#include "verify/results.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk::verify {

namespace {

/// A law is still judged if at most one case in so many was undecided.
constexpr std::int64_t tolerated_share = 10;

bool has(const std::vector<doubtful>& all, doubt kind) {
  return std::any_of(all.begin(), all.end(), [=](const doubtful& one) { return one.kind == kind; });
}

/// Whether fewer cases were asked than a verdict needs, and not for want of an answer.
bool is_cut(const result& one) { return one.found.is_short() && !one.found.is_finished(); }

bool is_accepted(doubt kind, const results& of) {
  switch (kind) {
    case doubt::unanswered: return false;
    case doubt::cut: return of.allows_cut;
    case doubt::declined:
    case doubt::undecided: break;
  }
  return of.allows_declined;
}

}  // namespace

std::string element_name(const result& one) {
  return one.elements.empty() ? ropewalk::name_of(one.dtype) : one.elements;
}

std::vector<doubtful> doubts_of(const result& one) {
  const search::outcome& found = one.found;
  if (found.failure || !one.no_bound.empty() || !one.beyond.empty()) return {};
  // Draws that the kernel does not serve ask nothing: not run, which is no doubt about its answers.
  const std::int64_t asked = found.cases + found.declined + found.undecided_cases + found.unanswered;
  const bool is_never_served = asked == 0 && found.awaited == 0 && found.drawn > 0;
  if (is_never_served) return {};
  std::vector<doubtful> r;
  const auto add = [&](doubt kind, const std::string& what, std::int64_t count) {
    r.push_back({kind, fmt::format("{}{} of {} cases", what, count, asked)});
  };
  if (found.unanswered > 0) {
    add(doubt::unanswered, "no answer in ", found.unanswered);
    r.back().why += ": " + found.first_unanswered->measured.trouble;
  }
  if (found.declined > 0) add(doubt::declined, "declined ", found.declined);
  const std::int64_t undecided = found.undecided_cases - found.without_memory;
  if (found.cases == 0 && found.undecided_cases > 0)
    r.push_back({doubt::undecided,
                 (undecided == 0 ? "nothing was asked: " : "nothing was decided: ") + found.undecided});
  else if (tolerated_share * undecided > asked)
    add(doubt::undecided, "undecided ", undecided);
  if (is_cut(one) && !(one.allows_cut && found.cases > 0))
    r.push_back({doubt::cut, fmt::format("asked {} of {} cases", asked, wanted_of(one))});
  return r;
}

std::string why_not_judged(const result& one) {
  std::string r;
  for (const doubtful& each : doubts_of(one)) r += (r.empty() ? "" : "; ") + each.why;
  return r;
}

finding finding_of(const result& one) {
  if (one.found.failure)
    return one.found.failure->is_reproducible ? finding::fails : finding::not_reproducible;
  if (!one.no_bound.empty()) return finding::no_bound;
  if (!one.beyond.empty()) return finding::not_served;
  if (!doubts_of(one).empty()) return finding::not_judged;
  if (one.found.cases == 0) return finding::not_run;
  const bool is_measured = one.needs.one_range && grows_with_position(one.promised);
  if (is_measured && one.found.compared + one.found.vacuous > 0) return finding::measured;
  if (one.found.compared == 0 && one.found.vacuous > 0) return finding::vacuous;
  return one.found.says_nothing() || one.found.compared == 0 ? finding::nothing_compared : finding::holds;
}

std::string cause_of(const results& of, const result& one) {
  for (const diagnosed& found : of.diagnoses)
    if (found.kernel == one.kernel &&
        std::find(found.models.begin(), found.models.end(), one.model) != found.models.end())
      return text_of(found.cause);
  return {};
}

bool is_judged(const result& one) {
  const finding found = finding_of(one);
  return found == finding::holds || found == finding::fails || found == finding::not_reproducible;
}

bool is_answered(const result& one) {
  const finding found = finding_of(one);
  return is_judged(one) || found == finding::vacuous || found == finding::measured ||
         (found == finding::not_judged && one.found.cases > 0);
}

growth growth_of(const result& one) {
  growth r;
  for (int k = 0; k < position_ranges; ++k) {
    const search::range_worst& range = one.found.ranges[static_cast<std::size_t>(k)];
    if (range.error > 0.01 && !r.over_1_percent) r.over_1_percent = k;
    if (range.error > 0.1 && !r.over_10_percent) r.over_10_percent = k;
  }
  return r;
}

double error_up_to(const result& one, std::int64_t position) {
  double r = 0;
  for (int k = 0; k < position_ranges && std::int64_t{1} << k <= position; ++k)
    r = std::max(r, one.found.ranges[static_cast<std::size_t>(k)].error);
  return r;
}

std::string file_of(const results& of, const result& one) {
  for (const std::string& name : {one.kernel, one.model})
    if (const auto found = of.files.find(name); found != of.files.end()) return found->second;
  return {};
}

bool is_error(const result& one, const results& of) {
  const std::vector<doubtful> doubts = doubts_of(one);
  return std::any_of(doubts.begin(), doubts.end(),
                     [&](const doubtful& each) { return !is_accepted(each.kind, of); });
}

std::vector<std::string> accepted(const results& of) {
  std::int64_t cut = 0, declined = 0;
  for (const result& one : of.lines) {
    const std::vector<doubtful> doubts = doubts_of(one);
    cut += has(doubts, doubt::cut) || (one.allows_cut && is_answered(one) && is_cut(one)) ? 1 : 0;
    declined += has(doubts, doubt::declined) || has(doubts, doubt::undecided) ? 1 : 0;
  }
  std::vector<std::string> r;
  const auto add = [&](bool is_given, const char* option, std::int64_t count, const char* what) {
    if (is_given && count > 0)
      r.push_back(fmt::format("{}: {} result{} {} change{} no exit code", option, count,
                              count == 1 ? "" : "s", what, count == 1 ? "s" : ""));
  };
  add(of.allows_cut, "--allow-cut", cut, "of fewer cases than wanted");
  add(of.allows_declined, "--allow-declined", declined, "with declined or undecided calls");
  return r;
}

std::vector<std::string> errors_of(const results& of) {
  std::vector<std::string> r = of.ended;
  r.insert(r.end(), of.failed_on.begin(), of.failed_on.end());
  if (!of.allows_declined) r.insert(r.end(), of.not_judged.begin(), of.not_judged.end());
  return r;
}

bool all_hold(const results& of) {
  return errors_of(of).empty() && std::all_of(of.lines.begin(), of.lines.end(), [&](const result& one) {
           return one.found.holds() && !is_error(one, of);
         });
}

totals totals_of(const results& of) {
  totals r;
  for (const result& one : of.lines) {
    ++r.lines;
    r.cases += one.found.cases;
    switch (finding_of(one)) {
      case finding::holds: ++r.held; break;
      case finding::fails:
      case finding::not_reproducible: ++r.failed; break;
      case finding::vacuous: ++r.vacuous; break;
      case finding::measured: ++r.measured; break;
      case finding::not_judged: ++r.not_judged; break;
      case finding::not_served: ++r.not_served; break;
      case finding::nothing_compared: ++r.nothing_compared; break;
      case finding::no_bound: ++r.no_bound; break;
      case finding::not_run: ++r.not_run; break;
    }
  }
  return r;
}

}  // namespace ropewalk::verify
