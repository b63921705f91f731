#include "bench/timed_rotation.hpp"

#include <cstring>

#include "bench/interleaved.hpp"
#include "bench/measured_error.hpp"
#include "bench/page_buffer.hpp"

namespace ropewalk::bench {
namespace {

constexpr int long_tokens = 4096;  // from here on tensors exceed the caches, and rounds are long

void time_rotation(benchmark::State& state, const rotation_case& given) {
  const std::size_t bytes = tensor_bytes(given.dtype, given.tokens);
  const page_buffer from(bytes), to(bytes);
  const planned_kernel planned(given.kernel, given.pairs);
  ropewalk_rotation_call call =
      dense_call(given.in_place ? to.data() : from.data(), to.data(), given.dtype, given.tokens, heads);
  call.flags = given.flags;
  const auto times = interleave(
      state, 1, [&] { planned.apply(call); }, [&] { std::memcpy(to.data(), from.data(), bytes); });
  count(state, times, bytes, "memcpy");
  count_error(state, given.kernel, given.dtype, given.pairs);
}

}  // namespace

void add_rotation(std::string_view noun, const rotation_case& given) {
  add_benchmark(name_of(noun, given), given.tokens < long_tokens ? 61 : 15,
                [given](benchmark::State& state) { time_rotation(state, given); });
}

}  // namespace ropewalk::bench
