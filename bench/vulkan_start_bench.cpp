// vulkan-start: time to open a device and probe its arithmetic, and time to compile a pipeline from SPIR-V.

#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/interleaved.hpp"
#include "gpu/kernel_device.hpp"

namespace ropewalk::bench {
namespace {

void time_start(measure::bench_row& row, const pace& how, bool times_pipeline) {
  std::vector<measure::round_times>& rounds = row.repetitions.emplace_back();
  for (int round = 0; round < how.fewest_rounds; ++round) {
    auto begin = bench_clock::now();
    vulkan::kernel_device device({});
    if (times_pipeline) {
      begin = bench_clock::now();
      device.pipeline_of(vulkan::rotate_shader(ROPEWALK_F32, vulkan::access::bytes_16), {0, 0, 0, 0});
    }
    rounds.push_back({in_six_digits(seconds_since(begin)), 0});
  }
}

}  // namespace

void add_vulkan_start(case_list& cases) {
  if (!vulkan::why_no_device().empty()) return;
  for (const bool times_pipeline : {false, true})
    cases.push_back(
        {row_of("vulkan-start", times_pipeline ? "pipeline" : "context", not_said, not_said, 1),
         [=](measure::bench_row& row, const pace& how) { time_start(row, how, times_pipeline); }});
}

}  // namespace ropewalk::bench
