// rows: correctly rounded rows of 64 binary32 cosines and sines, compared with the same polynomials without
// the rounding test.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/timed_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/row_space.hpp"

namespace ropewalk::bench {
namespace {

constexpr int walked_rows = 8192;  // number of rows in the name of a walk
constexpr std::int64_t first_position = 1 << 20;

/// Input of a target's polynomials without the rounding test: the high 96 bits of the encoding's turns.
std::vector<simd::turn_block> untested_blocks(const ropewalk_rotation& encoding) {
  std::vector<simd::turn_block> blocks(static_cast<std::size_t>(simd::padded(encoding.rotary_dim / 2)) /
                                       simd::block_pairs);
  for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair) {
    simd::turn_block& block = blocks[static_cast<std::size_t>(pair / simd::block_pairs)];
    const int lane = pair % simd::block_pairs;
    const std::uint32_t* words = encoding.turns + 4 * pair;
    block.low[lane] = words[1];
    block.middle[lane] = words[2];
    block.high[lane] = words[3];
  }
  return blocks;
}

/// Inputs of rows on one target, and memory for the rows.
struct row_bench {
  explicit row_bench(const simd::target& simd_target)
      : encoding(encoding_with(pairing::half_split)),
        view(encoding.view()),
        plan(view),
        rows(plan, simd_target),
        blocks(untested_blocks(view)),
        target(simd_target) {}

  void untested_row(std::int64_t position) {
    target.seed({blocks.data(), plan.rows.pairs(), 1}, position, wide_space.cos(), wide_space.sin());
  }

  resolved_encoding encoding;
  ropewalk_rotation view;
  rotation_plan plan;
  fast_rows rows;
  std::vector<simd::turn_block> blocks;
  const simd::target& target;
  row_space<float> space{configuration.rotary_dim / 2};
  row_space<double> wide_space{configuration.rotary_dim / 2};
};

constexpr std::size_t row_bytes = configuration.rotary_dim * sizeof(float);

/// Times rows computed one by one at consecutive positions.
void time_rows(measure::bench_row& row, const pace& how, const simd::target& target) {
  row_bench bench(target);
  std::int64_t position = first_position, untested_position = first_position;
  interleave(
      row, how,
      [&] {
        bench.rows.row(++position, false, bench.space.cos(), bench.space.sin(), bench.space.undecided());
      },
      [&] { bench.untested_row(++untested_position); });
  check_exact_row(row, position, bench.space.cos(), bench.space.sin());
}

/// Times rows computed by one row_walk at consecutive positions.
void time_walk(measure::bench_row& row, const pace& how, const simd::target& target) {
  row_bench bench(target);
  row_walk walk(bench.rows);
  std::int64_t position = first_position, untested_position = first_position;
  interleave(
      row, how,
      [&] { walk.row(++position, false, bench.space.cos(), bench.space.sin(), bench.space.undecided()); },
      [&] { bench.untested_row(++untested_position); });
  check_exact_row(row, position, bench.space.cos(), bench.space.sin());
}

measure::bench_row row_of_rows(const std::string& kernel, int rows) {
  measure::bench_row row = row_of("rows", kernel, name_of(ROPEWALK_F32), not_said, rows);
  row.bytes = row_bytes;  // bytes written only
  row.other = "untested row";
  return row;
}

}  // namespace

void add_rows(case_list& to) {
  for (const simd::target* target : simd::targets()) {
    const verify::chosen_kernel kernel = verify::only_kernel(std::string("cpu-turns-") + target->name);
    to.push_back({row_of_rows(kernel.label(), 1),
                  [=](measure::bench_row& row, const pace& how) { time_rows(row, how, *target); },
                  [=] {
                    return errors_of({kernel, ROPEWALK_F32, fixed_rotation(pairing::half_split), 1});
                  }});
    to.push_back({row_of_rows(std::string("walk-") + target->name, walked_rows),
                  [=](measure::bench_row& row, const pace& how) { time_walk(row, how, *target); }});
  }
}

}  // namespace ropewalk::bench
