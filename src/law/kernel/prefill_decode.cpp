#include "ropewalk/law/kernel/prefill_decode.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/law/kernel/agreement.hpp"
#include "ropewalk/law/kernel/call_words.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every other form of the call against the case as a whole: equal bits, or agreement_bound. If a call
/// requests only some tokens, the others must stay unchanged.
template <floating_format Float>
measurement measure_prefill_decode(const checked_rotation& kernel, const law_case& test_case) {
  const rotated whole = kernel.turned(test_case);
  measurement measured;
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t row,
                               std::int64_t first) {
    if (!kernel.served().allow(part, form)) return;
    const auto words = [&] { return words_of(test_case, part, form, row * test_case.tokens + first); };
    if (const auto answer = answer_of_call(
            measured, [&] { return kernel.turned(part, form); }, words))
      judge_call(
          measured,
          [&] {
            detail::judge_part<Float>(measured, kernel, test_case, whole, part, *answer, row, first,
                                      form.part);
          },
          words);
  };
  for (std::int64_t row = 0; row < test_case.batch; ++row) {
    expect_same(detail::part_of(test_case, row, 0, test_case.tokens), {.rank_3 = true}, row, 0);
    expect_same(detail::part_of(test_case, row, 0, 0), {}, row, 0);
    for (std::int64_t token = 0; token < test_case.tokens; ++token)
      expect_same(detail::part_of(test_case, row, token, token + 1), {}, row, token);
  }
  const std::int64_t tokens = test_case.batch * test_case.tokens;
  for (std::int64_t cut = 1; cut < tokens; cut = 2 * cut + 1) expect_same(test_case, {.cuts = {cut}}, 0, 0);
  for (const bool in_place : {false, true}) {
    law_case placed = test_case;
    placed.in_place = in_place;
    for (const token_range part : detail::parts_of(tokens)) expect_same(placed, {.part = part}, 0, 0);
    if (in_place != test_case.in_place) expect_same(placed, {}, 0, 0);
  }
  const law_case flat = detail::end_to_end(test_case);
  const auto ends = detail::sequence_ends(test_case);
  expect_same(flat, {.sequence_offset = ends, .rank_3 = true}, 0, 0);
  const auto uneven = detail::uneven_ends(flat);
  for (const call_form& form : detail::sequence_forms(uneven)) expect_same(flat, form, 0, 0);
  const law_case counted = detail::counted_in(flat, uneven);
  std::optional<rotated> counted_whole;
  for (call_form form : detail::sequence_forms(uneven)) {
    form.counted_positions = true;
    if (!kernel.served().allow(counted, form) || !kernel.served().allow(counted)) continue;
    if (!counted_whole) counted_whole = kernel.turned(counted);
    const auto words = [&] { return words_of(counted, counted, form, 0); };
    if (const auto answer = answer_of_call(
            measured, [&] { return kernel.turned(counted, form); }, words))
      judge_call(
          measured,
          [&] {
            detail::judge_part<Float>(measured, kernel, counted, *counted_whole, counted, *answer, 0, 0,
                                      form.part);
          },
          words);
  }
  if (detail::has_equal_rows(test_case)) expect_same(test_case, {.shared_positions = true}, 0, 0);
  if (detail::has_counted_positions(test_case)) {
    expect_same(test_case, {.counted_positions = true}, 0, 0);
    expect_same(flat, {.sequence_offset = ends, .rank_3 = true, .counted_positions = true}, 0, 0);
  }
  return measured;
}

measurement rotation_laws::judge_prefill_decode(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_prefill_decode<Float>(kernel, test_case); });
}

}  // namespace ropewalk
