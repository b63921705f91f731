#include "gpu/kernel_device.hpp"

#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "gpu/arithmetic.hpp"
#include "gpu/float_controls.hpp"
#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

/// State shared by all plans. Never freed: a driver's statics may be destroyed before ours.
struct shared_state {
  std::mutex changing;
  device_wish wish;
  std::shared_ptr<kernel_device> device;
};

shared_state& shared() {
  static auto& state = *new shared_state;
  return state;
}

std::string name_of_device(const device_wish& wish) {
  const char* const named = std::getenv("ROPEWALK_VULKAN_DEVICE");
  return !wish.device.empty() || named == nullptr ? wish.device : named;
}

/// The best device with canonical arithmetic; if a device is named, only that one.
std::unique_ptr<device> made_device(const device_wish& wish) {
  const auto value = std::make_shared<const instance>(wish.validated);
  std::vector<device_description> left = value->descriptions();
  std::vector<std::size_t> index(left.size());  // of the devices in `left`
  std::iota(index.begin(), index.end(), std::size_t{0});
  const std::string named = name_of_device(wish);
  std::string refused;
  while (!left.empty() || refused.empty()) {
    const std::size_t at = choose(left, {}, named);
    auto made = std::make_unique<device>(value, index[at], wish.options);
    if (arithmetic_of(*made).is_canonical()) return made;
    const std::string loses =
        left[at].name + " does not preserve subnormals, signed zeros, infinities or NaN";
    if (!named.empty()) throw no_device("device " + loses);
    refused += "; " + loses;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(at));
  }
  throw no_device("no suitable Vulkan device" + refused);
}

}  // namespace

kernel_device::kernel_device(const device_wish& wish) : device_(made_device(wish)) {}

const pipeline& kernel_device::pipeline_of(const shader& code, const std::vector<std::uint32_t>& constants) {
  const std::lock_guard lock(making_);
  auto& slot = made_[{code.words.data(), constants}];
  if (!slot) {
    const float_controls declared{
        .rounds_to_nearest_even = true,
        .preserves_denormals = device_->description().float32.preserves_denormals,
        .preserves_signed_zero_inf_nan = device_->description().float32.preserves_signed_zero_inf_nan};
    const std::vector<std::uint32_t> words = with_float_controls(code.words, declared);
    slot = std::make_unique<pipeline>(*device_, shader{words, code.buffers, code.push_constant_bytes},
                                      constants);
  }
  return *slot;
}

void wish_for(device_wish wish) {
  shared_state& state = shared();
  const std::lock_guard lock(state.changing);
  state.wish = std::move(wish);
  state.device.reset();
}

std::shared_ptr<kernel_device> shared_device() {
  shared_state& state = shared();
  const std::lock_guard lock(state.changing);
  if (!state.device || state.device->on().is_lost()) {
    state.device.reset();
    state.device = std::make_shared<kernel_device>(state.wish);
  }
  return state.device;
}

std::string device_text() { return text_of(shared_device()->on().description()); }

bool is_device_named() {
  shared_state& state = shared();
  const std::lock_guard lock(state.changing);
  return !name_of_device(state.wish).empty();
}

std::string why_no_device() {
  try {
    shared_device();
    return "";
  } catch (const no_device& error) {
    return error.what();
  }
}

}  // namespace ropewalk::vulkan
