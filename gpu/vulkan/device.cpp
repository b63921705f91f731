#include "gpu/vulkan/device.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gpu/vulkan/buffer_pool.hpp"
#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

/// Must be enabled on MoltenVK, to acknowledge its portability limits.
constexpr const char* portability_subset = "VK_KHR_portability_subset";

bool is_portability_device(const instance_functions& functions, VkPhysicalDevice handle) {
  std::uint32_t count = 0;
  require_success(functions.vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, nullptr),
                  "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  require_success(functions.vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, extensions.data()),
                  "vkEnumerateDeviceExtensionProperties");
  for (const VkExtensionProperties& extension : extensions)
    if (std::string(extension.extensionName) == portability_subset) return true;
  return false;
}

}  // namespace

device::device(std::shared_ptr<const instance> value, std::size_t index, const device_options& options)
    : instance_(std::move(value)),
      physical_(&instance_->devices().at(index)),
      options_(options),
      description_(physical_->description),
      pool_(std::make_unique<buffer_pool>()) {
  device_limits& limits = description_.limits;
  if (options.storage_buffer_bytes != 0)
    limits.storage_buffer_bytes = std::min(limits.storage_buffer_bytes, options.storage_buffer_bytes);
  if (options.workgroups != 0) limits.workgroups = std::min(limits.workgroups, options.workgroups);
  const instance_functions& of_instance = instance_->functions();
  of_instance.vkGetPhysicalDeviceMemoryProperties(physical_->handle, &memory_);
  constexpr float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .pNext = nullptr,
                                      .flags = 0,
                                      .queueFamilyIndex = physical_->queue_family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  if (is_portability_device(of_instance, physical_->handle)) {
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &portability_subset;
  }
  VkDevice made = nullptr;
  require_success(of_instance.vkCreateDevice(physical_->handle, &info, nullptr, &made), "vkCreateDevice");
  functions_ = functions_of(of_instance, made);
  handle_ = {made, [this](VkDevice handle) { functions_.vkDestroyDevice(handle, nullptr); }};
  functions_.vkGetDeviceQueue(made, physical_->queue_family, 0, &queue_);
  constexpr auto empty = structure<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  VkPipelineCache cache = nullptr;
  require_success(functions_.vkCreatePipelineCache(made, &empty, nullptr, &cache), "vkCreatePipelineCache");
  cache_ = {cache,
            [this](VkPipelineCache object) { functions_.vkDestroyPipelineCache(handle(), object, nullptr); }};
}

device::~device() = default;

int device::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags properties) const {
  for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i)
    if ((allowed >> i & 1) != 0 && (memory_.memoryTypes[i].propertyFlags & properties) == properties)
      return static_cast<int>(i);
  return -1;
}

void device::require(VkResult result, const char* call) {
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  require_success(result, call);
}

void device::run(VkCommandBuffer commands) {
  if (is_lost()) throw device_lost("the device was lost before: a new plan takes a new one");
  constexpr auto fence_info = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence made = nullptr;
  require(functions_.vkCreateFence(handle(), &fence_info, nullptr, &made), "vkCreateFence");
  const owned<VkFence> fence(
      made, [this](VkFence object) { functions_.vkDestroyFence(handle(), object, nullptr); });
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  {
    const std::lock_guard lock(submitting_);
    require(functions_.vkQueueSubmit(queue_, 1, &info, made), "vkQueueSubmit");
  }
  wait(made);
}

/// Waits for a submission. If that fails, the commands may still run: waits until the device is idle, because
/// the caller frees their buffers next.
void device::wait(VkFence fence) {
  const auto patience = static_cast<std::uint64_t>(options_.patience.count());
  const VkResult result = functions_.vkWaitForFences(handle(), 1, &fence, VK_TRUE, patience);
  if (result == VK_SUCCESS) return;
  lost_ = true;
  {
    const std::lock_guard lock(submitting_);
    functions_.vkDeviceWaitIdle(handle());
  }
  if (result == VK_TIMEOUT)
    throw device_lost(
        "the device did not finish within " +
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count()) + " s");
  require_success(result, "vkWaitForFences");
}

}  // namespace ropewalk::vulkan
