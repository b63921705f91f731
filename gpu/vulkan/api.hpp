#pragma once
// Vulkan's functions as pointers. The loader is opened at run time, so that its absence can be reported. No
// public header includes this file.

#include <volk.h>

namespace ropewalk::vulkan {

/// A Vulkan structure of the given type with all other members zero.
template <class Structure>
constexpr Structure structure(VkStructureType type) {
  Structure result{};
  result.sType = type;
  return result;
}

/// Functions of one instance. volk's global variables would hold those of the latest instance, null if that
/// instance lacks an extension of an older one.
struct instance_functions {
  PFN_vkDestroyInstance vkDestroyInstance = nullptr;
  PFN_vkEnumeratePhysicalDevices vkEnumeratePhysicalDevices = nullptr;
  PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2 = nullptr;
  PFN_vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceMemoryProperties = nullptr;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceQueueFamilyProperties = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties vkEnumerateDeviceExtensionProperties = nullptr;
  PFN_vkCreateDevice vkCreateDevice = nullptr;
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr = nullptr;
  // Null without VK_EXT_debug_utils.
  PFN_vkCreateDebugUtilsMessengerEXT vkCreateDebugUtilsMessengerEXT = nullptr;
  PFN_vkDestroyDebugUtilsMessengerEXT vkDestroyDebugUtilsMessengerEXT = nullptr;
};

/// Functions of one device; those of extensions and versions that it lacks are null.
using device_functions = VolkDeviceTable;

/// Opens the loader on the first call. Afterwards vkCreateInstance and vkEnumerateInstance* may be called.
///
/// throws  device_error: there is none, or it is older than Vulkan 1.1
void open_loader();

/// Loads the functions of an instance or a device.
///
/// throws  device_error: a required function of the instance is missing
instance_functions functions_of(VkInstance instance);
device_functions functions_of(const instance_functions& of_instance, VkDevice device);

}  // namespace ropewalk::vulkan
