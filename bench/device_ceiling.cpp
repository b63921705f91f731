#include "bench/device_ceiling.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gpu/rotation_work.hpp"
#include "gpu/vulkan/error.hpp"
#include "gpu/vulkan/transfer.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::size_t rounds = 9;
enum way { shader, command };

/// Two buffers on a device, and the copies between them.
class device_copies {
 public:
  device_copies(vulkan::kernel_device& on, std::size_t bytes)
      : on_(on), from_(on.on(), bytes), to_(on.on(), bytes, vulkan::memory_kind::device) {
    for (std::size_t i = 0; i < bytes / sizeof(std::uint32_t); ++i)
      from_.as<std::uint32_t>()[i] = static_cast<std::uint32_t>(i + 1);
    vulkan::commands work(on_.on());
    from_.send(work);
    work.run();
  }

  /// Seconds of each way, the one before in the caches or not by turns.
  std::array<double, 2> one_round(std::size_t round) {
    const std::array<way, 2> order =
        round % 2 == 0 ? std::array{shader, command} : std::array{command, shader};
    vulkan::commands work(on_.on(), true);
    for (const way next : order) {
      work.barrier();
      work.timestamp();
      record(work, next);
    }
    work.barrier();
    work.timestamp();
    work.run();
    const std::vector<double> times = work.nanoseconds();
    if (times.size() != order.size()) throw vulkan::device_error("the device has no timestamps");
    std::array<double, 2> r{};
    for (std::size_t i = 0; i < order.size(); ++i) r[order[i]] = times[i] * 1e-9;
    return r;
  }

  /// Throws std::logic_error unless a way copies its source.
  void check(way of) {
    vulkan::output_buffer out(on_.on(), to_.size());
    vulkan::commands work(on_.on());
    work.clear(to_, to_.size());
    work.barrier();
    record(work, of);
    work.barrier();
    work.copy({&to_}, {&out.on_device()});
    work.barrier();
    out.fetch(work);
    work.run();
    if (std::memcmp(out.data(), from_.data(), to_.size()) != 0)
      throw std::logic_error("the device's copy differs from its source");
  }

 private:
  void record(vulkan::commands& by, way of) {
    if (of == shader)
      vulkan::record_raw_copy(on_, by, from_.on_device(), to_);
    else
      by.copy({&from_.on_device()}, {&to_});
  }

  vulkan::kernel_device& on_;
  vulkan::input_buffer from_;
  vulkan::buffer to_;
};

}  // namespace

ceiling device_ceiling(vulkan::kernel_device& on, std::size_t bytes) {
  device_copies copies(on, bytes);
  for (const way one : {shader, command}) copies.check(one);
  std::array<std::vector<double>, 2> speeds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::array<double, 2> seconds = copies.one_round(round);
    for (const way one : {shader, command})
      speeds[one].push_back(2 * static_cast<double>(bytes) / seconds[one]);
  }
  const auto middle_of = [](std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + rounds / 2, values.end());
    return values[rounds / 2];
  };
  const way best = middle_of(speeds[shader]) < middle_of(speeds[command]) ? command : shader;
  return {.level = "device",
          .threads = 0,
          .capacity = std::numeric_limits<std::size_t>::max(),
          .working_set = 2 * bytes,
          .way = best == shader ? "a shader's copy" : "vkCmdCopyBuffer",
          .bytes_per_second = speeds[best]};
}

}  // namespace ropewalk::bench
