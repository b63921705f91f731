#include "gpu/vulkan/api.hpp"

#include <dlfcn.h>

#include <string>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

#if defined(__APPLE__)
constexpr const char* library = "libvulkan.1.dylib";
#else
constexpr const char* library = "libvulkan.so.1";
#endif

/// `find(name)` as the function it is.
template <class Function, class Find>
void take(Function& function, const char* name, Find find) {
  function = reinterpret_cast<Function>(find(name));
  if (function == nullptr) throw device_error(std::string("the Vulkan driver has no ") + name);
}

loader_functions open_loader() {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) throw no_device(std::string("no Vulkan loader: ") + dlerror());
  loader_functions r;
  take(r.get_instance_proc_addr, "vkGetInstanceProcAddr",
       [&](const char* name) { return dlsym(opened, name); });
  const auto find = [&](const char* name) { return r.get_instance_proc_addr(nullptr, name); };
  take(r.enumerate_instance_version, "vkEnumerateInstanceVersion", find);
  take(r.enumerate_instance_layer_properties, "vkEnumerateInstanceLayerProperties", find);
  take(r.enumerate_instance_extension_properties, "vkEnumerateInstanceExtensionProperties", find);
  take(r.create_instance, "vkCreateInstance", find);
  return r;
}

}  // namespace

const loader_functions& loader() {
  static const loader_functions functions = open_loader();
  return functions;
}

instance_functions functions_of(VkInstance instance) {
  const auto find = [&](const char* name) { return loader().get_instance_proc_addr(instance, name); };
  instance_functions r;
  take(r.destroy_instance, "vkDestroyInstance", find);
  take(r.enumerate_physical_devices, "vkEnumeratePhysicalDevices", find);
  take(r.get_physical_device_properties2, "vkGetPhysicalDeviceProperties2", find);
  take(r.get_physical_device_memory_properties, "vkGetPhysicalDeviceMemoryProperties", find);
  take(r.get_physical_device_queue_family_properties, "vkGetPhysicalDeviceQueueFamilyProperties", find);
  take(r.enumerate_device_extension_properties, "vkEnumerateDeviceExtensionProperties", find);
  take(r.create_device, "vkCreateDevice", find);
  take(r.get_device_proc_addr, "vkGetDeviceProcAddr", find);
  r.create_debug_utils_messenger =
      reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(find("vkCreateDebugUtilsMessengerEXT"));
  r.destroy_debug_utils_messenger =
      reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(find("vkDestroyDebugUtilsMessengerEXT"));
  return r;
}

device_functions functions_of(const instance_functions& of_instance, VkDevice device) {
  const auto find = [&](const char* name) { return of_instance.get_device_proc_addr(device, name); };
  device_functions r;
  take(r.destroy_device, "vkDestroyDevice", find);
  take(r.get_device_queue, "vkGetDeviceQueue", find);
  take(r.device_wait_idle, "vkDeviceWaitIdle", find);
  take(r.create_buffer, "vkCreateBuffer", find);
  take(r.destroy_buffer, "vkDestroyBuffer", find);
  take(r.get_buffer_memory_requirements, "vkGetBufferMemoryRequirements", find);
  take(r.allocate_memory, "vkAllocateMemory", find);
  take(r.free_memory, "vkFreeMemory", find);
  take(r.bind_buffer_memory, "vkBindBufferMemory", find);
  take(r.map_memory, "vkMapMemory", find);
  take(r.flush_mapped_memory_ranges, "vkFlushMappedMemoryRanges", find);
  take(r.invalidate_mapped_memory_ranges, "vkInvalidateMappedMemoryRanges", find);
  take(r.create_shader_module, "vkCreateShaderModule", find);
  take(r.destroy_shader_module, "vkDestroyShaderModule", find);
  take(r.create_descriptor_set_layout, "vkCreateDescriptorSetLayout", find);
  take(r.destroy_descriptor_set_layout, "vkDestroyDescriptorSetLayout", find);
  take(r.create_pipeline_layout, "vkCreatePipelineLayout", find);
  take(r.destroy_pipeline_layout, "vkDestroyPipelineLayout", find);
  take(r.create_pipeline_cache, "vkCreatePipelineCache", find);
  take(r.destroy_pipeline_cache, "vkDestroyPipelineCache", find);
  take(r.create_compute_pipelines, "vkCreateComputePipelines", find);
  take(r.destroy_pipeline, "vkDestroyPipeline", find);
  take(r.create_descriptor_pool, "vkCreateDescriptorPool", find);
  take(r.destroy_descriptor_pool, "vkDestroyDescriptorPool", find);
  take(r.allocate_descriptor_sets, "vkAllocateDescriptorSets", find);
  take(r.update_descriptor_sets, "vkUpdateDescriptorSets", find);
  take(r.create_command_pool, "vkCreateCommandPool", find);
  take(r.destroy_command_pool, "vkDestroyCommandPool", find);
  take(r.allocate_command_buffers, "vkAllocateCommandBuffers", find);
  take(r.begin_command_buffer, "vkBeginCommandBuffer", find);
  take(r.end_command_buffer, "vkEndCommandBuffer", find);
  take(r.cmd_bind_pipeline, "vkCmdBindPipeline", find);
  take(r.cmd_bind_descriptor_sets, "vkCmdBindDescriptorSets", find);
  take(r.cmd_push_constants, "vkCmdPushConstants", find);
  take(r.cmd_dispatch, "vkCmdDispatch", find);
  take(r.cmd_copy_buffer, "vkCmdCopyBuffer", find);
  take(r.cmd_fill_buffer, "vkCmdFillBuffer", find);
  take(r.cmd_pipeline_barrier, "vkCmdPipelineBarrier", find);
  take(r.create_query_pool, "vkCreateQueryPool", find);
  take(r.destroy_query_pool, "vkDestroyQueryPool", find);
  take(r.cmd_reset_query_pool, "vkCmdResetQueryPool", find);
  take(r.cmd_write_timestamp, "vkCmdWriteTimestamp", find);
  take(r.get_query_pool_results, "vkGetQueryPoolResults", find);
  take(r.create_fence, "vkCreateFence", find);
  take(r.destroy_fence, "vkDestroyFence", find);
  take(r.reset_fences, "vkResetFences", find);
  take(r.wait_for_fences, "vkWaitForFences", find);
  take(r.queue_submit, "vkQueueSubmit", find);
  return r;
}

}  // namespace ropewalk::vulkan
