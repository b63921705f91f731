// two threads: a call split by tokens, against a memcpy split in halves. Both start their second thread anew
// each time.

#include <cstring>
#include <thread>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
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

void time_two_threads(measure::bench_row& row, const pace& how, const rotation_case& given) {
  rotation_work work(given);
  const page_buffer to(work.bytes());
  const auto apply = [&] {
    ropewalk_error error{};
    const planned_kernel& planned = work.planned();
    if (apply_with_threads(planned.kernel(), planned.plan(), work.call(), threads, &error) != ROPEWALK_OK)
      throw std::runtime_error(error.text);
  };
  interleave(row, how, apply, [&] { copy_on_two_threads(to.data(), work.input(), work.bytes()); });
}

}  // namespace

void add_two_threads(case_list& to) {
  for (const int tokens : {512, 4096})
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const verify::chosen_kernel& kernel : canonical_kernels()) {
        const rotation_case given{kernel, dtype, fixed_rotation(pairing::half_split), tokens};
        measure::bench_row row = row_of("two-threads", given);
        row.threads = threads;
        to.push_back({std::move(row),
                      [given](measure::bench_row& of, const pace& how) { time_two_threads(of, how, given); },
                      [given] { return errors_of(given); }});
      }
}

}  // namespace ropewalk::bench
