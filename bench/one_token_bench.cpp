// Calls on one token, as in decoding, compared with a memcpy and with the computation of the token's row; and
// the part of such a call that setting the floating-point environment takes.

#include <cstdint>

#include "bench/benchmark_groups.hpp"
#include "bench/interleaved.hpp"
#include "bench/timed_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::bench {
namespace {

rotation_case decoding_case(const verify::chosen_kernel& kernel, ropewalk_dtype dtype,
                            const std::shared_ptr<const measured_rotation>& rotation) {
  return {.kernel = kernel, .dtype = dtype, .measured = rotation, .tokens = 1, .decodes = true};
}

void time_with_row(measure::bench_row& row, const pace& how, const rotation_case& rotation) {
  rotation_work token(rotation);
  const rotation_plan plan(rotation.measured->encoding.view());
  const fast_rows rows(plan, *simd::targets().front());
  row_space<float> space(rows.pairs());
  std::int32_t position = 0;
  interleave(
      row, how, [&] { token.turn(); },
      [&] {
        position = position % static_cast<std::int32_t>(often.end - 1) + 1;
        rows.row(position, false, space.cos(), space.sin(), space.undecided());
      });
}

/// Compares saving, setting and restoring the floating-point environment, as every call does, with a whole
/// call.
void time_environment(measure::bench_row& row, const pace& how, const rotation_case& rotation) {
  rotation_work token(rotation);
  interleave(
      row, how, [] { const default_floating_environment environment; }, [&] { token.turn(); });
}

void add(case_list& cases, std::string_view group, const rotation_case& rotation, const char* other,
         void (*time)(measure::bench_row&, const pace&, const rotation_case&)) {
  measure::bench_row row = row_of(group, rotation);
  row.other = other;
  if (group == "environment") row.bytes = 0;  // no bytes are moved
  cases.push_back({std::move(row),
                   [=](measure::bench_row& timed_row, const pace& how) { time(timed_row, how, rotation); }});
}

}  // namespace

void add_one_token(case_list& cases, const request& request) {
  const verify::chosen_kernel turns = canonical_kernels().front();
  for (const ropewalk_dtype dtype : request.dtypes)
    for (const auto& rotation : request.rotations) {
      if (rotation->on_axes) continue;  // models on axes do not decode token by token
      for (const verify::chosen_kernel& kernel : request.kernels)
        add_rotation(cases, "one-token", decoding_case(kernel, dtype, rotation));
      if (request.is_fixed)
        add(cases, "one-token-and-row", decoding_case(turns, dtype, rotation), "own row", time_with_row);
    }
  if (!request.is_fixed) return;
  for (const ropewalk_dtype dtype : request.dtypes)
    add(cases, "environment", decoding_case(turns, dtype, request.rotations.front()), "one token",
        time_environment);
}

}  // namespace ropewalk::bench
