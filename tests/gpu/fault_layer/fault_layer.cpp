// A Vulkan layer that makes calls fail. With ROPEWALK_FAULT="FUNCTION:N:RESULT" the Nth call of FUNCTION, or
// every call if N is 0, returns RESULT and is not passed down; calls are counted from when the rule is set.
// Supports one instance and one device at a time.

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "gpu/spirv_words.hpp"

namespace {

std::mutex counting;
std::string current_rule;
int calls = 0;

/// Whether this call of `function` fails, and with which result. A new rule restarts the count.
bool fails(const char* function, VkResult& result) {
  const char* const rule = std::getenv("ROPEWALK_FAULT");
  const std::lock_guard lock(counting);
  if (current_rule != (rule == nullptr ? "" : rule)) {
    current_rule = rule == nullptr ? "" : rule;
    calls = 0;
  }
  const auto first = current_rule.find(':'), second = current_rule.rfind(':');
  if (first == std::string::npos || current_rule.substr(0, first) != function) return false;
  const int which = std::atoi(current_rule.c_str() + first + 1);
  if (++calls != which && which != 0) return false;
  result = static_cast<VkResult>(std::atoi(current_rule.c_str() + second + 1));
  return true;
}

PFN_vkGetInstanceProcAddr next_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr next_device_proc = nullptr;
VkInstance instance_below = nullptr;
VkDevice device_below = nullptr;

/// Wraps a device function so that it can fail: failing<PFN_vkFunction>::call<name>.
template <class Function>
struct failing;

template <class... Arguments>
struct failing<VkResult(VKAPI_PTR*)(Arguments...)> {
  template <const char* const& Name>
  static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
    VkResult result = VK_SUCCESS;
    if (fails(Name, result)) return result;
    using function = VkResult(VKAPI_PTR*)(Arguments...);
    return reinterpret_cast<function>(next_device_proc(device_below, Name))(arguments...);
  }
};

constexpr const char* allocate_memory = "vkAllocateMemory";
constexpr const char* create_buffer = "vkCreateBuffer";
constexpr const char* map_memory = "vkMapMemory";
constexpr const char* create_pipelines = "vkCreateComputePipelines";
constexpr const char* create_pool = "vkCreateCommandPool";
constexpr const char* allocate_commands = "vkAllocateCommandBuffers";
/// Whether a module requests rounding to nearest even, or neither adds nor multiplies. Others are refused,
/// whatever the rule.
bool asks_for_rounding(const VkShaderModuleCreateInfo& module) {
  using namespace ropewalk::vulkan::spirv;
  constexpr std::uint32_t to_nearest_even = word(spv::ExecutionMode::RoundingModeRTE);
  bool computes = false, asks = false;
  for (std::size_t at = header_words; at < module.codeSize / sizeof(std::uint32_t);
       at += length(module.pCode[at])) {
    const spv::Op operation = opcode(module.pCode[at]);
    computes = computes || operation == spv::Op::OpFAdd || operation == spv::Op::OpFMul;
    asks = asks || (operation == spv::Op::OpExecutionMode && module.pCode[at + 2] == to_nearest_even);
  }
  return asks || !computes;
}

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice handle, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* memory, VkShaderModule* made) {
  if (!asks_for_rounding(*info)) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  return reinterpret_cast<PFN_vkCreateShaderModule>(next_device_proc(device_below, "vkCreateShaderModule"))(
      handle, info, memory, made);
}

constexpr const char* end_commands = "vkEndCommandBuffer";
constexpr const char* create_fence = "vkCreateFence";
constexpr const char* submit = "vkQueueSubmit";
constexpr const char* wait = "vkWaitForFences";

PFN_vkVoidFunction own_function(const char* name) {
  static const std::map<std::string, PFN_vkVoidFunction> own{
      {allocate_memory,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkAllocateMemory>::call<allocate_memory>)},
      {create_buffer,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkCreateBuffer>::call<create_buffer>)},
      {map_memory, reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkMapMemory>::call<map_memory>)},
      {create_pipelines,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkCreateComputePipelines>::call<create_pipelines>)},
      {create_pool,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkCreateCommandPool>::call<create_pool>)},
      {allocate_commands,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkAllocateCommandBuffers>::call<allocate_commands>)},
      {end_commands,
       reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkEndCommandBuffer>::call<end_commands>)},
      {create_fence, reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkCreateFence>::call<create_fence>)},
      {submit, reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkQueueSubmit>::call<submit>)},
      {"vkCreateShaderModule", reinterpret_cast<PFN_vkVoidFunction>(create_module)},
      {wait, reinterpret_cast<PFN_vkVoidFunction>(&failing<PFN_vkWaitForFences>::call<wait>)}};
  const auto match = own.find(name);
  return match == own.end() ? nullptr : match->second;
}

/// The loader's link structure in a pNext chain, which holds the functions of the next layer.
template <class Note>
Note* link_of(const void* chain, VkStructureType type) {
  auto* note = static_cast<Note*>(const_cast<void*>(chain));
  while (note != nullptr && !(note->sType == type && note->function == VK_LAYER_LINK_INFO))
    note = static_cast<Note*>(const_cast<void*>(note->pNext));
  return note;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* memory, VkInstance* made) {
  auto* const note =
      link_of<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  next_instance_proc = note->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  note->u.pLayerInfo = note->u.pLayerInfo->pNext;
  VkResult result = VK_SUCCESS;
  if (fails("vkCreateInstance", result)) return result;
  const auto below = reinterpret_cast<PFN_vkCreateInstance>(next_instance_proc(nullptr, "vkCreateInstance"));
  result = below(info, memory, made);
  if (result == VK_SUCCESS) instance_below = *made;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice handle, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* memory, VkDevice* made) {
  auto* const note =
      link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const PFN_vkGetInstanceProcAddr next = note->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  next_device_proc = note->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  note->u.pLayerInfo = note->u.pLayerInfo->pNext;
  VkResult result = VK_SUCCESS;
  if (fails("vkCreateDevice", result)) return result;
  const auto below = reinterpret_cast<PFN_vkCreateDevice>(next(instance_below, "vkCreateDevice"));
  result = below(handle, info, memory, made);
  if (result == VK_SUCCESS) device_below = *made;
  return result;
}

}  // namespace

extern "C" VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL fault_get_device_proc_addr(VkDevice device,
                                                                                    const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(fault_get_device_proc_addr);
  const PFN_vkVoidFunction own = own_function(name);
  return own != nullptr ? own : next_device_proc(device, name);
}

extern "C" VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL fault_get_instance_proc_addr(VkInstance instance,
                                                                                      const char* name) {
  if (std::strcmp(name, "vkCreateInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
  if (std::strcmp(name, "vkCreateDevice") == 0) return reinterpret_cast<PFN_vkVoidFunction>(create_device);
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(fault_get_instance_proc_addr);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(fault_get_device_proc_addr);
  const PFN_vkVoidFunction own = own_function(name);
  if (own != nullptr) return own;
  return next_instance_proc == nullptr ? nullptr : next_instance_proc(instance, name);
}
