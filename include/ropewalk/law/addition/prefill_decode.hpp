#pragma once
// Prefill equals decode, for sums: a token gives the same bits alone, in its batch and in any split of it.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Tokens alone, in splits, in place or not, as rank 3: equal bits.
template <floating_format Float>
measurement measure_sum_handed_over(const held_addition& kernel, const law_case& given) {
  const rotated whole = kernel.sums(given);
  measurement m;
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t first) {
    const auto answer = answer_if_served([&] { return kernel.sums(part, form); });
    if (!answer) return;
    for_each_sum<Float>(kernel, part, *answer, [&](const place& where, auto x, auto got, auto) {
      const std::size_t at = head_start(part, where) + static_cast<std::size_t>(where.channel);
      const auto width = static_cast<std::size_t>(given.query_heads * given.head_dim);
      judge_bits<Float>(
          m, where, x, static_cast<bits_of<Float>>(whole.query[static_cast<std::size_t>(first) * width + at]),
          got);
    });
  };
  for (std::int64_t row = 0; row < given.batch; ++row) {
    expect_same(part_of(given, row, 0, given.tokens), {.rank_3 = true}, row * given.tokens);
    for (std::int64_t token = 0; token < given.tokens; ++token)
      expect_same(part_of(given, row, token, token + 1), {}, row * given.tokens + token);
  }
  for (std::int64_t cut = 1; cut < given.batch * given.tokens; cut = 2 * cut + 1)
    expect_same(given, {.cuts = {cut}}, 0);
  law_case other_place = given;
  other_place.in_place = !given.in_place;
  expect_same(other_place, {}, 0);
  return m;
}
ROPEWALK_COMPILED_LAW(measure_sum_handed_over, const held_addition&, const law_case&);

}  // namespace detail

namespace addition_laws {

inline constexpr law<held_addition> prefill_decode{
    .name = "prefill-decode",
    .statement = "a token comes out alike alone, in its batch and in any split of it",
    .needs = {.every_bit_pattern = true, .several_tokens = true},
    .measure = [](const held_addition& kernel, const law_case& given) {
      return with_format(
          given.dtype, [&]<class Float>() { return detail::measure_sum_handed_over<Float>(kernel, given); });
    }};

}  // namespace addition_laws

}  // namespace ropewalk
