#pragma once
// Cases derived from another: a part of its tokens, its batch rows laid end to end, its values made finite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/law_case.hpp"
#include "ropewalk/law/kernel/tensor_memory.hpp"

namespace ropewalk {

namespace detail {

/// Tokens first .. last - 1 of one batch row, as a case of their own.
inline law_case part_of(const law_case& test_case, std::int64_t row, std::int64_t first, std::int64_t last) {
  law_case part = test_case;
  part.batch = 1;
  part.tokens = last - first;
  const auto take = [&](const auto& from, auto& to, std::int64_t width) {
    const auto begin = from.begin() + (row * test_case.tokens + first) * width;
    to.assign(begin, begin + (last - first) * width);
  };
  take(test_case.query, part.query, test_case.query_heads * test_case.head_dim);
  take(test_case.key, part.key, test_case.key_heads * test_case.head_dim);
  part.positions.clear();
  for (int axis = 0; axis < test_case.axes; ++axis)
    for (std::int64_t token = first; token < last; ++token)
      part.positions.push_back(position_of(test_case, row, token, axis));
  return part;
}

/// All batch rows as one row: sequences laid end to end.
inline law_case end_to_end(const law_case& test_case) {
  law_case flat = test_case;
  flat.tokens = test_case.batch * test_case.tokens;
  flat.batch = 1;
  return flat;
}

/// Whether is_so(axis, row, token) holds for every position.
template <class Test>
bool every_position(const law_case& test_case, Test is_so) {
  for (int axis = 0; axis < test_case.axes; ++axis)
    for (std::int64_t row = 0; row < test_case.batch; ++row)
      for (std::int64_t token = 0; token < test_case.tokens; ++token)
        if (!is_so(axis, row, token)) return false;
  return true;
}

inline bool has_counted_positions(const law_case& test_case) {
  return every_position(test_case, [&](int axis, std::int64_t row, std::int64_t token) {
    return position_of(test_case, row, token, axis) == static_cast<double>(token);
  });
}

inline bool has_equal_rows(const law_case& test_case) {
  return test_case.batch > 1 &&
         every_position(test_case, [&](int axis, std::int64_t row, std::int64_t token) {
           return position_of(test_case, row, token, axis) == position_of(test_case, 0, token, axis);
         });
}

/// Offsets of five sequences of 0, 1, 0, tokens - 1 and 0 tokens.
inline std::vector<std::int64_t> uneven_ends(const law_case& flat) {
  return {0, 0, 1, 1, flat.tokens, flat.tokens};
}

/// The case with the positions of each sequence counted from 0, on every axis.
inline law_case counted_in(law_case flat, const std::vector<std::int64_t>& ends) {
  flat.has_real_positions = false;
  for (int axis = 0; axis < flat.axes; ++axis)
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      for (std::int64_t token = ends[i]; token < ends[i + 1]; ++token)
        flat.positions[static_cast<std::size_t>(axis * flat.tokens + token)] =
            static_cast<double>(token - ends[i]);
  return flat;
}

inline std::vector<std::int64_t> sequence_ends(const law_case& test_case) {
  std::vector<std::int64_t> ends;
  for (std::int64_t row = 0; row <= test_case.batch; ++row) ends.push_back(row * test_case.tokens);
  return ends;
}

/// Calls for sequences: all tokens at once, cut in the middle, and only a range that begins after the first
/// token. Sequence offsets and counted positions always refer to all tokens, also in a call for a range.
inline std::vector<call_form> sequence_forms(const std::vector<std::int64_t>& ends) {
  const std::int64_t tokens = ends.back(), middle = (tokens + 1) / 2;
  std::vector<call_form> forms{{.sequence_offset = ends, .rank_3 = true}};
  if (tokens < 2) return forms;
  forms.push_back({.cuts = {middle}, .sequence_offset = ends, .rank_3 = true});
  const token_range inner{std::max<std::int64_t>(tokens / 3, 1), std::max<std::int64_t>(tokens - 1, 2)};
  forms.push_back({.part = inner, .sequence_offset = ends, .rank_3 = true});
  return forms;
}

/// Token ranges for calls of their own: empty ones at either end and at one third, then the middle third, the
/// first token and the last.
inline std::vector<token_range> parts_of(std::int64_t tokens) {
  const std::int64_t third = tokens / 3, rest = tokens - third;
  return {{0, 0}, {third, third}, {tokens, tokens}, {third, rest}, {0, 1}, {tokens - 1, tokens}};
}

/// The case with 1 in place of every value that is not finite.
template <floating_format Float>
law_case with_finite_values(law_case test_case) {
  constexpr bits_of<Float> bits = static_cast<bits_of<Float>>(static_cast<bits_of<Float>>(format<Float>::bias)
                                                              << (format<Float>::precision - 1));
  for (auto* elements : {&test_case.query, &test_case.key})
    for (auto& element : *elements)
      if (!is_finite<Float>(static_cast<bits_of<Float>>(element))) element = bits;
  return test_case;
}

}  // namespace detail

}  // namespace ropewalk
