#pragma once
// Compares the rows that vectors compute with MPFR.

#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "kernel/fast_rows.hpp"
#include "kernel/row_space.hpp"
#include "oracle/every_core.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::test {

/// A configuration's rows on one target, and the oracle's.
struct vector_rows {
  vector_rows(const rope& config, const simd::target& target)
      : resolved(config, {.head_dim = config.rotary_dim}),
        plan(resolved.view()),
        rows(plan, target),
        oracle(config) {}

  resolved_encoding resolved;
  rotation_plan plan;
  fast_rows rows;
  oracle::rope_oracle oracle;
};

struct wrong_floats {
  std::int64_t entries = 0;  // cosines and sines
  std::int64_t wrong = 0;
  std::int64_t last_position = 0;

  wrong_floats& operator+=(const wrong_floats& other) {
    if (other.wrong != 0) last_position = other.last_position;
    entries += other.entries;
    wrong += other.wrong;
    return *this;
  }
  friend std::ostream& operator<<(std::ostream& out, const wrong_floats& w) {
    out << w.entries << " entries, wrong: " << w.wrong;
    if (w.wrong != 0) out << "; last at position " << w.last_position;
    return out;
  }
};

inline wrong_floats compare_entry(const oracle::rope_oracle& oracle, std::int64_t position, int pair,
                                  float cos, float sin) {
  const oracle::rope_oracle::entry truth = oracle.at(position, pair);
  return {2, (to_bits(cos) != truth.cos.in<float>()) + (to_bits(sin) != truth.sin.in<float>()), position};
}

/// Compares a whole row.
inline wrong_floats compare_row(const oracle::rope_oracle& oracle, std::int64_t position, const float* cos,
                                const float* sin) {
  wrong_floats row;
  for (int pair = 0; pair < oracle.pairs(); ++pair)
    row += compare_entry(oracle, position, pair, cos[pair], sin[pair]);
  return row;
}

/// Calls visit(position, pairs), from any thread, for every signed 32-bit position except 0 at which vectors
/// leave the entries of some pairs undecided.
template <class Visit>
void for_each_undecided(const vector_rows& simd_rows, const Visit& visit) {
  constexpr std::int64_t positions_at_once = std::int64_t{1} << 20;
  oracle::on_every_core((largest_position + 1) / positions_at_once, [&](std::int64_t index) {
    row_space<float> space(simd_rows.rows.pairs());
    std::vector<std::uint16_t> listed(64);
    for (std::int64_t p = index * positions_at_once + 1; p <= (index + 1) * positions_at_once; ++p) {
      // The largest magnitude, 2^31, occurs as a negative position alone.
      const std::int64_t position = p <= largest_position ? p : -p;
      const int count = simd_rows.rows.try_row(position, false, space.cos(), space.sin(), listed.data());
      const std::span<const std::uint16_t> pairs(listed.data(), static_cast<std::size_t>(count));
      if (pairs.empty()) continue;
      visit(position, pairs);
      if (position > 0) visit(-position, pairs);
    }
    return 0;
  });
}

}  // namespace ropewalk::test
