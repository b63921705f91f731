// What GitHub Actions shows: an annotation for each failure, and a step summary.

#include <fmt/format.h>

#include "report/report.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

std::string escaped(const std::string& text) {
  std::string r;
  for (const char letter : text) {
    if (letter == '%')
      r += "%25";
    else if (letter == '\r')
      r += "%0D";
    else if (letter == '\n')
      r += "%0A";
    else
      r += letter;
  }
  return r;
}

/// Whether a failure gets an annotation: the first of each kernel and law, and every failure of a table.
bool is_told(const result& one) { return one.is_shown || one.kernel == tables_label; }

}  // namespace

std::string as_annotations(const results& of) {
  std::string text;
  for (const result& one : of.lines)
    if (!one.found.holds() && is_told(one))
      text += fmt::format("::error title=ropewalk {} {} {}::{}\n", one.kernel, ropewalk::name_of(one.dtype),
                          one.law.name,
                          escaped(one.model + ": " + cause_of(of, one) + "\n" + counterexample_of(one)));
  for (const std::string& one : of.ended) text += fmt::format("::error title=ropewalk::{}\n", escaped(one));
  return text;
}

std::string as_summary(const results& of) {
  const totals sum = totals_of(of);
  std::string text =
      fmt::format("### ropewalk verify\n\n{}; {} cases; seed {}\n", words_of(sum), sum.cases, of.seed);
  if (!of.left_out.empty()) text += "\n" + of.left_out + "\n";
  if (!of.cut.empty()) text += "\n" + of.cut + "\n";
  for (const std::string& one : of.not_judged) text += "\n" + one + "\n";
  for (const std::string& one : of.ended) text += "\nFAILS " + one + "\n";
  if (sum.failed == 0) return text;
  text +=
      "\n| kernel | model | dtype | law | worst observed | bound | cause |\n|---|---|---|---|---|---|---|\n";
  for (const result& one : of.lines)
    if (!one.found.holds())
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", one.kernel, one.model,
                          ropewalk::name_of(one.dtype), one.law.name, observed_of(one), bound_of(one),
                          cause_of(of, one));
  return text;
}

}  // namespace ropewalk::report
