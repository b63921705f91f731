#pragma once
// Vulkan's functions by pointer: the loader is opened at run time, so that a machine without one can say so. No public header
// includes this one.

#include <volk.h>

namespace ropewalk::vulkan {

/// One of Vulkan's structures: all zero but for its type.
template <class Structure>
constexpr Structure structure(VkStructureType type) {
  Structure r{};
  r.sType = type;
  return r;
}

/// Functions of one instance. volk's variables of the same names would be those of the latest instance, and null where it lacks an
/// extension that an older one has.
struct instance_functions {
  PFN_vkDestroyInstance vkDestroyInstance = nullptr;
  PFN_vkEnumeratePhysicalDevices vkEnumeratePhysicalDevices = nullptr;
  PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2 = nullptr;
  PFN_vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceMemoryProperties = nullptr;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceQueueFamilyProperties = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties vkEnumerateDeviceExtensionProperties = nullptr;
  PFN_vkCreateDevice vkCreateDevice = nullptr;
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr = nullptr;
  PFN_vkCreateDebugUtilsMessengerEXT vkCreateDebugUtilsMessengerEXT = nullptr;  // null without the extension
  PFN_vkDestroyDebugUtilsMessengerEXT vkDestroyDebugUtilsMessengerEXT =
      nullptr;  // null without the extension
};

/// Functions of one device; those of extensions and versions that it lacks are null.
using device_functions = VolkDeviceTable;

/// Opens the loader, once and for all: vkCreateInstance and vkEnumerateInstance* may then be called.
///
/// throws  device_error: there is none, or it is older than Vulkan 1.1
void open_loader();

/// throws  device_error: a function that Vulkan 1.2 has is missing
instance_functions functions_of(VkInstance instance);
device_functions functions_of(const instance_functions& of_instance, VkDevice device);

}  // namespace ropewalk::vulkan
