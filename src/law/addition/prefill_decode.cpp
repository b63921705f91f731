#include "ropewalk/law/addition/prefill_decode.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/kernel/call_words.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Makes the case's call in every other form, and judges that each gives the same bits. If a call requests
/// only some tokens, the others must stay unchanged.
template <floating_format Float>
measurement measure_sum_handed_over(const checked_addition& kernel, const law_case& test_case) {
  const rotated whole = kernel.sums(test_case);
  const std::int64_t width = test_case.query_heads * test_case.head_dim,
                     tokens = test_case.batch * test_case.tokens;
  measurement measured;
  const auto judge = [&](const law_case& part, const rotated& expected, const rotated& answer,
                         std::int64_t first, const std::optional<token_range>& answered) {
    for_each_sum<Float>(kernel, part, answer, [&](const place& where, auto x, auto got, auto) {
      const std::int64_t token = where.row * part.tokens + where.token;
      if (answered && (token < answered->first || token >= answered->last)) return;
      const std::size_t at = static_cast<std::size_t>(first * width) + head_start(part, where) +
                             static_cast<std::size_t>(where.channel);
      judge_bits<Float>(measured, where, x, static_cast<bits_of<Float>>(expected.query[at]), got);
    });
  };
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t first) {
    if (!kernel.served().allow(part, form)) return;
    const auto words = [&] { return words_of(test_case, part, form, first); };
    if (const auto answer = answer_of_call(
            measured, [&] { return kernel.sums(part, form); }, words))
      judge_call(
          measured, [&] { judge(part, whole, *answer, first, form.part); }, words);
  };
  for (std::int64_t row = 0; row < test_case.batch; ++row) {
    expect_same(part_of(test_case, row, 0, test_case.tokens), {.rank_3 = true}, row * test_case.tokens);
    expect_same(part_of(test_case, row, 0, 0), {}, row * test_case.tokens);
    for (std::int64_t token = 0; token < test_case.tokens; ++token)
      expect_same(part_of(test_case, row, token, token + 1), {}, row * test_case.tokens + token);
  }
  for (std::int64_t cut = 1; cut < tokens; cut = 2 * cut + 1) expect_same(test_case, {.cuts = {cut}}, 0);
  for (const bool in_place : {false, true}) {
    law_case placed = test_case;
    placed.in_place = in_place;
    for (const token_range part : parts_of(tokens)) expect_same(placed, {.part = part}, 0);
    if (in_place != test_case.in_place) expect_same(placed, {}, 0);
  }
  const law_case flat = end_to_end(test_case);
  const auto ends = sequence_ends(test_case), uneven = uneven_ends(flat);
  expect_same(flat, {.sequence_offset = ends, .rank_3 = true}, 0);
  for (const call_form& form : sequence_forms(uneven)) expect_same(flat, form, 0);
  const law_case counted = counted_in(flat, uneven);
  std::optional<rotated> counted_whole;
  for (call_form form : sequence_forms(uneven)) {
    form.counted_positions = true;
    if (!kernel.served().allow(counted, form) || !kernel.served().allow(counted)) continue;
    if (!counted_whole) counted_whole = kernel.sums(counted);
    const auto words = [&] { return words_of(counted, counted, form, 0); };
    if (const auto answer = answer_of_call(
            measured, [&] { return kernel.sums(counted, form); }, words))
      judge_call(
          measured, [&] { judge(counted, *counted_whole, *answer, 0, form.part); }, words);
  }
  if (has_equal_rows(test_case)) expect_same(test_case, {.shared_positions = true}, 0);
  if (has_counted_positions(test_case)) expect_same(test_case, {.counted_positions = true}, 0);
  return measured;
}

}  // namespace detail

measurement addition_laws::judge_prefill_decode(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype, [&]<class Float>() {
    return detail::measure_sum_handed_over<Float>(kernel, test_case);
  });
}

}  // namespace ropewalk
