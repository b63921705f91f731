// real-rows, real-axes: rows and calls at binary64 positions, compared with whole positions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/addition_call.hpp"
#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "bench/timed_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/kernels.hpp"
#include "kernel/real_rows.hpp"
#include "kernel/real_walk.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/kernel/resolved_axes.hpp"

namespace ropewalk::bench {
namespace {

constexpr int real_walked_rows = 8192;  // number of rows in the name of a walk
constexpr std::int64_t first_real_position = 1 << 16;
constexpr int centre_count = 512, centre_columns = 32, centre_axes = 3;
constexpr head_layout centre_layout{
    .head_dim = head_dim, .pairing_in = pairing::half_split, .pairing_out = pairing::half_split};

/// Rows at both kinds of positions on one target, and memory for them.
struct real_row_bench {
  explicit real_row_bench(const simd::target& target)
      : encoding(encoding_with(pairing::half_split)),
        plan(encoding.view()),
        whole(plan, target),
        real(plan, whole) {}

  void check(measure::bench_row& row, double position) {
    say_result(row, is_exact(position), "the exact cosines and sines, correctly rounded");
  }

  resolved_encoding encoding;
  rotation_plan plan;
  fast_rows whole;
  real_rows real;
  row_space<float> space{configuration.rotary_dim / 2};
  row_space<float> whole_space{configuration.rotary_dim / 2};

 private:
  bool is_exact(double position) {
    for (int pair = 0; pair < plan.rows.pairs(); ++pair) {
      const auto want = plan.rows.entry<float>(pair, position, false);
      if (to_bits(space.cos()[pair]) != want.cos || to_bits(space.sin()[pair]) != want.sin) return false;
    }
    return true;
  }
};

/// Times rows computed one by one; binary64 positions are sevenths.
void time_real_rows(measure::bench_row& row, const pace& how, const simd::target& target) {
  real_row_bench bench(target);
  std::int64_t position = first_real_position, whole_position = first_real_position;
  const auto real_position = [&] { return static_cast<double>(position) / 7; };
  const auto real_row = [&] {
    ++position;
    bench.real.row(0, real_position(), false, bench.space.cos(), bench.space.sin(), bench.space.undecided());
  };
  interleave(row, how, real_row, [&] {
    bench.whole.row(++whole_position, false, bench.whole_space.cos(), bench.whole_space.sin(),
                    bench.whole_space.undecided());
  });
  bench.check(row, real_position());
}

/// Times rows computed by one walk at consecutive positions; binary64 positions are centres.
void time_real_walk(measure::bench_row& row, const pace& how, const simd::target& target) {
  real_row_bench bench(target);
  row_walk whole_walk(bench.whole);
  real_walk walk(bench.real, false);
  std::int64_t whole_position = first_real_position;
  double position = first_real_position + 0.5;
  const auto real_row = [&] {
    walk.row(++position, bench.space.cos(), bench.space.sin(), bench.space.undecided());
  };
  interleave(row, how, real_row, [&] {
    whole_walk.row(++whole_position, false, bench.whole_space.cos(), bench.whole_space.sin(),
                   bench.whole_space.undecided());
  });
  bench.check(row, position);
}

/// Positions of the frame, the row and the column of each patch, and their centres in [-1, 1].
struct centre_positions {
  centre_positions() {
    constexpr int of_axis[] = {7, centre_count / centre_columns, centre_columns};
    for (int axis = 0; axis < centre_axes; ++axis)
      for (std::int32_t patch = 0; patch < centre_count; ++patch) {
        const std::int32_t at = axis == 0 ? 3 : axis == 1 ? patch / centre_columns : patch % centre_columns;
        whole.push_back(at);
        real.push_back(2 * (at + 0.5) / of_axis[axis] - 1);
      }
  }
  std::vector<std::int32_t> whole;
  std::vector<double> real;
};

void time_real_axes(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel,
                    ropewalk_dtype dtype) {
  const std::size_t bytes = tensor_bytes(dtype, centre_count);
  const page_buffer from(bytes), to(bytes), whole_to(bytes);
  const centre_positions positions;
  const resolved_axes encoding(configuration, mrope(16, 24, 24), centre_layout, often);
  const planned_kernel planned(kernel, encoding.view());
  auto whole = empty_call<rotate>();
  whole.tokens.positions = given_positions(positions.whole.data(), {centre_count, 0, 1}, centre_axes);
  whole.tokens.end = centre_count;
  whole.query_in = dense_tensor(from.data(), dtype, centre_count, heads, head_dim);
  whole.query_out = dense_tensor(whole_to.data(), dtype, centre_count, heads, head_dim);
  auto real = whole;
  real.tokens.positions.kind = ROPEWALK_POSITIONS_F64;
  real.tokens.positions.data = positions.real.data();
  real.query_out.data = to.data();
  interleave(
      row, how, [&] { planned.apply(real); }, [&] { planned.apply(whole); });
  if (!row.check.empty()) return;
  planned.apply(real);
  const ropewalk_kernel& plain = plain_kernel(all_kernels(), kernel);
  const page_buffer want(bytes);
  real.query_out.data = want.data();
  planned_kernel(plain, encoding.view()).apply(real);
  check_same_bits(row, to.data(), want.data(), bytes, plain.name);
}

measure::bench_row row_of_real_rows(const std::string& kernel, int rows) {
  measure::bench_row row = row_of("real-rows", kernel, name_of(ROPEWALK_F32), not_said, rows);
  row.bytes = configuration.rotary_dim * sizeof(float);  // bytes written only
  row.other = "row of a whole position";
  return row;
}

}  // namespace

void add_real(case_list& to) {
  for (const simd::target* target : simd::targets()) {
    to.push_back({row_of_real_rows(std::string("cpu-turns-") + target->name, 1),
                  [=](measure::bench_row& row, const pace& how) { time_real_rows(row, how, *target); }});
    to.push_back({row_of_real_rows(std::string("walk-") + target->name, real_walked_rows),
                  [=](measure::bench_row& row, const pace& how) { time_real_walk(row, how, *target); }});
  }
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const verify::chosen_kernel& kernel : canonical_kernels()) {
      benchmark_case test_case{.row = row_of("real-axes", kernel.label(), name_of(dtype),
                                             model::pairing_text(centre_layout), centre_count),
                               .repeat = {}};
      test_case.row.bytes = 2 * static_cast<double>(tensor_bytes(dtype, centre_count));
      test_case.row.other = "call at whole positions";
      test_case.working_set = test_case.row.bytes;
      test_case.repeat = [entry = *kernel.entry, dtype](measure::bench_row& row, const pace& how) {
        time_real_axes(row, how, entry, dtype);
      };
      to.push_back(std::move(test_case));
    }
}

}  // namespace ropewalk::bench
