// A learned table returns the rows that it holds, and adds them to tokens without rounding.

#include "ropewalk/encoding/learned.hpp"

#include <array>

namespace learned_proof {

using namespace ropewalk;

constexpr std::array<std::uint32_t, 6> weights{to_bits(1.0f),  to_bits(2.0f), to_bits(-3.0f),
                                               to_bits(0.25f), to_bits(5.0f), to_bits(0.0f)};
constexpr learned_table<float> table({.max_position_embeddings = 3, .d_model = 2}, weights);

consteval bool rows_are_those_of_the_table() {
  for (std::int64_t position = 0; position < 3; ++position)
    for (std::size_t channel = 0; channel < 2; ++channel)
      if (table.row(position)[channel] != weights[2 * static_cast<std::size_t>(position) + channel])
        return false;
  return true;
}
static_assert(rows_are_those_of_the_table());

/// The sum of a token and its row is exact: 1 + 2^-60, which binary32 cannot represent, stays unrounded.
consteval bool a_token_and_its_row_are_added_without_rounding() {
  const auto sum = table.added_to<2>(to_bits(0x1p-60f), 0, 0);
  return is_exact(sum) && compare(sum, enclosure<2>::of(1) + enclosure<2>::of(0x1p-60)) == order::equal &&
         compare(sum, enclosure<2>::of(1)) == order::greater;
}
static_assert(a_token_and_its_row_are_added_without_rounding());

}  // namespace learned_proof
