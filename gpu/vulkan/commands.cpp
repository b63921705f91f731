#include "gpu/vulkan/commands.hpp"

#include <algorithm>
#include <array>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr std::uint32_t sets_of_a_pool = 64, buffers_of_a_set = 8;

constexpr VkPipelineStageFlags all_stages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                        reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

VkMemoryBarrier memory_barrier(VkAccessFlags before, VkAccessFlags after) {
  return {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
          .pNext = nullptr,
          .srcAccessMask = before,
          .dstAccessMask = after};
}

VkDeviceSize size_of(const buffer_range& range) {
  return range.size == 0 ? range.memory->size() - range.begin : range.size;
}

}  // namespace

commands::commands(device& device, bool timed) : device_(&device) {
  make_pools(timed);
  const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .pNext = nullptr,
                                         .commandPool = pool_.get(),
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                         .commandBufferCount = 1};
  device.require(device.functions().vkAllocateCommandBuffers(device.handle(), &info, &handle_),
                 "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .pNext = nullptr,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                       .pInheritanceInfo = nullptr};
  device.require(device.functions().vkBeginCommandBuffer(handle_, &begin), "vkBeginCommandBuffer");
  if (queries_ != nullptr)
    device.functions().vkCmdResetQueryPool(handle_, queries_.get(), 0, most_timestamps);
}

void commands::make_pools(bool timed) {
  device& device = *device_;
  const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                     .queueFamilyIndex = device.queue_family()};
  VkCommandPool made = nullptr;
  device.require(device.functions().vkCreateCommandPool(device.handle(), &info, nullptr, &made),
                 "vkCreateCommandPool");
  pool_ = {made, [&device](VkCommandPool handle) {
             device.functions().vkDestroyCommandPool(device.handle(), handle, nullptr);
           }};
  if (!timed || device.description().timestamp_valid_bits == 0) return;
  auto queries = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = most_timestamps;
  VkQueryPool made_queries = nullptr;
  device.require(device.functions().vkCreateQueryPool(device.handle(), &queries, nullptr, &made_queries),
                 "vkCreateQueryPool");
  queries_ = {made_queries, [&device](VkQueryPool handle) {
                device.functions().vkDestroyQueryPool(device.handle(), handle, nullptr);
              }};
}

VkDescriptorSet commands::new_set(const pipeline& with) {
  device& device = *device_;
  if (sets_left_ == 0) {
    constexpr VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets_of_a_pool * buffers_of_a_set};
    const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .maxSets = sets_of_a_pool,
                                          .poolSizeCount = 1,
                                          .pPoolSizes = &size};
    VkDescriptorPool made = nullptr;
    device.require(device.functions().vkCreateDescriptorPool(device.handle(), &info, nullptr, &made),
                   "vkCreateDescriptorPool");
    sets_.emplace_back(made, [&device](VkDescriptorPool handle) {
      device.functions().vkDestroyDescriptorPool(device.handle(), handle, nullptr);
    });
    sets_left_ = sets_of_a_pool;
  }
  --sets_left_;
  const VkDescriptorSetLayout layout = with.set_layout();
  const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .pNext = nullptr,
                                         .descriptorPool = sets_.back().get(),
                                         .descriptorSetCount = 1,
                                         .pSetLayouts = &layout};
  VkDescriptorSet set = nullptr;
  device.require(device.functions().vkAllocateDescriptorSets(device.handle(), &info, &set),
                 "vkAllocateDescriptorSets");
  return set;
}

void commands::copy(const buffer_range& from, const buffer_range& to) {
  const VkBufferCopy region{from.begin, to.begin, size_of(from)};
  device_->functions().vkCmdCopyBuffer(handle_, from.memory->handle(), to.memory->handle(), 1, &region);
}

void commands::clear(const buffer& to, std::size_t bytes) {
  device_->functions().vkCmdFillBuffer(handle_, to.handle(), 0, bytes, 0);
}

void commands::dispatch(const pipeline& with, std::span<const buffer_range> buffers,
                        std::span<const std::byte> push_constants, std::uint64_t groups) {
  const device_functions& call = device_->functions();
  const VkDescriptorSet set = new_set(with);
  std::array<VkDescriptorBufferInfo, buffers_of_a_set> infos{};
  std::array<VkWriteDescriptorSet, buffers_of_a_set> written{};
  for (std::uint32_t i = 0; i < with.buffers(); ++i) {
    infos[i] = {buffers[i].memory->handle(), buffers[i].begin, size_of(buffers[i])};
    written[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    written[i].dstSet = set;
    written[i].dstBinding = i;
    written[i].descriptorCount = 1;
    written[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    written[i].pBufferInfo = &infos[i];
  }
  call.vkUpdateDescriptorSets(device_->handle(), with.buffers(), written.data(), 0, nullptr);
  call.vkCmdBindPipeline(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, with.handle());
  call.vkCmdBindDescriptorSets(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, with.layout(), 0, 1, &set, 0,
                               nullptr);
  if (!push_constants.empty())
    call.vkCmdPushConstants(handle_, with.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                            static_cast<std::uint32_t>(push_constants.size()), push_constants.data());
  const std::uint64_t most = device_->description().limits.workgroups;
  const std::uint64_t x = std::min(groups, most), y = (groups + x - 1) / x;
  call.vkCmdDispatch(handle_, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1);
}

void commands::barrier() {
  const VkMemoryBarrier all = memory_barrier(writes, reads | writes);
  device_->functions().vkCmdPipelineBarrier(handle_, all_stages, all_stages, 0, 1, &all, 0, nullptr, 0,
                                            nullptr);
}

void commands::timestamp() {
  if (queries_ == nullptr || timestamps_ == most_timestamps) return;
  device_->functions().vkCmdWriteTimestamp(handle_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(),
                                           timestamps_++);
}

void commands::run() {
  const VkMemoryBarrier for_host = memory_barrier(writes, VK_ACCESS_HOST_READ_BIT);
  device_->functions().vkCmdPipelineBarrier(handle_, all_stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &for_host,
                                            0, nullptr, 0, nullptr);
  device_->require(device_->functions().vkEndCommandBuffer(handle_), "vkEndCommandBuffer");
  device_->run(handle_);
}

std::vector<double> commands::nanoseconds() const {
  if (timestamps_ < 2) return {};
  std::vector<std::uint64_t> ticks(timestamps_);
  device_->require(device_->functions().vkGetQueryPoolResults(
                       device_->handle(), queries_.get(), 0, timestamps_, ticks.size() * sizeof ticks[0],
                       ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                   "vkGetQueryPoolResults");
  const std::uint32_t bits = device_->description().timestamp_valid_bits;
  const std::uint64_t valid = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::vector<double> nanoseconds;
  for (std::size_t i = 1; i < ticks.size(); ++i)
    nanoseconds.push_back(static_cast<double>((ticks[i] - ticks[i - 1]) & valid) *
                          device_->description().limits.timestamp_period);
  return nanoseconds;
}

}  // namespace ropewalk::vulkan
