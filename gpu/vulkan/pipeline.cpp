#include "gpu/vulkan/pipeline.hpp"

#include <vector>

namespace ropewalk::vulkan {

pipeline::pipeline(device& device, const shader& code, std::span<const std::uint32_t> constants)
    : buffers_(code.buffers) {
  make_layout(device, code.push_constant_bytes);
  const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .pNext = nullptr,
                                             .flags = 0,
                                             .codeSize = code.words.size_bytes(),
                                             .pCode = code.words.data()};
  VkShaderModule made_module = nullptr;
  device.require(
      device.functions().vkCreateShaderModule(device.handle(), &module_info, nullptr, &made_module),
      "vkCreateShaderModule");
  const owned<VkShaderModule> module(made_module, [&device](VkShaderModule handle) {
    device.functions().vkDestroyShaderModule(device.handle(), handle, nullptr);
  });
  std::vector<VkSpecializationMapEntry> entries;
  for (std::uint32_t i = 0; i < constants.size(); ++i)
    entries.push_back({.constantID = i,
                       .offset = i * static_cast<std::uint32_t>(sizeof(std::uint32_t)),
                       .size = sizeof(std::uint32_t)});
  const VkSpecializationInfo specialization{.mapEntryCount = static_cast<std::uint32_t>(entries.size()),
                                            .pMapEntries = entries.data(),
                                            .dataSize = constants.size_bytes(),
                                            .pData = constants.data()};
  auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = made_module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout();
  VkPipeline made = nullptr;
  device.require(device.functions().vkCreateComputePipelines(device.handle(), device.pipeline_cache(), 1,
                                                             &info, nullptr, &made),
                 "vkCreateComputePipelines");
  handle_ = {made, [&device](VkPipeline handle) {
               device.functions().vkDestroyPipeline(device.handle(), handle, nullptr);
             }};
}

void pipeline::make_layout(device& device, std::uint32_t push_constant_bytes) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < buffers_; ++i)
    bindings.push_back({.binding = i,
                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                        .descriptorCount = 1,
                        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                        .pImmutableSamplers = nullptr});
  auto set_info =
      structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set_info.bindingCount = buffers_;
  set_info.pBindings = bindings.data();
  VkDescriptorSetLayout set = nullptr;
  device.require(device.functions().vkCreateDescriptorSetLayout(device.handle(), &set_info, nullptr, &set),
                 "vkCreateDescriptorSetLayout");
  set_layout_ = {set, [&device](VkDescriptorSetLayout handle) {
                   device.functions().vkDestroyDescriptorSetLayout(device.handle(), handle, nullptr);
                 }};
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constant_bytes};
  auto info = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = push_constant_bytes == 0 ? 0 : 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout made = nullptr;
  device.require(device.functions().vkCreatePipelineLayout(device.handle(), &info, nullptr, &made),
                 "vkCreatePipelineLayout");
  layout_ = {made, [&device](VkPipelineLayout handle) {
               device.functions().vkDestroyPipelineLayout(device.handle(), handle, nullptr);
             }};
}

}  // namespace ropewalk::vulkan
