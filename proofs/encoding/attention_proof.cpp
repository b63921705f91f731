// Attention: scores follow a permutation of the tokens, rotated scores depend on the distance alone, and
// softmax ignores a constant added to a row.

#include <algorithm>
#include <array>

#include "ropewalk/encoding/attention_positions.hpp"

namespace attention_proof {

using namespace ropewalk;

constexpr int limb_count = 2;
using real = enclosure<limb_count>;
using real_rows = matrix<real>;

constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90
constexpr bool agree(const real& x, const real& y) { return x.error < narrow && may_be_zero(x - y); }

constexpr real_rows example(int step) {
  return matrix_of(3, 4, [&](int i, int j) { return real::of((step * (4 * i + j) % 11 - 5) * 0.25); });
}

constexpr real_rows in_order(const real_rows& x, const std::array<int, 3>& order) {
  return matrix_of(3, x.columns(), [&](int i, int j) { return x.at(order[static_cast<std::size_t>(i)], j); });
}

/// Score (i, j) of the permuted tokens is exactly the score of the tokens moved to i and j.
consteval bool scores_follow_every_order_of_the_tokens() {
  const real_rows queries = example(3), keys = example(7), before = attention_scores(queries, keys);
  std::array<int, 3> order{0, 1, 2};
  do {
    const real_rows after = attention_scores(in_order(queries, order), in_order(keys, order));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (compare(after.at(i, j), before.at(order[static_cast<std::size_t>(i)],
                                              order[static_cast<std::size_t>(j)])) != order::equal)
          return false;
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}
static_assert(scores_follow_every_order_of_the_tokens());

/// The matrix of scores is not invariant: exchanging two tokens changes it.
consteval bool scores_do_not_remain_when_tokens_change_places() {
  const real_rows queries = example(3), keys = example(7), before = attention_scores(queries, keys);
  const std::array<int, 3> exchanged{1, 0, 2};
  const real_rows after = attention_scores(in_order(queries, exchanged), in_order(keys, exchanged));
  return compare(after.at(0, 0), before.at(0, 0)) != order::equal &&
         compare(after.at(2, 0), before.at(2, 0)) != order::equal &&
         compare(after.at(2, 2), before.at(2, 2)) == order::equal;
}
static_assert(scores_do_not_remain_when_tokens_change_places());

/// R_m^T R_n = R_(n - m), element by element, for integer and fractional positions.
consteval bool transposed_rotation_times_rotation_is_that_of_the_distance(double m, double n) {
  constexpr rope config{.base = 10000, .rotary_dim = 4};
  const rotation_matrix<limb_count> at_m(config, m), at_n(config, n), at_distance(config, n - m);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      real sum = real::of(0);
      for (int k = 0; k < 4; ++k)
        sum = sum + at_m.at(k, row, pairing::interleaved) * at_n.at(k, column, pairing::interleaved);
      if (!agree(sum, at_distance.at(row, column, pairing::interleaved))) return false;
    }
  return true;
}
static_assert(transposed_rotation_times_rotation_is_that_of_the_distance(3, 5));
static_assert(transposed_rotation_times_rotation_is_that_of_the_distance(-0.5, 4096));
static_assert(transposed_rotation_times_rotation_is_that_of_the_distance(7, 7));

/// (R_m W_q x) . (R_n W_k y) = x^T W_q^T R_(n - m) W_k y: W_q is transposed, and x and y are different
/// tokens.
consteval bool score_of_projected_tokens_depends_on_the_distance() {
  constexpr rope config{.base = 10000, .rotary_dim = 4};
  const real_rows query_weights =
      matrix_of(4, 4, [](int i, int j) { return real::of((5 * i + 3 * j) % 7 - 3); });
  const real_rows key_weights =
      matrix_of(4, 4, [](int i, int j) { return real::of((2 * i + 9 * j) % 5 - 2); });
  const real_rows x = matrix_of(1, 4, [](int, int j) { return real::of(j + 1); });
  const real_rows y = matrix_of(1, 4, [](int, int j) { return real::of(2 - j); });
  // Rows W_q x and W_k y.
  const real_rows query = times_transposed(x, query_weights), key = times_transposed(y, key_weights);
  const double m[] = {2}, n[] = {5}, distance[] = {3};
  const real left = times_transposed(rotated_rows(query, m, config), rotated_rows(key, n, config)).at(0, 0);
  const real right = times_transposed(x, rotated_rows(key, distance, config) * query_weights).at(0, 0);
  return agree(left, right);
}
static_assert(score_of_projected_tokens_depends_on_the_distance());

/// Adding one number to a whole row of scores leaves its softmax unchanged.
consteval bool weights_do_not_see_a_number_added_to_a_row() {
  const real_rows scores = attention_scores(example(3), example(7));
  const real_rows more = matrix_of(3, 3, [&](int i, int j) { return scores.at(i, j) + real::of(7 * i - 3); });
  const real_rows before = attention_weights(scores, {}), after = attention_weights(more, {});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!agree(before.at(i, j), after.at(i, j))) return false;
  return true;
}
static_assert(weights_do_not_see_a_number_added_to_a_row());

}  // namespace attention_proof
