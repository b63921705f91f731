#include "gpu/vulkan/buffer.hpp"

#include <span>
#include <string>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// Memory properties to try for a kind, best first; every device supports the last.
std::span<const VkMemoryPropertyFlags> wishes(memory_kind kind, bool forces_staging) {
  static constexpr VkMemoryPropertyFlags of_device[] = {local | visible | coherent, local, 0};
  static constexpr VkMemoryPropertyFlags of_upload[] = {visible | coherent, visible};
  static constexpr VkMemoryPropertyFlags of_read_back[] = {visible | coherent | cached, visible | cached,
                                                           visible | coherent};
  switch (kind) {
    case memory_kind::device: return std::span(of_device).subspan(forces_staging ? 1 : 0);
    case memory_kind::upload: return of_upload;
    case memory_kind::read_back: return of_read_back;
  }
  return of_device;
}

}  // namespace

buffer::buffer(device& device, std::size_t bytes, memory_kind kind)
    : device_(&device), kind_(kind), capacity_(bytes), bytes_(bytes) {
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer made = nullptr;
  device.require(device.functions().vkCreateBuffer(device.handle(), &info, nullptr, &made), "vkCreateBuffer");
  handle_ = {made, [&device](VkBuffer handle) {
               device.functions().vkDestroyBuffer(device.handle(), handle, nullptr);
             }};
  allocate();
}

/// Allocates the best memory that is not exhausted, and maps it if the host can access it.
void buffer::allocate() {
  device& owner = *device_;
  VkMemoryRequirements needs{};
  owner.functions().vkGetBufferMemoryRequirements(owner.handle(), handle(), &needs);
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkDeviceMemory made = nullptr;
  VkMemoryPropertyFlags properties = 0;
  for (const VkMemoryPropertyFlags wish : wishes(kind_, owner.forces_staging())) {
    const int type = owner.memory_type(needs.memoryTypeBits, wish);
    if (type < 0) continue;
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = nullptr,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = static_cast<std::uint32_t>(type)};
    properties = owner.properties_of(type);
    result = owner.functions().vkAllocateMemory(owner.handle(), &info, nullptr, &made);
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY) break;
  }
  owner.require(result, ("vkAllocateMemory of " + std::to_string(needs.size) + " bytes").c_str());
  memory_ = {made, [&owner](VkDeviceMemory handle) {
               owner.functions().vkFreeMemory(owner.handle(), handle, nullptr);
             }};
  owner.require(owner.functions().vkBindBufferMemory(owner.handle(), handle(), made, 0),
                "vkBindBufferMemory");
  const bool is_staged = kind_ == memory_kind::device && owner.forces_staging();
  if ((properties & visible) == 0 || is_staged) return;
  void* mapped = nullptr;
  owner.require(owner.functions().vkMapMemory(owner.handle(), made, 0, VK_WHOLE_SIZE, 0, &mapped),
                "vkMapMemory");
  data_ = static_cast<std::byte*>(mapped);
  is_coherent_ = (properties & coherent) != 0;
  is_cached_ = (properties & cached) != 0;
}

VkMappedMemoryRange buffer::whole() const {
  return {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
          .pNext = nullptr,
          .memory = memory_.get(),
          .offset = 0,
          .size = VK_WHOLE_SIZE};
}

void buffer::flush() const {
  if (is_coherent_) return;
  const VkMappedMemoryRange range = whole();
  device_->require(device_->functions().vkFlushMappedMemoryRanges(device_->handle(), 1, &range),
                   "vkFlushMappedMemoryRanges");
}

void buffer::invalidate() const {
  if (is_coherent_) return;
  const VkMappedMemoryRange range = whole();
  device_->require(device_->functions().vkInvalidateMappedMemoryRanges(device_->handle(), 1, &range),
                   "vkInvalidateMappedMemoryRanges");
}

}  // namespace ropewalk::vulkan
