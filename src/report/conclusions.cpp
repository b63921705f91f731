// Conclusions of a report: the promise that each kernel keeps, the causes of failing kernels and arrays, and
// how close arrays are.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "input/bad_input.hpp"
#include "report/comparison.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

/// The parts of a promise in words: "angle f32, table bf16, rotation bf16"; the name of a promise of bits.
std::string promise_words(const promise& promised, ropewalk_operation operation,
                          const std::vector<ropewalk_dtype>& in) {
  if (promises_bits(promised)) return name_of(promised, operation);
  std::string words;
  for (const promise_part& part : promise_parts) {
    const ropewalk_part value = promised.*part.member;
    if (!ropewalk::detail::has_part(operation, part) || part.is_of_tables) continue;
    if (value == ROPEWALK_UNROUNDED && part.member != &promise::angle) continue;
    const bool is_one_format = value == ROPEWALK_PART_DATA && in.size() == 1;
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : ", ", part.name,
                    is_one_format ? ropewalk::name_of(in.front()) : ropewalk::detail::word_of(part, value));
  }
  const std::string_view name = known_name_of(promised, operation);
  return name.empty() ? words : fmt::format("{} ({})", name, words);
}

/// "16777216 entries, each correctly rounded", or the lines of the comparison.
std::string array_text(const array_finding& finding) {
  const std::string kind = finding.content->about().name;
  const std::string name = printable(finding.array) +
                           (kind == finding.subject ? ", " + kind : ", " + kind + " of " + finding.subject);
  if (finding.compared.is_canonical())
    return fmt::format("{}: {} entries, each correctly rounded\n", name, finding.compared.entries);
  return name + "\n" + comparison_text(finding.compared, *finding.content);
}

constexpr double barely_above_1 = 1.005;  // three digits show it as 1

/// How far the next stricter promise is missed, in dtypes that share a line; empty if they have none in
/// common.
template <class BelongTogether>
std::string stricter_text(const promise_result& result, BelongTogether belong_together) {
  const broken_promise* worst = nullptr;
  for (const dtype_promise& promised : result.in_dtypes) {
    if (!belong_together(promised)) continue;
    if (!promised.stricter || (worst != nullptr && worst->promised != promised.stricter->promised)) return "";
    if (worst == nullptr || promised.stricter->times_the_bound > worst->times_the_bound)
      worst = &*promised.stricter;
  }
  if (worst == nullptr) return "";
  const std::string name = name_of(worst->promised, result.operation);
  if (worst->times_the_bound == 0) return fmt::format("; not {}: the law {} fails", name, worst->law);
  const std::string times = worst->times_the_bound < barely_above_1
                                ? "just more than"
                                : fmt::format("{:.3g} times", worst->times_the_bound);
  return fmt::format("; not {}: {} came to {} its bound in a case that breaks it", name, worst->law, times);
}

}  // namespace

std::string arrays_of(const results& results, detail shown) {
  const auto fails = [&](const array_finding& array) {
    return std::any_of(results.lines.begin(), results.lines.end(), [&](const result& result) {
      return result.is_array && result.kernel == array.array && !result.outcome.holds();
    });
  };
  const bool shows_all = shown == detail::everything || results.arrays.size() == 1;
  std::string text;
  std::int64_t kept = 0;
  for (const array_finding& finding : results.arrays) {
    if (shows_all || fails(finding))
      text += "\n" + array_text(finding);
    else
      ++kept;
  }
  if (kept > 0)
    text += fmt::format("\n{} array{} of which every law holds; --verbose says how close {} {}\n", kept,
                        kept == 1 ? "" : "s", kept == 1 ? "it" : "they", kept == 1 ? "is" : "are");
  return text;
}

std::string kept_promises_of(const results& results) {
  std::string text = results.promises.empty() ? "" : "\n";
  for (const promise_result& promise : results.promises) {
    const std::string claim = promise.kernel + (promise.is_claimed ? " claims " : " is judged by ") +
                              name_of(promise.claimed, promise.operation) + "; ";
    if (!promise.judged || !promise.untried.empty()) {
      text += claim +
              (promise.judged ? "not tried on other promises: " + promise.untried : "nothing judged") + "\n";
      continue;
    }
    for (std::size_t i = 0; i < promise.in_dtypes.size(); ++i) {
      const dtype_promise& first = promise.in_dtypes[i];
      const auto is_same = [&](const dtype_promise& other) {
        return other.kept == first.kept && other.missing == first.missing;
      };
      if (std::any_of(promise.in_dtypes.begin(), promise.in_dtypes.begin() + static_cast<std::ptrdiff_t>(i),
                      is_same))
        continue;
      std::vector<ropewalk_dtype> dtypes;
      std::int64_t cases = 0;
      std::string names;
      for (const dtype_promise& other : promise.in_dtypes) {
        if (!is_same(other)) continue;
        dtypes.push_back(other.dtype);
        cases += other.cases;
        names += (names.empty() ? "" : ", ") + std::string(ropewalk::name_of(other.dtype));
      }
      const std::string kept = first.kept              ? promise_words(*first.kept, promise.operation, dtypes)
                               : first.missing.empty() ? "none of the promises: each is broken"
                                                       : "not decided: " + first.missing;
      const std::string of_laws =
          promise.laws.empty() ? "" : fmt::format(" of {}", fmt::join(promise.laws, ", "));
      const bool is_broken = !first.kept && first.missing.empty();
      const std::string how = cases > 0   ? fmt::format(" (tried on {} cases{})", cases, of_laws)
                              : is_broken ? " (by the cases that fail above)"
                                          : "";
      text += fmt::format("{}{}: judged as good as: {}{}{}\n", claim, names, kept, how,
                          first.kept ? stricter_text(promise, is_same) : "");
    }
  }
  return text;
}

std::vector<cause_text> causes_of(const results& results) {
  std::vector<cause_text> causes;
  std::vector<std::string> seen;
  for (const diagnosed& diagnose : results.diagnoses) {
    const std::string cause = text_of(diagnose.cause);
    const auto is_array = [&](const diagnosed& other) {
      return std::any_of(results.lines.begin(), results.lines.end(),
                         [&](const result& line) { return line.is_array && line.kernel == other.kernel; });
    };
    std::int64_t alike = 0, lines = 0;
    for (const diagnosed& other : results.diagnoses) {
      lines += other.kernel == diagnose.kernel ? 1 : 0;
      alike += &other != &diagnose && text_of(other.cause) == cause && is_array(other) ? 1 : 0;
    }
    const bool folds = alike > 0 && is_array(diagnose);
    if (folds && std::find(seen.begin(), seen.end(), cause) != seen.end()) continue;
    seen.push_back(cause);
    std::string text = "\ncause: " + diagnose.kernel;
    if (folds) text += fmt::format(" and {} more", alike);
    if (lines > 1)
      for (const std::string& model : diagnose.models) text += ", " + model;
    causes.push_back({diagnose.kernel, text + ": " + cause + "\n"});
  }
  return causes;
}

std::string conclusions_of(const results& results) {
  std::string text;
  for (const cause_text& cause : causes_of(results)) text += cause.text;
  return text + kept_promises_of(results);
}

}  // namespace ropewalk::report
