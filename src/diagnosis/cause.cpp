#include "diagnosis/cause.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ropewalk::diagnosis {

namespace {

std::string counts_of(const cause& cause) {
  return fmt::format("all {} failing and {} passing cases that it was tried on", cause.failing,
                     cause.passing);
}

/// The cases that share the common properties, and a verb: "the 12 failing cases have".
std::string failing_cases(const cause& cause) {
  const bool are_some = cause.failing_of_common > 0 && cause.failing_of_common < cause.failing;
  const std::int64_t some = cause.failing_of_common;
  const std::string of_some = !are_some ? " have" : fmt::format("; the wrong calls in {} of them have", some);
  if (cause.passing == 0)
    return fmt::format("no case passed; the {} failing cases{}", cause.failing, of_some);
  return fmt::format("{}{} failing cases{}", are_some ? "" : "the ", cause.failing, of_some);
}

}  // namespace

std::string sentence_of_all(const std::vector<named_fault>& faults) {
  std::vector<std::string> sentences;
  for (const named_fault& fault : faults)
    if (std::find(sentences.begin(), sentences.end(), fault.sentence) == sentences.end())
      sentences.push_back(fault.sentence);
  std::string text = fmt::format("{}", fmt::join(sentences, ", or "));
  return sentences.size() > 1 ? text + " (these give the same answers here)" : text;
}

std::optional<cause> common_cause(const cause& first, const cause& other) {
  if (first.verdict != other.verdict || first.common != other.common ||
      first.to_the_bit != other.to_the_bit || first.within != other.within)
    return std::nullopt;
  cause result = first;
  result.failing += other.failing;
  result.passing += other.passing;
  result.failing_of_common += other.failing_of_common;
  result.refused += other.refused;
  if (result.refusal.empty()) result.refusal = other.refusal;
  result.is_cut = first.is_cut || other.is_cut;
  std::erase_if(result.faults, [&](const named_fault& fault) {
    return std::find(other.faults.begin(), other.faults.end(), fault) == other.faults.end();
  });
  if (first.faults.empty() || other.faults.empty())
    return first.sentence == other.sentence ? std::optional(result) : std::nullopt;
  if (result.faults.empty()) return std::nullopt;
  result.sentence = sentence_of_all(result.faults);
  return result;
}

const char* name_of(verdict judgement) {
  switch (judgement) {
    case verdict::explained: return "explained";
    case verdict::not_reproducible: return "not reproducible";
    case verdict::refused: return "refused";
    case verdict::environment: return "environment";
    case verdict::not_written: return "not written";
    case verdict::conduct: return "conduct";
    case verdict::not_explained: return "not explained";
    case verdict::parted: return "parted";
    case verdict::cut: break;
  }
  return "cut";
}

namespace {

std::string text_without_refusals(const cause& cause) {
  if (cause.failing == 0 && !cause.sentence.empty()) return cause.sentence;  // no cases, as for a table
  if (cause.verdict == verdict::not_explained)
    return fmt::format("not explained by any known fault{}; {} in common: {}",
                       cause.is_cut ? " alone (no time to try all pairs of faults)" : "",
                       failing_cases(cause), cause.common);
  if (cause.verdict == verdict::conduct)
    return fmt::format("{} (in all {} cases)", cause.sentence, cause.failing);
  if (cause.verdict == verdict::explained && cause.to_the_bit)
    return fmt::format("{} (explains {})", cause.sentence, counts_of(cause));
  if (cause.verdict == verdict::explained)
    return fmt::format("{} (explains {} only within the looser bounds of {})", cause.sentence,
                       counts_of(cause), cause.within);
  return cause.sentence;
}

}  // namespace

std::string text_of(const cause& cause) {
  const std::string text = text_without_refusals(cause);
  if (cause.refused == 0) return text;
  return fmt::format("{}; left out: {} further cases that the kernel refused, the first with {}", text,
                     cause.refused, cause.refusal);
}

}  // namespace ropewalk::diagnosis
