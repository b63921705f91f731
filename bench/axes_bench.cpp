// axes: rotations by positions on three axes: the frame, row and column of a picture's patches.

#include <cstring>

#include "bench/addition_call.hpp"
#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved_axes.hpp"

namespace ropewalk::bench {
namespace {

constexpr int patch_count = 512, patch_columns = 32;
constexpr head_layout patch_layout{
    .head_dim = head_dim, .pairing_in = pairing::half_split, .pairing_out = pairing::half_split};

/// Positions of the frame, the row and the column of each patch.
std::vector<std::int32_t> patch_positions() {
  constexpr std::int32_t frame = 7;
  std::vector<std::int32_t> positions(patch_count, frame);
  for (std::int32_t patch = 0; patch < patch_count; ++patch) positions.push_back(patch / patch_columns);
  for (std::int32_t patch = 0; patch < patch_count; ++patch) positions.push_back(patch % patch_columns);
  return positions;
}

void time_axes(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel,
               ropewalk_dtype dtype) {
  const std::size_t bytes = tensor_bytes(dtype, patch_count);
  const page_buffer from(bytes), to(bytes);
  const std::vector<std::int32_t> positions = patch_positions();
  const resolved_axes encoding(configuration, mrope(16, 24, 24), patch_layout, often);
  const planned_kernel planned(kernel, encoding.view());
  auto call = empty_call<rotate>();
  call.tokens.positions = given_positions(positions.data(), {patch_count, 0, 1}, 3);
  call.tokens.end = patch_count;
  call.query_in = dense_tensor(from.data(), dtype, patch_count, heads, head_dim);
  call.query_out = dense_tensor(to.data(), dtype, patch_count, heads, head_dim);
  interleave(
      row, how, [&] { planned.apply(call); }, [&] { std::memcpy(to.data(), from.data(), bytes); });
  if (!row.check.empty()) return;
  planned.apply(call);
  const ropewalk_kernel& plain = plain_kernel(all_kernels(), kernel);
  const page_buffer want(bytes);
  call.query_out.data = want.data();
  planned_kernel(plain, encoding.view()).apply(call);
  check_same_bits(row, to.data(), want.data(), bytes, plain.name);
}

}  // namespace

void add_axes(case_list& to) {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const verify::chosen_kernel& kernel : canonical_kernels()) {
      benchmark_case test_case{.row = row_of("axes", kernel.label(), name_of(dtype),
                                             model::pairing_text(patch_layout), patch_count),
                               .repeat = {}};
      test_case.row.bytes = 2 * static_cast<double>(tensor_bytes(dtype, patch_count));
      test_case.row.other = "memcpy";
      test_case.working_set = test_case.row.bytes;
      test_case.repeat = [entry = *kernel.entry, dtype](measure::bench_row& row, const pace& how) {
        time_axes(row, how, entry, dtype);
      };
      to.push_back(std::move(test_case));
    }
}

}  // namespace ropewalk::bench
