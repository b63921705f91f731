#include "gpu/vulkan/api.hpp"

#include <dlfcn.h>

#include <mutex>
#include <string>

#include "gpu/vulkan/error.hpp"

#define VOLK_IMPLEMENTATION  // defines volk's functions and variables in this file
#include <volk.h>

namespace ropewalk::vulkan {
namespace {

#if defined(__APPLE__)
constexpr const char* library = "libvulkan.1.dylib";
#else
constexpr const char* library = "libvulkan.so.1";
#endif

[[noreturn]] void throw_missing(const char* function) {
  throw device_error(std::string("the Vulkan loader has no ") + function);
}

/// Opens the loader. Replaces volkInitialize, which falls back to libvulkan.so: that may be another loader,
/// and errors would name it.
bool opens_loader() {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) throw no_device(std::string("no Vulkan loader: ") + dlerror());
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(opened, "vkGetInstanceProcAddr"));
  if (get == nullptr) throw_missing("vkGetInstanceProcAddr");
  volkInitializeCustom(get);
  if (vkEnumerateInstanceVersion == nullptr) throw_missing("vkEnumerateInstanceVersion");
  return true;
}

}  // namespace

void open_loader() { [[maybe_unused]] static const bool opened = opens_loader(); }

instance_functions functions_of(VkInstance instance) {
  instance_functions functions;
  const auto take = [&]<class Function>(Function& function, const char* name, bool is_required = true) {
    function = reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
    if (function == nullptr && is_required) throw_missing(name);
  };
  take(functions.vkDestroyInstance, "vkDestroyInstance");
  take(functions.vkEnumeratePhysicalDevices, "vkEnumeratePhysicalDevices");
  take(functions.vkGetPhysicalDeviceProperties2, "vkGetPhysicalDeviceProperties2");
  take(functions.vkGetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties");
  take(functions.vkGetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties");
  take(functions.vkEnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties");
  take(functions.vkCreateDevice, "vkCreateDevice");
  take(functions.vkGetDeviceProcAddr, "vkGetDeviceProcAddr");
  take(functions.vkCreateDebugUtilsMessengerEXT, "vkCreateDebugUtilsMessengerEXT", false);
  take(functions.vkDestroyDebugUtilsMessengerEXT, "vkDestroyDebugUtilsMessengerEXT", false);
  return functions;
}

device_functions functions_of(const instance_functions& of_instance, VkDevice device) {
  static std::mutex loading;  // volk reads vkGetDeviceProcAddr from a global variable
  const std::lock_guard lock(loading);
  vkGetDeviceProcAddr = of_instance.vkGetDeviceProcAddr;
  device_functions functions;
  volkLoadDeviceTable(&functions, device);
  return functions;
}

}  // namespace ropewalk::vulkan
