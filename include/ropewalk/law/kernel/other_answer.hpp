#pragma once
// The answers of two kernels to one case.

#include <optional>
#include <string>
#include <utility>

#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::detail {

/// The answers of a kernel and of another one; nothing where both refuse the case with the same status.
///
/// throws  kernel_trouble where one alone refuses it, unanswered_call
template <class Ask, class AskOther>
std::optional<std::pair<rotated, rotated>> both_answers(const Ask& ask, const AskOther& ask_other,
                                                        const std::string& other_name) {
  std::optional<rotated> own, others;
  std::optional<kernel_trouble> refused, refused_by_other;
  try {
    own = ask();
  } catch (const unanswered_call&) {
    throw;
  } catch (const kernel_trouble& trouble) {
    refused = trouble;
  }
  const std::string of_other = other_name + ": ";
  try {
    others = ask_other();
  } catch (const unanswered_call& none) {
    throw unanswered_call(of_other + none.what());
  } catch (const kernel_trouble& trouble) {
    refused_by_other = kernel_trouble(trouble.status(), of_other + trouble.what(), trouble.call());
  }
  const bool is_refused_alike =
      refused && refused_by_other && refused->status() == refused_by_other->status();
  if (is_refused_alike && refused->status() != ROPEWALK_OK) return std::nullopt;
  if (refused) throw kernel_trouble(*refused);
  if (refused_by_other) throw kernel_trouble(*refused_by_other);
  return std::pair(*std::move(own), *std::move(others));
}

}  // namespace ropewalk::detail
