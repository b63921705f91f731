// one token: calls as decoding makes them, against a memcpy and against the computation of the token's row;
// and the share of such a call that the floating-point environment takes.

#include <cstdint>
#include <cstring>

#include "bench/interleaved.hpp"
#include "bench/measured_error.hpp"
#include "bench/page_buffer.hpp"
#include "bench/timed_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::bench {
namespace {

constexpr int one_token_calls = 2000;
constexpr std::int32_t last_position = 8000;  // inside `often`

/// A kernel called at consecutive positions, as in decoding.
class decoding {
 public:
  explicit decoding(const rotation_case& given)
      : bytes_(tensor_bytes(given.dtype, 1)),
        from_(bytes_),
        to_(bytes_),
        planned_(given.kernel, given.pairs),
        call_(dense_call(from_.data(), to_.data(), given.dtype, 1, heads)) {
    call_.tokens.positions = given_positions(&position_);
  }
  decoding(const decoding&) = delete;
  decoding& operator=(const decoding&) = delete;

  void operator()() {
    position_ = position_ % last_position + 1;
    planned_.apply(call_);
  }
  void copy() { std::memcpy(to_.data(), from_.data(), bytes_); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  page_buffer from_;
  page_buffer to_;
  planned_kernel planned_;
  ropewalk_rotation_call call_;
  std::int32_t position_ = 0;
};

void time_to_memcpy(benchmark::State& state, const rotation_case& given) {
  decoding token(given);
  const auto times = interleave(
      state, one_token_calls, [&] { token(); }, [&] { token.copy(); });
  count(state, times, token.bytes(), "memcpy");
  count_error(state, given.kernel, given.dtype, given.pairs);
}

void time_to_row(benchmark::State& state, const rotation_case& given) {
  decoding token(given);
  const resolved_encoding encoding = encoding_with(given.pairs);
  const rotation_plan plan(encoding.view());
  const fast_rows rows(plan, *simd::targets().front());
  row_space<float> space(rows.pairs());
  std::int32_t position = 0;
  const auto times = interleave(
      state, one_token_calls, [&] { token(); },
      [&] {
        position = position % last_position + 1;
        rows.row(position, false, space.cos(), space.sin(), space.undecided());
      });
  count(state, times, token.bytes(), "own_row");
}

/// Times saving, setting and restoring the floating-point environment, as every call does, against a whole
/// call.
void time_environment(benchmark::State& state, const rotation_case& given) {
  decoding token(given);
  const auto times = interleave(
      state, one_token_calls, [] { const default_floating_environment environment; }, [&] { token(); });
  count(state, times, 0, "one_token");
}

void add(std::string_view noun, const rotation_case& given,
         void (*time)(benchmark::State&, const rotation_case&)) {
  add_benchmark(name_of(noun, given), 31, [=](benchmark::State& state) { time(state, given); });
}

}  // namespace

void register_one_token() {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const pairing pairs : pairings) {
      for (const ropewalk_kernel& kernel : compared_kernels())
        add("one-token", {kernel, dtype, pairs, 1}, time_to_memcpy);
      add("one-token-and-row", {cpu_turns_kernel(), dtype, pairs, 1}, time_to_row);
    }
  for (const ropewalk_dtype dtype : narrow_dtypes)
    add("environment", {cpu_turns_kernel(), dtype, pairing::half_split, 1}, time_environment);
}

}  // namespace ropewalk::bench
