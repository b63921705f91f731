#pragma once
// Vulkan's functions by pointer: the loader is opened at run time, so that a machine without one can say so. No public header
// includes this one.

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

namespace ropewalk::vulkan {

/// One of Vulkan's structures: all zero but for its type.
template <class Structure>
constexpr Structure structure(VkStructureType type) {
  Structure r{};
  r.sType = type;
  return r;
}

/// What needs no instance.
struct loader_functions {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  PFN_vkEnumerateInstanceVersion enumerate_instance_version = nullptr;
  PFN_vkEnumerateInstanceLayerProperties enumerate_instance_layer_properties = nullptr;
  PFN_vkEnumerateInstanceExtensionProperties enumerate_instance_extension_properties = nullptr;
  PFN_vkCreateInstance create_instance = nullptr;
};

struct instance_functions {
  PFN_vkDestroyInstance destroy_instance = nullptr;
  PFN_vkEnumeratePhysicalDevices enumerate_physical_devices = nullptr;
  PFN_vkGetPhysicalDeviceProperties2 get_physical_device_properties2 = nullptr;
  PFN_vkGetPhysicalDeviceMemoryProperties get_physical_device_memory_properties = nullptr;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties get_physical_device_queue_family_properties = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties enumerate_device_extension_properties = nullptr;
  PFN_vkCreateDevice create_device = nullptr;
  PFN_vkGetDeviceProcAddr get_device_proc_addr = nullptr;
  PFN_vkCreateDebugUtilsMessengerEXT create_debug_utils_messenger = nullptr;    // null without the extension
  PFN_vkDestroyDebugUtilsMessengerEXT destroy_debug_utils_messenger = nullptr;  // null without the extension
};

struct device_functions {
  PFN_vkDestroyDevice destroy_device = nullptr;
  PFN_vkGetDeviceQueue get_device_queue = nullptr;
  PFN_vkDeviceWaitIdle device_wait_idle = nullptr;
  PFN_vkCreateBuffer create_buffer = nullptr;
  PFN_vkDestroyBuffer destroy_buffer = nullptr;
  PFN_vkGetBufferMemoryRequirements get_buffer_memory_requirements = nullptr;
  PFN_vkAllocateMemory allocate_memory = nullptr;
  PFN_vkFreeMemory free_memory = nullptr;
  PFN_vkBindBufferMemory bind_buffer_memory = nullptr;
  PFN_vkMapMemory map_memory = nullptr;
  PFN_vkFlushMappedMemoryRanges flush_mapped_memory_ranges = nullptr;
  PFN_vkInvalidateMappedMemoryRanges invalidate_mapped_memory_ranges = nullptr;
  PFN_vkCreateShaderModule create_shader_module = nullptr;
  PFN_vkDestroyShaderModule destroy_shader_module = nullptr;
  PFN_vkCreateDescriptorSetLayout create_descriptor_set_layout = nullptr;
  PFN_vkDestroyDescriptorSetLayout destroy_descriptor_set_layout = nullptr;
  PFN_vkCreatePipelineLayout create_pipeline_layout = nullptr;
  PFN_vkDestroyPipelineLayout destroy_pipeline_layout = nullptr;
  PFN_vkCreatePipelineCache create_pipeline_cache = nullptr;
  PFN_vkDestroyPipelineCache destroy_pipeline_cache = nullptr;
  PFN_vkCreateComputePipelines create_compute_pipelines = nullptr;
  PFN_vkDestroyPipeline destroy_pipeline = nullptr;
  PFN_vkCreateDescriptorPool create_descriptor_pool = nullptr;
  PFN_vkDestroyDescriptorPool destroy_descriptor_pool = nullptr;
  PFN_vkAllocateDescriptorSets allocate_descriptor_sets = nullptr;
  PFN_vkUpdateDescriptorSets update_descriptor_sets = nullptr;
  PFN_vkCreateCommandPool create_command_pool = nullptr;
  PFN_vkDestroyCommandPool destroy_command_pool = nullptr;
  PFN_vkAllocateCommandBuffers allocate_command_buffers = nullptr;
  PFN_vkBeginCommandBuffer begin_command_buffer = nullptr;
  PFN_vkEndCommandBuffer end_command_buffer = nullptr;
  PFN_vkCmdBindPipeline cmd_bind_pipeline = nullptr;
  PFN_vkCmdBindDescriptorSets cmd_bind_descriptor_sets = nullptr;
  PFN_vkCmdPushConstants cmd_push_constants = nullptr;
  PFN_vkCmdDispatch cmd_dispatch = nullptr;
  PFN_vkCmdCopyBuffer cmd_copy_buffer = nullptr;
  PFN_vkCmdFillBuffer cmd_fill_buffer = nullptr;
  PFN_vkCmdPipelineBarrier cmd_pipeline_barrier = nullptr;
  PFN_vkCreateQueryPool create_query_pool = nullptr;
  PFN_vkDestroyQueryPool destroy_query_pool = nullptr;
  PFN_vkCmdResetQueryPool cmd_reset_query_pool = nullptr;
  PFN_vkCmdWriteTimestamp cmd_write_timestamp = nullptr;
  PFN_vkGetQueryPoolResults get_query_pool_results = nullptr;
  PFN_vkCreateFence create_fence = nullptr;
  PFN_vkDestroyFence destroy_fence = nullptr;
  PFN_vkResetFences reset_fences = nullptr;
  PFN_vkWaitForFences wait_for_fences = nullptr;
  PFN_vkQueueSubmit queue_submit = nullptr;
};

/// The loader, opened once and kept.
///
/// throws  device_error: there is none, or it is older than Vulkan 1.1
const loader_functions& loader();

/// throws  device_error: a function that Vulkan 1.2 has is missing
instance_functions functions_of(VkInstance instance);
device_functions functions_of(const instance_functions& of_instance, VkDevice device);

}  // namespace ropewalk::vulkan
