// vulkan-start: time to open a device and probe its arithmetic, and to compile a pipeline from a shader's
// words.

#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/interleaved.hpp"
#include "gpu/kernel_device.hpp"

namespace ropewalk::bench {
namespace {

void time_start(measure::bench_row& row, const pace& how, bool of_pipeline) {
  std::vector<measure::round_times>& rounds = row.repetitions.emplace_back();
  for (int round = 0; round < how.fewest_rounds; ++round) {
    auto begin = bench_clock::now();
    vulkan::kernel_device device({});
    if (of_pipeline) {
      begin = bench_clock::now();
      device.pipeline_of(vulkan::rotate_shader(ROPEWALK_F32, vulkan::access::bytes_16), {0, 0, 0, 0});
    }
    rounds.push_back({in_six_digits(seconds_since(begin)), 0});
  }
}

}  // namespace

void add_vulkan_start(case_list& to) {
  if (!vulkan::why_no_device().empty()) return;
  for (const bool of_pipeline : {false, true})
    to.push_back({row_of("vulkan-start", of_pipeline ? "pipeline" : "context", not_said, not_said, 1),
                  [=](measure::bench_row& row, const pace& how) { time_start(row, how, of_pipeline); }});
}

}  // namespace ropewalk::bench
