// vulkan: rotations by rows on the device, in the device's own time, against a shader that only copies and against
// vkCmdCopyBuffer of the same bytes; and the rows themselves. Registered where there is a device.

#include <chrono>
#include <memory>
#include <numeric>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "gpu/rotation_work.hpp"
#include "gpu/turn_rows.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::bench {
namespace {

constexpr int rounds = 31;

/// Everything that one size needs, on the device.
struct resident {
  resident(vulkan::kernel_device& on, ropewalk_dtype dtype, pairing pairs, int tokens)
      : encoding(encoding_with(pairs)),
        plan(encoding.view()),
        source(encoding.view(), plan),
        shape{plan.layout, dtype, static_cast<std::size_t>(tokens), heads, false},
        bytes(tensor_bytes(dtype, tokens)),
        in(on.on(), bytes),
        out(on.on(), bytes, vulkan::memory_kind::device),
        positions(static_cast<std::size_t>(tokens)) {
    std::iota(positions.begin(), positions.end(), 1000);
    const page_buffer elements(bytes);
    std::memcpy(in.data(), elements.data(), bytes);
  }

  resolved_encoding encoding;
  rotation_plan plan;
  vulkan::turn_source source;
  vulkan::rotated_shape shape;
  std::size_t bytes;
  vulkan::input_buffer in;
  vulkan::buffer out;
  std::vector<std::int32_t> positions;
};

/// Of one round, in nanoseconds.
struct round_times {
  double rows, rotation, copy_shader, copy_command, wall;
};

round_times one_round(vulkan::kernel_device& on, const resident& given) {
  vulkan::turn_source::rows rows(on, given.source, given.positions, given.positions.size(), false);
  vulkan::commands work(on.on(), true);
  given.in.send(work);
  work.barrier();
  work.timestamp();
  rows.record(work);
  work.barrier();
  work.timestamp();
  vulkan::record_rotation(on, work, given.shape, given.in.on_device(), given.out, rows.on_device());
  work.barrier();
  work.timestamp();
  vulkan::record_copy(on, work, given.shape, given.in.on_device(), given.out);
  work.barrier();
  work.timestamp();
  work.copy({&given.in.on_device()}, {&given.out});
  work.barrier();
  work.timestamp();
  const auto begin = std::chrono::steady_clock::now();
  work.run();
  const double wall =
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  rows.require_decided();
  const std::vector<double> times = work.nanoseconds();
  if (times.size() != 4) throw std::runtime_error("the device keeps no time");
  return {times[0], times[1], times[2], times[3], wall};
}

void time_rotation(benchmark::State& state, ropewalk_dtype dtype, pairing pairs, int tokens) {
  const std::shared_ptr<vulkan::kernel_device> on = vulkan::shared_device();
  const resident given(*on, dtype, pairs, tokens);
  one_round(*on, given);  // pipelines are made
  std::vector<double> rotation, rows, wall, to_shader, to_command;
  for ([[maybe_unused]] auto _ : state) {
    const round_times t = one_round(*on, given);
    state.SetIterationTime(t.rotation * 1e-9);
    rotation.push_back(t.rotation * 1e-9);
    rows.push_back(t.rows * 1e-9);
    wall.push_back(t.wall * 1e-9);
    to_shader.push_back(t.rotation / t.copy_shader);
    to_command.push_back(t.rotation / t.copy_command);
  }
  const double seconds = median(rotation);
  state.counters["median_seconds"] = seconds;
  state.counters["bytes_per_second"] = static_cast<double>(given.bytes) / seconds;
  state.counters["rows_seconds"] = median(rows);
  state.counters["wall_seconds"] = median(wall);
  state.counters["to_copy_shader"] = median(to_shader);
  state.counters["to_copy_command"] = median(to_command);
}

}  // namespace

void register_vulkan() {
  if (!vulkan::why_no_device().empty()) return;
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const pairing pairs : {pairing::half_split, pairing::interleaved})
      for (const int tokens : {1, 512, 2048, 4096})
        add_benchmark(benchmark_name("vulkan", "vulkan-turns", ropewalk::name_of(dtype),
                                     ropewalk::name_of(pairs), tokens),
                      rounds, [=](benchmark::State& state) { time_rotation(state, dtype, pairs, tokens); });
}

}  // namespace ropewalk::bench
