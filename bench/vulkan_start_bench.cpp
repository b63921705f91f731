// vulkan-start: time to open a device and probe its arithmetic, and to compile a pipeline from a shader's
// words.

#include <chrono>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
#include "gpu/kernel_device.hpp"

namespace ropewalk::bench {
namespace {

constexpr int starts = 15;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void time_start(benchmark::State& state, bool of_pipeline) {
  std::vector<double> seconds;
  for ([[maybe_unused]] auto _ : state) {
    auto begin = std::chrono::steady_clock::now();
    vulkan::kernel_device device({});
    if (of_pipeline) {
      begin = std::chrono::steady_clock::now();
      device.pipeline_of(vulkan::rotate_shader(ROPEWALK_F32), {0, 0, 0});
    }
    seconds.push_back(seconds_since(begin));
    state.SetIterationTime(seconds.back());
  }
  state.counters["median_seconds"] = median(seconds);
}

}  // namespace

void register_vulkan_start() {
  if (!vulkan::why_no_device().empty()) return;
  for (const bool of_pipeline : {false, true})
    add_benchmark(benchmark_name("vulkan-start", of_pipeline ? "pipeline" : "context", not_said, not_said, 1),
                  starts, [=](benchmark::State& state) { time_start(state, of_pipeline); });
}

}  // namespace ropewalk::bench
