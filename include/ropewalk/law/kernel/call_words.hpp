#pragma once
// The calls that a law makes of one case, in words.

#include <cstdint>
#include <optional>
#include <string>

#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

/// Describes how a call differs from that of the whole case: "token 2 of batch row 1 alone", "sequences of 0,
/// 1, 0, 3, 0 tokens, one call to token 2, one from there on".
///
/// part    the tokens of the call: those of one batch row of `whole`, or all
/// first   the part's first token, counted through all batch rows of `whole`
std::string words_of(const law_case& whole, const law_case& part, const call_form& form, std::int64_t first);

/// answer_if_served() for one of a law's calls; an exception gets the call's words().
///
/// throws  kernel_trouble
template <class Ask, class Words>
std::optional<rotated> answer_of_call(measurement& measured, Ask ask, Words words) {
  try {
    return answer_if_served(measured, ask);
  } catch (const unanswered_call&) {
    throw;
  } catch (const kernel_trouble& trouble) {
    throw kernel_trouble(trouble.status(), trouble.what(), words());
  }
}

/// Judges one of a law's calls, and stores its words() if it is the worst that fails.
template <class Judge, class Words>
void judge_call(measurement& measured, Judge judge, Words words) {
  const bool held = measured.holds;
  const double worst = measured.worst;
  judge();
  if (!measured.holds && (held || measured.worst > worst)) measured.call = words();
}

}  // namespace ropewalk
