// The pairings differ only by a permutation of channels.

#include "ropewalk/encoding/pairing_permutation.hpp"

#include <array>
#include <cstddef>

#include "ropewalk/encoding/rope.hpp"

namespace pairing_permutation_proof {

using namespace ropewalk;

constexpr int head_dim = 10;
constexpr rope config{.rotary_dim = 8};

/// The two permutations are inverse to each other and keep the channels beyond rotary_dim.
consteval bool permutations_undo_each_other() {
  for (int channel = 0; channel < head_dim; ++channel) {
    const int there = channel_before(channel, config.rotary_dim, pairing::interleaved, pairing::half_split);
    if (channel_before(there, config.rotary_dim, pairing::half_split, pairing::interleaved) != channel)
      return false;
    if (channel >= config.rotary_dim && there != channel) return false;
  }
  return true;
}
static_assert(permutations_undo_each_other());

/// As in Hugging Face's w.view(heads, rotary_dim / 2, 2, width).transpose(1, 2):
/// row s half + i comes from row 2 i + s.
consteval bool interleaved_rows_become_halves_as_by_a_transpose() {
  constexpr int half = config.rotary_dim / 2;
  for (int i = 0; i < half; ++i)
    for (int s = 0; s < 2; ++s)
      if (channel_before(s * half + i, config.rotary_dim, pairing::interleaved, pairing::half_split) !=
          2 * i + s)
        return false;
  return true;
}
static_assert(interleaved_rows_become_halves_as_by_a_transpose());

/// R P = P R': rotating a permuted head in one pairing gives, bit for bit, the permuted rotation of the other
/// pairing.
consteval bool rotation_and_permutation_change_places() {
  const rotation_matrix<2> matrix(config, 77);
  for (int row = 0; row < config.rotary_dim; ++row)
    for (int column = 0; column < config.rotary_dim; ++column) {
      const auto before = [](int channel) {
        return channel_before(channel, config.rotary_dim, pairing::interleaved, pairing::half_split);
      };
      const auto here = matrix.at(row, column, pairing::half_split);
      const auto there = matrix.at(before(row), before(column), pairing::interleaved);
      if (!(here.midpoint == there.midpoint) || !(here.error == there.error)) return false;
    }
  return true;
}
static_assert(rotation_and_permutation_change_places());

}  // namespace pairing_permutation_proof
