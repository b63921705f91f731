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
  device_copies(vulkan::kernel_device& device, std::size_t bytes)
      : device_(device), from_(device.on(), bytes), to_(device.on(), bytes, vulkan::memory_kind::device) {
    for (std::size_t i = 0; i < bytes / sizeof(std::uint32_t); ++i)
      from_.as<std::uint32_t>()[i] = static_cast<std::uint32_t>(i + 1);
    vulkan::commands work(device_.on());
    from_.send(work);
    work.run();
  }

  /// Seconds of each way. Rounds alternate the order of the ways, so that each is half the time second.
  std::array<double, 2> one_round(std::size_t round) {
    const std::array<way, 2> order =
        round % 2 == 0 ? std::array{shader, command} : std::array{command, shader};
    vulkan::commands work(device_.on(), true);
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
    std::array<double, 2> numbers{};
    for (std::size_t i = 0; i < order.size(); ++i) numbers[order[i]] = times[i] * 1e-9;
    return numbers;
  }

  /// Throws std::logic_error unless the copy equals its source.
  void check(way way) {
    vulkan::output_buffer out(device_.on(), to_.size());
    vulkan::commands work(device_.on());
    work.clear(to_, to_.size());
    work.barrier();
    record(work, way);
    work.barrier();
    work.copy({&to_}, {&out.on_device()});
    work.barrier();
    out.fetch(work);
    work.run();
    if (std::memcmp(out.data(), from_.data(), to_.size()) != 0)
      throw std::logic_error("the device's copy differs from its source");
  }

 private:
  void record(vulkan::commands& by, way way) {
    if (way == shader)
      vulkan::record_raw_copy(device_, by, from_.on_device(), to_);
    else
      by.copy({&from_.on_device()}, {&to_});
  }

  vulkan::kernel_device& device_;
  vulkan::input_buffer from_;
  vulkan::buffer to_;
};

}  // namespace

ceiling device_ceiling(vulkan::kernel_device& device, std::size_t bytes) {
  device_copies copies(device, bytes);
  for (const way way : {shader, command}) copies.check(way);
  std::array<std::vector<double>, 2> speeds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::array<double, 2> seconds = copies.one_round(round);
    for (const way way : {shader, command})
      speeds[way].push_back(2 * static_cast<double>(bytes) / seconds[way]);
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
