// two threads: a call split by tokens, against a memcpy split in halves. Both start their second thread anew
// each time.

#include <cstring>
#include <thread>

#include "bench/interleaved.hpp"
#include "bench/measured_error.hpp"
#include "bench/page_buffer.hpp"
#include "bench/timed_rotation.hpp"
#include "ropewalk/kernel/threads.hpp"

namespace ropewalk::bench {
namespace {

constexpr int threads = 2;

void copy_on_two_threads(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t half = bytes / 2;
  const std::jthread other([=] { std::memcpy(to + half, from + half, bytes - half); });
  std::memcpy(to, from, half);
}

void time_two_threads(benchmark::State& state, const rotation_case& given) {
  const std::size_t bytes = tensor_bytes(given.dtype, given.tokens);
  const page_buffer from(bytes), to(bytes);
  const planned_kernel planned(given.kernel, given.pairs);
  const ropewalk_rotation_call call = dense_call(from.data(), to.data(), given.dtype, given.tokens, heads);
  const auto apply = [&] {
    ropewalk_error error{};
    if (apply_with_threads(planned.kernel(), planned.plan(), call, threads, &error) != ROPEWALK_OK)
      throw std::runtime_error(error.text);
  };
  const auto times = interleave(state, 1, apply, [&] { copy_on_two_threads(to.data(), from.data(), bytes); });
  count(state, times, bytes, "memcpy");
  count_error(state, given.kernel, given.dtype, given.pairs);
}

}  // namespace

void register_two_threads() {
  for (const int tokens : {512, 4096})
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const ropewalk_kernel& kernel : canonical_kernels()) {
        const rotation_case given{kernel, dtype, pairing::half_split, tokens};
        add_benchmark(name_of("two-threads", given), tokens == 512 ? 61 : 15,
                      [given](benchmark::State& state) { time_two_threads(state, given); });
      }
}

}  // namespace ropewalk::bench
