// add: sinusoidal rows added to tokens and ALiBi's bias added to scores, against a memcpy that reads and
// writes as many bytes.

#include <cstring>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

namespace ropewalk::bench {
namespace {

constexpr int d_model = 1024;

/// A dense tensor [tokens, heads, channels].
ropewalk_tensor dense(std::byte* data, ropewalk_dtype dtype, std::int64_t tokens, std::int64_t head_count,
                      std::int64_t channels) {
  return {.data = data,
          .dtype = dtype,
          .rank = 3,
          .shape = {tokens, head_count, channels, 0},
          .stride = {head_count * channels, channels, 1, 0}};
}

/// A call for all tokens of a tensor, at positions from 0.
template <class Operation>
typename Operation::call call_of(const ropewalk_tensor& from, std::byte* to, std::int64_t count) {
  ropewalk_tokens tokens{};
  tokens.end = count;
  ropewalk_tensor into = from;
  into.data = to;
  return {head_of<Operation, typename Operation::call>(), tokens, from, into};
}

std::size_t row_tensor_bytes(ropewalk_dtype dtype, int tokens) {
  return static_cast<std::size_t>(tokens) * d_model * static_cast<std::size_t>(size_of(dtype));
}

std::size_t score_bytes(ropewalk_dtype dtype, int tokens) {
  return static_cast<std::size_t>(tokens) * static_cast<std::size_t>(tokens) * heads *
         static_cast<std::size_t>(size_of(dtype));
}

/// Each token also reads a row, but writes none: the memcpy copies half of the rows' bytes in addition.
void time_rows(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel, ropewalk_dtype dtype,
               int tokens) {
  const std::size_t bytes = row_tensor_bytes(dtype, tokens);
  const std::size_t row_bytes = static_cast<std::size_t>(tokens) * d_model * sizeof(float);
  const page_buffer from(bytes + row_bytes / 2), to(bytes + row_bytes / 2);
  const planned_kernel planned(kernel, resolved_sinusoidal({.d_model = d_model}, {0, tokens}).view());
  const auto call = call_of<add_row>(dense(from.data(), dtype, tokens, 1, d_model), to.data(), tokens);
  interleave(
      row, how, [&] { planned.apply(call); },
      [&] { std::memcpy(to.data(), from.data(), bytes + row_bytes / 2); });
}

/// Scores [heads, queries, keys] in memory, viewed as [queries, heads, keys].
void time_bias(measure::bench_row& row, const pace& how, const ropewalk_kernel& kernel, ropewalk_dtype dtype,
               int tokens) {
  const std::size_t bytes = score_bytes(dtype, tokens);
  const page_buffer from(bytes), to(bytes);
  const planned_kernel planned(kernel, resolved_alibi({.heads = heads}).view());
  ropewalk_tensor scores = dense(from.data(), dtype, tokens, heads, tokens);
  scores.stride[0] = tokens;
  scores.stride[1] = std::int64_t{tokens} * tokens;
  const auto call = call_of<add_bias>(scores, to.data(), tokens);
  interleave(
      row, how, [&] { planned.apply(call); }, [&] { std::memcpy(to.data(), from.data(), bytes); });
}

}  // namespace

void add_additions(case_list& to) {
  for (const ropewalk_kernel& kernel : addition_kernels())
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const int tokens : {512, 2048}) {
        const bool is_row = kernel.operation == ROPEWALK_ADD_ROW;
        measure::bench_row row = row_of("add", kernel.name, name_of(dtype), not_said, tokens);
        row.bytes = 2 * static_cast<double>((is_row ? row_tensor_bytes : score_bytes)(dtype, tokens));
        row.other = "memcpy";
        to.push_back({std::move(row), [=](measure::bench_row& of, const pace& how) {
                        (is_row ? time_rows : time_bias)(of, how, kernel, dtype, tokens);
                      }});
      }
}

}  // namespace ropewalk::bench
