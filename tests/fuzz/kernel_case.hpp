#pragma once
// A call of kernel.h that an input describes: an encoding, and tensors of few elements.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "fuzz/choices.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::fuzz {

struct kernel_case {
  ropewalk_operation operation = ROPEWALK_ROTATE;
  // The encoding: the operation tells which one counts.
  rope rotary{};
  head_layout layout{};
  int axes = 1;
  std::vector<std::int32_t> axis{};  // of each pair
  sinusoidal rows{};
  alibi biases{};
  position_range often{};
  // The call.
  ropewalk_dtype dtype = ROPEWALK_F32;
  int rank = 4;
  test::arrangement how = test::arrangement::dense;
  bool in_place = false;
  std::int64_t batch = 1;
  std::int64_t tokens = 1;
  std::int64_t heads = 1;
  std::int64_t key_heads = 0;  // 0: no key
  std::int64_t channels = 1;
  bool is_counted = true;
  std::vector<std::int32_t> positions{};        // [axes, batch, tokens]
  std::vector<double> real_positions{};         // the call's in their place, if not empty
  std::vector<std::int64_t> sequence_offset{};  // empty: no sequences
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t flags = 0;
  floating_registers callers = default_floating_registers();
  std::vector<std::uint64_t> query{};  // [batch, tokens, heads, channels]
  std::vector<std::uint64_t> key{};

  /// The position of a token on an axis. Tokens are counted across batch rows.
  double position(std::int64_t at, std::int64_t token) const {
    const auto index = static_cast<std::size_t>(at * batch * tokens + token);
    if (!real_positions.empty()) return real_positions[index];
    if (!is_counted) return positions[index];
    std::int64_t first = token / tokens * tokens;
    for (const std::int64_t offset : sequence_offset)
      if (offset <= token) first = offset;
    return static_cast<double>(token - first);
  }
};

