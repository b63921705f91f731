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

/// Every other form of the call against the case as a whole: equal bits, or agreement_bound. Where a call
/// asks for some tokens, the others must stay unchanged.
template <floating_format Float>
measurement measure_prefill_decode(const checked_rotation& kernel, const law_case& given) {
  const rotated whole = kernel.turned(given);
  measurement m;
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t row,
                               std::int64_t first) {
    if (!kernel.served().allow(part, form)) return;
    const auto words = [&] { return words_of(given, part, form, row * given.tokens + first); };
    if (const auto answer = answer_of_call(
            m, [&] { return kernel.turned(part, form); }, words))
      judge_call(
          m,
          [&] { detail::judge_part<Float>(m, kernel, given, whole, part, *answer, row, first, form.part); },
          words);
  };
  for (std::int64_t row = 0; row < given.batch; ++row) {
    expect_same(detail::part_of(given, row, 0, given.tokens), {.rank_3 = true}, row, 0);
    expect_same(detail::part_of(given, row, 0, 0), {}, row, 0);
    for (std::int64_t token = 0; token < given.tokens; ++token)
      expect_same(detail::part_of(given, row, token, token + 1), {}, row, token);
  }
  const std::int64_t tokens = given.batch * given.tokens;
  for (std::int64_t cut = 1; cut < tokens; cut = 2 * cut + 1) expect_same(given, {.cuts = {cut}}, 0, 0);
  for (const bool in_place : {false, true}) {
    law_case placed = given;
    placed.in_place = in_place;
    for (const token_range part : detail::parts_of(tokens)) expect_same(placed, {.part = part}, 0, 0);
    if (in_place != given.in_place) expect_same(placed, {}, 0, 0);
  }
  const law_case flat = detail::end_to_end(given);
  const auto ends = detail::sequence_ends(given);
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
            m, [&] { return kernel.turned(counted, form); }, words))
      judge_call(
          m,
          [&] {
            detail::judge_part<Float>(m, kernel, counted, *counted_whole, counted, *answer, 0, 0, form.part);
          },
          words);
  }
  if (detail::has_equal_rows(given)) expect_same(given, {.shared_positions = true}, 0, 0);
  if (detail::has_counted_positions(given)) {
    expect_same(given, {.counted_positions = true}, 0, 0);
    expect_same(flat, {.sequence_offset = ends, .rank_3 = true, .counted_positions = true}, 0, 0);
  }
  return m;
}

measurement rotation_laws::judge_prefill_decode(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype,
                     [&]<class Float>() { return measure_prefill_decode<Float>(kernel, given); });
}

}  // namespace ropewalk
