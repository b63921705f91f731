// Benchmark groups of additions: sinusoidal rows added to tokens and ALiBi's bias added to scores, compared
// with a memcpy that reads and writes as many bytes.

#include <cstring>

#include "bench/addition_call.hpp"
#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

namespace ropewalk::bench {
namespace {

constexpr int d_model = 1024;

std::size_t row_tensor_bytes(ropewalk_dtype dtype, int tokens) {
  return static_cast<std::size_t>(tokens) * d_model * static_cast<std::size_t>(size_of(dtype));
}

/// One query has the keys of a context being continued; several queries have as many keys as queries.
constexpr int keys_of(int queries) { return queries == 1 ? 512 : queries; }

std::size_t score_bytes(ropewalk_dtype dtype, int queries) {
  return static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys_of(queries)) * heads *
         static_cast<std::size_t>(size_of(dtype));
}

/// Checks the output of a call, once per repetition.
template <class Encoding, class Call>
void check_addition(measure::bench_row& row, const ropewalk_kernel& kernel, const Encoding& encoding,
                    Call call, ropewalk_tensor Call::*out, std::size_t bytes) {
  const ropewalk_kernel& plain = plain_kernel(all_addition_kernels(), kernel);
  const auto* got = static_cast<const std::byte*>((call.*out).data);
  const page_buffer want(bytes);
  (call.*out).data = want.data();
  planned_kernel(plain, encoding).apply(call);
  check_same_bits(row, got, want.data(), bytes, plain.name);
}

/// Each token also reads a row but writes none, so the memcpy copies half of the rows' bytes in addition.
void time_rows(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel, ropewalk_dtype dtype,
               int tokens) {
  const std::size_t bytes = row_tensor_bytes(dtype, tokens);
  const std::size_t row_bytes = static_cast<std::size_t>(tokens) * d_model * sizeof(float);
  const page_buffer from(bytes + row_bytes / 2), to(bytes + row_bytes / 2);
  const resolved_sinusoidal encoding({.d_model = d_model}, {0, tokens});
  const planned_kernel planned(kernel, encoding.view());
  const auto call =
      addition_call<add_row>(dense_tensor(from.data(), dtype, tokens, 1, d_model), to.data(), tokens);
  interleave(
      row, how, [&] { planned.apply(call); },
      [&] { std::memcpy(to.data(), from.data(), bytes + row_bytes / 2); });
  planned.apply(call);
  if (row.check.empty()) check_addition(row, kernel, encoding.view(), call, &ropewalk_row_call::out, bytes);
}

/// Scores [heads, queries, keys] in memory, viewed as [queries, heads, keys]. The last query is at the last
/// key.
void time_bias(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel, ropewalk_dtype dtype,
               int queries) {
  const std::size_t bytes = score_bytes(dtype, queries);
  const int keys = keys_of(queries);
  const page_buffer from(bytes), to(bytes);
  const resolved_alibi encoding({.heads = heads});
  const planned_kernel planned(kernel, encoding.view());
  ropewalk_tensor scores = dense_tensor(from.data(), dtype, queries, heads, keys);
  scores.stride[0] = keys;
  scores.stride[1] = std::int64_t{queries} * keys;
  auto call = addition_call<add_bias>(scores, to.data(), queries);
  const std::int32_t last = keys - 1;
  if (queries == 1) call.tokens.positions = given_positions(&last);
  interleave(
      row, how, [&] { planned.apply(call); }, [&] { std::memcpy(to.data(), from.data(), bytes); });
  planned.apply(call);
  if (row.check.empty())
    check_addition(row, kernel, encoding.view(), call, &ropewalk_bias_call::scores_out, bytes);
}

}  // namespace

void add_additions(case_list& to) {
  for (const ropewalk_kernel& kernel : addition_kernels())
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const int tokens : {1, 512, 2048}) {
        const bool is_row = kernel.operation == ROPEWALK_ADD_ROW;
        measure::bench_row row = row_of("add", kernel.name, name_of(dtype), not_said, tokens);
        row.bytes = 2 * static_cast<double>((is_row ? row_tensor_bytes : score_bytes)(dtype, tokens));
        row.other = "memcpy";
        to.push_back({std::move(row), [=](measure::bench_row& timed_row, const pace& how) {
                        (is_row ? time_rows : time_bias)(timed_row, how, kernel, dtype, tokens);
                      }});
      }
}

}  // namespace ropewalk::bench