namespace detail {

inline rope_scaling drawn_scaling(choices& from) {
  switch (from.below(5)) {
    case 1: return linear{.factor = 4};
    case 2: return yarn{.factor = 4, .original_max_position_embeddings = 4096};
    case 3:
      return llama3{
          .factor = 8, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192};
    case 4: return dynamic{.factor = 2, .max_position_embeddings = 2048};
    default: return {};
  }
}

inline void draw_rotation(kernel_case& to, choices& from) {
  constexpr std::array bases{10000.0, 500000.0, 2.0, 1e8, 150000.5};
  constexpr std::array pairings{pairing::interleaved, pairing::half_split};
  to.rotary = {.base = from.one_of(bases),
               .rotary_dim = 2 * from.from(2, 20),  // two pairs at least, as dynamic wants
               .scaling = drawn_scaling(from),
               .seq_len = 4096};
  const int others = from.below(8);
  to.layout.head_dim = to.rotary.rotary_dim + others;
  to.layout.pairing_in = from.one_of(pairings);
  to.layout.pairing_out = from.one_of(pairings);
  to.axes = from.from(1, 3);
  for (int pair = 0; pair < to.rotary.rotary_dim / 2; ++pair)
    to.axis.push_back(to.axes == 1 ? 0 : from.below(to.axes));
  to.channels = to.layout.head_dim;
  to.key_heads = from.below(3);
  // Takes no choice: inputs of the corpus stay the same.
  to.layout.rotary_begin = others * static_cast<int>(to.key_heads) / 2;
  to.flags = static_cast<std::uint32_t>(from.below(4));
}

inline void draw_row_addition(kernel_case& to, choices& from) {
  constexpr std::array<double, 2> shifts{0, 1};
  constexpr std::array layouts{sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos,
                               sinusoidal_layout::cos_sin};
  // The other shift divides by the number of pairs less one.
  to.rows = {.d_model = from.from(4, 33), .shift = from.one_of(shifts), .layout = from.one_of(layouts)};
  to.rows.odd = odd_width::zero;
  if (from.flip()) to.rows.padding_idx = from.below(3);
  to.channels = to.rows.d_model;
}

inline void draw_bias_addition(kernel_case& to, choices& from) {
  to.biases = {.heads = from.from(1, 6), .form = from.flip() ? alibi_form::symmetric : alibi_form::causal};
  to.heads = to.biases.heads;
  to.channels = from.from(1, 40);
  // Takes no choice: inputs of the corpus stay the same.
  if (to.biases.form == alibi_form::causal && to.channels % 3 == 0)
    to.biases.form = to.channels % 2 == 0 ? alibi_form::key : alibi_form::last_key;
}

inline void draw_positions(kernel_case& to, choices& from) {
  constexpr std::array far{0, -1, 1, 131071, 16777217, -16777217, INT32_MAX, INT32_MIN};
  const std::int64_t all = to.batch * to.tokens;
  to.is_counted = from.flip();
  for (std::int64_t i = 0; !to.is_counted && i < to.axes * all; ++i) switch (from.below(3)) {
      case 0: to.positions.push_back(from.below(256)); break;
      case 1: to.positions.push_back(from.one_of(far)); break;
      default: to.positions.push_back(static_cast<std::int32_t>(from.word(4)));
    }
  if (to.rank == 3 && from.flip()) {
    std::int64_t offset = 0;
    to.sequence_offset.push_back(0);
    while (offset < all) {
      offset += from.below(static_cast<int>(all - offset) + 1);
      if (to.sequence_offset.size() > 4) offset = all;
      to.sequence_offset.push_back(offset);
    }
  }
  to.end = all;
  if (from.flip()) {
    to.begin = from.below(static_cast<int>(all) + 1);
    to.end = to.begin + from.below(static_cast<int>(all - to.begin) + 1);
  }
}

/// Positions in binary64 in place of whole ones, in some calls that may have them.
inline void draw_real_positions(kernel_case& to, choices& from) {
  const bool may_have_them =
      to.operation == ROPEWALK_ROTATE || (to.operation == ROPEWALK_ADD_ROW && row_offset(to.rows) == 0);
  if (to.is_counted || !may_have_them || !from.flip()) return;
  for (const std::int32_t whole : to.positions) {
    const double drawn = from_bits<double>(from.word(8));
    to.real_positions.push_back(std::abs(drawn) < 0x1p31 ? drawn : std::max(whole, -INT32_MAX));
  }
}

}  // namespace detail

inline kernel_case drawn_case(choices& from) {
  constexpr std::array environments{default_floating_registers(), flushing_floating_registers(),
                                    upward_floating_registers()};
  constexpr std::array dtypes{ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16, ROPEWALK_F64};
  kernel_case test_case;
  test_case.operation = static_cast<ropewalk_operation>(from.below(3));
  test_case.dtype = from.one_of(dtypes);
  test_case.how = from.one_of(test::all_arrangements);
  test_case.in_place = from.flip();
  test_case.rank = from.flip() ? 3 : 4;
  test_case.batch = test_case.rank == 3 ? 1 : from.below(3);
  test_case.tokens = from.below(5);
  test_case.heads = from.from(1, 4);
  test_case.callers = from.one_of(environments);
  const int first = from.below(64);
  test_case.often = {first - 32, first - 32 + from.from(1, 64)};
  if (from.flip()) test_case.often = {};
  switch (test_case.operation) {
    case ROPEWALK_ROTATE: detail::draw_rotation(test_case, from); break;
    case ROPEWALK_ADD_ROW: detail::draw_row_addition(test_case, from); break;
    default: detail::draw_bias_addition(test_case, from);
  }
  detail::draw_positions(test_case, from);
  std::mt19937_64 random(from.word(2));
  const auto count = [&](std::int64_t heads) {
    return static_cast<std::size_t>(test_case.batch * test_case.tokens * heads * test_case.channels);
  };
  test_case.query = test::random_elements(test_case.dtype, count(test_case.heads), random);
  test_case.key = test::random_elements(test_case.dtype, count(test_case.key_heads), random);
  detail::draw_real_positions(test_case, from);  // last: inputs of the corpus stay the same
  return test_case;
}

}  // namespace ropewalk::fuzz
