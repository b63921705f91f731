// What a report concludes: the promise that each kernel keeps, why kernels and arrays fail, and how close
// arrays are.

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

/// The parts of a promise in words: "angle f32, table bf16, rotation bf16"; a promise of bits by its name.
std::string promise_words(const promise& of, ropewalk_operation operation,
                          const std::vector<ropewalk_dtype>& in) {
  if (promises_bits(of)) return name_of(of, operation);
  std::string r;
  for (const promise_part& part : promise_parts) {
    const ropewalk_part value = of.*part.member;
    if (!ropewalk::detail::has_part(operation, part) || part.is_of_tables) continue;
    if (value == ROPEWALK_UNROUNDED && part.member != &promise::angle) continue;
    const bool is_one_format = value == ROPEWALK_PART_DATA && in.size() == 1;
    r += fmt::format("{}{} {}", r.empty() ? "" : ", ", part.name,
                     is_one_format ? ropewalk::name_of(in.front()) : ropewalk::detail::word_of(part, value));
  }
  const std::string_view name = known_name_of(of, operation);
  return name.empty() ? r : fmt::format("{} ({})", name, r);
}

/// "16777216 entries, each correctly rounded", or the comparison in lines.
std::string array_text(const array_finding& one) {
  const std::string kind = one.content->about().name;
  const std::string name =
      printable(one.array) + (kind == one.subject ? ", " + kind : ", " + kind + " of " + one.subject);
  if (one.found.is_canonical())
    return fmt::format("{}: {} entries, each correctly rounded\n", name, one.found.entries);
  return name + "\n" + comparison_text(one.found, *one.content);
}

constexpr double barely_above_1 = 1.005;  // which three digits do not show

/// By how much the next stricter promise is missed, in the dtypes that belong together; empty if they do not
/// have one in common.
template <class BelongTogether>
std::string stricter_text(const promise_result& of, BelongTogether belong_together) {
  const broken_promise* worst = nullptr;
  for (const dtype_promise& one : of.in_dtypes) {
    if (!belong_together(one)) continue;
    if (!one.stricter || (worst != nullptr && worst->of != one.stricter->of)) return "";
    if (worst == nullptr || one.stricter->times_the_bound > worst->times_the_bound) worst = &*one.stricter;
  }
  if (worst == nullptr) return "";
  const std::string name = name_of(worst->of, of.operation);
  if (worst->times_the_bound == 0) return fmt::format("; not {}, which {} breaks", name, worst->law);
  const std::string times = worst->times_the_bound < barely_above_1
                                ? "just more than"
                                : fmt::format("{:.3g} times", worst->times_the_bound);
  return fmt::format("; not {}: {} came to {} its bound in a case that breaks it", name, worst->law, times);
}

}  // namespace

std::string arrays_of(const results& of, detail shown) {
  const auto fails = [&](const array_finding& array) {
    return std::any_of(of.lines.begin(), of.lines.end(), [&](const result& one) {
      return one.is_array && one.kernel == array.array && !one.found.holds();
    });
  };
  const bool shows_all = shown == detail::everything || of.arrays.size() == 1;
  std::string text;
  std::int64_t kept = 0;
  for (const array_finding& one : of.arrays) {
    if (shows_all || fails(one))
      text += "\n" + array_text(one);
    else
      ++kept;
  }
  if (kept > 0)
    text += fmt::format("\n{} array{} of which every law holds; --verbose says how close {} {}\n", kept,
                        kept == 1 ? "" : "s", kept == 1 ? "it" : "they", kept == 1 ? "is" : "are");
  return text;
}

std::string kept_promises_of(const results& of) {
  std::string text = of.promises.empty() ? "" : "\n";
  for (const promise_result& one : of.promises) {
    const std::string claim = one.kernel + (one.is_claimed ? " claims " : " is judged by ") +
                              name_of(one.claimed, one.operation) + "; ";
    if (!one.judged || !one.untried.empty()) {
      text += claim + (one.judged ? "not tried on other promises: " + one.untried : "nothing judged") + "\n";
      continue;
    }
    for (std::size_t i = 0; i < one.in_dtypes.size(); ++i) {
      const dtype_promise& first = one.in_dtypes[i];
      const auto is_same = [&](const dtype_promise& other) {
        return other.kept == first.kept && other.missing == first.missing;
      };
      if (std::any_of(one.in_dtypes.begin(), one.in_dtypes.begin() + static_cast<std::ptrdiff_t>(i), is_same))
        continue;
      std::vector<ropewalk_dtype> dtypes;
      std::int64_t cases = 0;
      std::string names;
      for (const dtype_promise& other : one.in_dtypes) {
        if (!is_same(other)) continue;
        dtypes.push_back(other.dtype);
        cases += other.cases;
        names += (names.empty() ? "" : ", ") + std::string(ropewalk::name_of(other.dtype));
      }
      const std::string kept = first.kept              ? promise_words(*first.kept, one.operation, dtypes)
                               : first.missing.empty() ? "none of the promises: each is broken"
                                                       : "not decided: " + first.missing;
      const std::string of_laws = one.laws.empty() ? "" : fmt::format(" of {}", fmt::join(one.laws, ", "));
      const bool is_broken = !first.kept && first.missing.empty();
      const std::string how = cases > 0   ? fmt::format(" (tried on {} cases{})", cases, of_laws)
                              : is_broken ? " (by the cases that fail above)"
                                          : "";
      text += fmt::format("{}{}: judged as good as: {}{}{}\n", claim, names, kept, how,
                          first.kept ? stricter_text(one, is_same) : "");
    }
  }
  return text;
}

std::vector<cause_text> causes_of(const results& of) {
  std::vector<cause_text> r;
  std::vector<std::string> seen;
  for (const diagnosed& one : of.diagnoses) {
    const std::string cause = text_of(one.cause);
    const auto is_array = [&](const diagnosed& other) {
      return std::any_of(of.lines.begin(), of.lines.end(),
                         [&](const result& line) { return line.is_array && line.kernel == other.kernel; });
    };
    std::int64_t alike = 0, lines = 0;
    for (const diagnosed& other : of.diagnoses) {
      lines += other.kernel == one.kernel ? 1 : 0;
      alike += &other != &one && text_of(other.cause) == cause && is_array(other) ? 1 : 0;
    }
    const bool folds = alike > 0 && is_array(one);
    if (folds && std::find(seen.begin(), seen.end(), cause) != seen.end()) continue;
    seen.push_back(cause);
    std::string text = "\ncause: " + one.kernel;
    if (folds) text += fmt::format(" and {} more", alike);
    if (lines > 1)
      for (const std::string& model : one.models) text += ", " + model;
    r.push_back({one.kernel, text + ": " + cause + "\n"});
  }
  return r;
}

std::string conclusions_of(const results& of) {
  std::string text;
  for (const cause_text& one : causes_of(of)) text += one.text;
  return text + kept_promises_of(of);
}

}  // namespace ropewalk::report
