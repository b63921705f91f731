#pragma once
// Prefill equals decode: a token's rotation is the same alone, in its batch, in any split of the batch, as
// one of several sequences laid end to end, in place or not.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/law/agreement.hpp"

namespace ropewalk {

namespace detail {

/// Tokens first .. last - 1 of one batch row, as a case of their own.
inline law_case part_of(const law_case& given, std::int64_t row, std::int64_t first, std::int64_t last) {
  law_case part = given;
  part.batch = 1;
  part.tokens = last - first;
  const auto take = [&](const auto& from, auto& to, std::int64_t width) {
    const auto begin = from.begin() + (row * given.tokens + first) * width;
    to.assign(begin, begin + (last - first) * width);
  };
  take(given.positions, part.positions, 1);
  take(given.query, part.query, given.query_heads * given.head_dim);
  take(given.key, part.key, given.key_heads * given.head_dim);
  return part;
}

/// All batch rows as one: sequences laid end to end.
inline law_case end_to_end(const law_case& given) {
  law_case flat = given;
  flat.tokens = given.batch * given.tokens;
  flat.batch = 1;
  return flat;
}

inline bool has_counted_positions(const law_case& given) {
  for (std::int64_t row = 0; row < given.batch; ++row)
    for (std::int64_t token = 0; token < given.tokens; ++token)
      if (position_of(given, row, token) != token) return false;
  return true;
}

/// Judges a part's answer against the whole's; the part begins at `row`, `first`.
template <floating_format Float>
void judge_part(measurement& m, const held_kernel& kernel, const law_case& given, const rotated& whole,
                const law_case& part, const rotated& answer, std::int64_t row, std::int64_t first) {
  for_each_head(part, [&](const place& inside) {
    place where = inside;
    const std::int64_t index = row * given.tokens + first + inside.token + inside.row * part.tokens;
    where.row = index / given.tokens;
    where.token = index % given.tokens;
    const std::size_t start = head_start(given, where), part_start = head_start(part, inside);
    for (where.pair = 0; where.pair < kernel.pairs(); ++where.pair) {
      const channel_pair out = kernel.channels_out(where.pair);
      judge_agreement<Float>(
          m, kernel, where, is_unit(given),
          pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair)),
          pair_at<Float>(elements_of(whole, where.tensor), start, out),
          pair_at<Float>(elements_of(answer, where.tensor), part_start, out));
    }
  });
}

/// The kernel's answer; nothing where it says that it does not serve this form of call.
inline std::optional<rotated> answer_if_served(const held_kernel& kernel, const law_case& part,
                                               const call_form& form) {
  try {
    return kernel.rotate(part, form);
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() != ROPEWALK_UNSUPPORTED) throw;
    return std::nullopt;
  }
}

inline bool has_equal_rows(const law_case& given) {
  for (std::int64_t row = 1; row < given.batch; ++row)
    for (std::int64_t token = 0; token < given.tokens; ++token)
      if (position_of(given, row, token) != position_of(given, 0, token)) return false;
  return given.batch > 1;
}

/// Sequences of every length that fits: none, one token, none, the rest, none.
inline std::vector<std::int64_t> uneven_ends(const law_case& flat) {
  return {0, 0, 1, 1, flat.tokens, flat.tokens};
}

/// The positions of sequences that are counted from 0.
inline law_case counted_in(law_case flat, const std::vector<std::int64_t>& ends) {
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    for (std::int64_t token = ends[i]; token < ends[i + 1]; ++token)
      flat.positions[static_cast<std::size_t>(token)] = static_cast<std::int32_t>(token - ends[i]);
  return flat;
}

inline std::vector<std::int64_t> sequence_ends(const law_case& given) {
  std::vector<std::int64_t> ends;
  for (std::int64_t row = 0; row <= given.batch; ++row) ends.push_back(row * given.tokens);
  return ends;
}

}  // namespace detail

/// Every other way to hand the case over, against the case as a whole: equal bits, or agreement_bound.
template <floating_format Float>
measurement measure_prefill_decode(const held_kernel& kernel, const law_case& given) {
  const rotated whole = kernel.rotate(given);
  measurement m;
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t row,
                               std::int64_t first) {
    if (const auto answer = detail::answer_if_served(kernel, part, form))
      detail::judge_part<Float>(m, kernel, given, whole, part, *answer, row, first);
  };
  for (std::int64_t row = 0; row < given.batch; ++row) {
    expect_same(detail::part_of(given, row, 0, given.tokens), {.rank_3 = true}, row, 0);
    for (std::int64_t token = 0; token < given.tokens; ++token)
      expect_same(detail::part_of(given, row, token, token + 1), {}, row, token);
  }
  for (std::int64_t cut = 1; cut < given.batch * given.tokens; cut = 2 * cut + 1)
    expect_same(given, {.cuts = {cut}}, 0, 0);
  law_case other_place = given;
  other_place.in_place = !given.in_place;
  expect_same(other_place, {}, 0, 0);
  const law_case flat = detail::end_to_end(given);
  const auto ends = detail::sequence_ends(given);
  expect_same(flat, {.sequence_offset = ends, .rank_3 = true}, 0, 0);
  const auto uneven = detail::uneven_ends(flat);
  expect_same(flat, {.sequence_offset = uneven, .rank_3 = true}, 0, 0);
  const law_case counted = detail::counted_in(flat, uneven);
  if (const auto answer = detail::answer_if_served(
          kernel, counted, {.sequence_offset = uneven, .rank_3 = true, .counted_positions = true}))
    detail::judge_part<Float>(m, kernel, counted, kernel.rotate(counted), counted, *answer, 0, 0);
  if (detail::has_equal_rows(given)) expect_same(given, {.shared_positions = true}, 0, 0);
  if (detail::has_counted_positions(given)) {
    expect_same(given, {.counted_positions = true}, 0, 0);
    expect_same(flat, {.sequence_offset = ends, .rank_3 = true, .counted_positions = true}, 0, 0);
  }
  return m;
}

}  // namespace ropewalk
