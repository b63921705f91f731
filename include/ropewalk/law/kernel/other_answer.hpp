#pragma once
// Results of two kernels for one case, and a comparison of their bits.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::detail {

/// Results of a kernel and of another kernel; nullopt if both refuse the case with the same status.
///
/// throws  kernel_trouble if only one refuses it, unanswered_call
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

/// Compares the bits of each channel that `takes(channel)` selects, in every head.
template <floating_format Float, class Takes>
void compare_channels(measurement& measured, const law_case& test_case,
                      const std::pair<rotated, rotated>& answers, const Takes& takes) {
  const auto bits_at = [](const std::vector<std::uint64_t>& elements, std::size_t index) {
    return static_cast<bits_of<Float>>(elements[index]);
  };
  for_each_head(test_case, [&](place where) {
    const std::size_t start = head_start(test_case, where);
    for (where.channel = 0; where.channel < test_case.head_dim; ++where.channel) {
      if (!takes(where.channel)) continue;
      const std::size_t index = start + static_cast<std::size_t>(where.channel);
      const auto x = bits_at(elements_of(test_case, where.tensor), index),
                 y = bits_at(elements_of(answers.first, where.tensor), index),
                 expected = bits_at(elements_of(answers.second, where.tensor), index);
      record(measured, judge_equal(same_bits<Float>(expected, y)), where, [&] {
        return evidence{dtype_of<Float>, 1, {x}, {expected}, {y}};
      });
    }
  });
}

}  // namespace ropewalk::detail
