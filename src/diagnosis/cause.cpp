#include "diagnosis/cause.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ropewalk::diagnosis {

namespace {

std::string counts_of(const cause& found) {
  return fmt::format("all {} failing and {} passing cases that it was tried on", found.failing,
                     found.passing);
}

/// The cases that share what is common, and the verb: "the 12 failing cases have".
std::string failing_cases(const cause& found) {
  const bool are_some = found.failing_of_common > 0 && found.failing_of_common < found.failing;
  const std::int64_t some = found.failing_of_common;
  const std::string of_some =
      !are_some ? " have" : fmt::format("; the wrong calls that were seen in {} of them have", some);
  if (found.passing == 0) return fmt::format("no case passed; the {} that failed{}", found.failing, of_some);
  return fmt::format("{}{} failing cases{}", are_some ? "" : "the ", found.failing, of_some);
}

}  // namespace

std::string sentence_of_all(const std::vector<named_fault>& faults) {
  std::vector<std::string> sentences;
  for (const named_fault& one : faults)
    if (std::find(sentences.begin(), sentences.end(), one.sentence) == sentences.end())
      sentences.push_back(one.sentence);
  std::string text = fmt::format("{}", fmt::join(sentences, ", or "));
  return sentences.size() > 1 ? text + " (these give the same answers here)" : text;
}

std::optional<cause> common_cause(const cause& one, const cause& other) {
  if (one.found != other.found || one.common != other.common || one.to_the_bit != other.to_the_bit ||
      one.within != other.within)
    return std::nullopt;
  cause r = one;
  r.failing += other.failing;
  r.passing += other.passing;
  r.failing_of_common += other.failing_of_common;
  r.refused += other.refused;
  if (r.refusal.empty()) r.refusal = other.refusal;
  r.is_cut = one.is_cut || other.is_cut;
  std::erase_if(r.faults, [&](const named_fault& fault) {
    return std::find(other.faults.begin(), other.faults.end(), fault) == other.faults.end();
  });
  if (one.faults.empty() || other.faults.empty())
    return one.sentence == other.sentence ? std::optional(r) : std::nullopt;
  if (r.faults.empty()) return std::nullopt;
  r.sentence = sentence_of_all(r.faults);
  return r;
}

const char* name_of(verdict found) {
  switch (found) {
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

std::string text_without_refusals(const cause& found) {
  if (found.failing == 0 && !found.sentence.empty()) return found.sentence;  // of no cases, as of a table
  if (found.found == verdict::not_explained)
    return fmt::format("not explained by any known fault{}; {} in common: {}",
                       found.is_cut ? " alone (there was no time to try every two at once)" : "",
                       failing_cases(found), found.common);
  if (found.found == verdict::conduct)
    return fmt::format("{} (in all {} cases that were tried)", found.sentence, found.failing);
  if (found.found == verdict::explained && found.to_the_bit)
    return fmt::format("{} (explains {})", found.sentence, counts_of(found));
  if (found.found == verdict::explained)
    return fmt::format("{} (explains {} within the looser bounds of {} alone)", found.sentence,
                       counts_of(found), found.within);
  return found.sentence;
}

}  // namespace

std::string text_of(const cause& found) {
  const std::string text = text_without_refusals(found);
  if (found.refused == 0) return text;
  return fmt::format("{}; left out: {} further cases that the kernel refused, the first with {}", text,
                     found.refused, found.refusal);
}

}  // namespace ropewalk::diagnosis
