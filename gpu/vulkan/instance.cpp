#include "gpu/vulkan/instance.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

/// The list that call(&count, list) writes.
template <class Item, class Call>
std::vector<Item> listed(const char* name, Call call) {
  std::uint32_t count = 0;
  require_success(call(&count, nullptr), name);
  std::vector<Item> result(count);
  require_success(call(&count, result.data()), name);
  result.resize(count);
  return result;
}

bool has_layer(const char* name) {
  const auto layers =
      listed<VkLayerProperties>("vkEnumerateInstanceLayerProperties", vkEnumerateInstanceLayerProperties);
  return std::any_of(layers.begin(), layers.end(), [&](const VkLayerProperties& properties) {
    return std::strcmp(properties.layerName, name) == 0;
  });
}

bool has_extension(const char* name) {
  const auto extensions = listed<VkExtensionProperties>(
      "vkEnumerateInstanceExtensionProperties",
      [](auto... into) { return vkEnumerateInstanceExtensionProperties(nullptr, into...); });
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& properties) {
    return std::strcmp(properties.extensionName, name) == 0;
  });
}

VKAPI_ATTR VkBool32 VKAPI_CALL pass_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                            VkDebugUtilsMessageTypeFlagsEXT,
                                            const VkDebugUtilsMessengerCallbackDataEXT* data, void* handler) {
  const char* const name = data->pMessageIdName;
  (*static_cast<const message_handler*>(handler))((name == nullptr ? "" : std::string(name) + ": ") +
                                                  data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(message_handler& handler) {
  return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
          .pNext = nullptr,
          .flags = 0,
          .messageSeverity =
              VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
          .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
          .pfnUserCallback = pass_message,
          .pUserData = &handler};
}

device_kind kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return device_kind::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return device_kind::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return device_kind::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return device_kind::cpu;
    default: return device_kind::other;
  }
}

version unpacked(std::uint32_t packed) {
  return {VK_API_VERSION_MAJOR(packed), VK_API_VERSION_MINOR(packed), VK_API_VERSION_PATCH(packed)};
}

/// Finds the first queue family that supports compute; stores its index and its timestamp bits in `device`.
void find_queue_family(const instance_functions& functions, physical_device& device) {
  std::uint32_t count = 0;
  functions.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
  const auto family =
      std::find_if(families.begin(), families.end(), [](const VkQueueFamilyProperties& properties) {
        return (properties.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
      });
  device.description.computes = family != families.end();
  if (!device.description.computes) return;
  device.queue_family = static_cast<std::uint32_t>(family - families.begin());
  device.description.timestamp_valid_bits = family->timestampValidBits;
}

physical_device described(const instance_functions& functions, VkPhysicalDevice handle) {
  physical_device described{.handle = handle, .queue_family = 0, .description = {}};
  auto v12 =
      structure<VkPhysicalDeviceVulkan12Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  auto v11 =
      structure<VkPhysicalDeviceVulkan11Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  functions.vkGetPhysicalDeviceProperties2(handle, &properties);
  device_description& to = described.description;
  to.api = unpacked(properties.properties.apiVersion);
  if (to.api >= version{1, 2, 0}) {  // older devices do not support these structures
    v11.pNext = &v12;
    properties.pNext = &v11;
    functions.vkGetPhysicalDeviceProperties2(handle, &properties);
  }
  const VkPhysicalDeviceProperties& known = properties.properties;
  to.name = known.deviceName;
  to.driver = std::string(v12.driverName) + (v12.driverInfo[0] == 0 ? "" : " ") + v12.driverInfo;
  to.kind = kind_of(known.deviceType);
  std::copy_n(v11.deviceUUID, to.uuid.size(), to.uuid.begin());
  to.float32 = {v12.shaderRoundingModeRTEFloat32 != 0, v12.shaderDenormPreserveFloat32 != 0,
                v12.shaderSignedZeroInfNanPreserveFloat32 != 0};
  const VkPhysicalDeviceLimits& limits = known.limits;
  to.limits = {.storage_buffer_bytes = limits.maxStorageBufferRange,
               .workgroups = limits.maxComputeWorkGroupCount[0],
               .workgroup_invocations = limits.maxComputeWorkGroupInvocations,
               .push_constant_bytes = limits.maxPushConstantsSize,
               .storage_buffers = limits.maxPerStageDescriptorStorageBuffers,
               .non_coherent_atom = limits.nonCoherentAtomSize,
               .timestamp_period = static_cast<double>(limits.timestampPeriod)};
  find_queue_family(functions, described);
  return described;
}

}  // namespace

instance::instance(const validation* validated) {
  create(validated);
  if (validated != nullptr) {
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(on_message_);
    VkDebugUtilsMessengerEXT made = nullptr;
    require_success(functions_.vkCreateDebugUtilsMessengerEXT(handle_.get(), &info, nullptr, &made),
                    "vkCreateDebugUtilsMessengerEXT");
    messenger_ = {made, [this](VkDebugUtilsMessengerEXT messenger) {
                    functions_.vkDestroyDebugUtilsMessengerEXT(handle_.get(), messenger, nullptr);
                  }};
  }
  list_devices();
}

void instance::create(const validation* validated) {
  open_loader();
  constexpr VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                          .pNext = nullptr,
                                          .pApplicationName = "ropewalk",
                                          .applicationVersion = 0,
                                          .pEngineName = nullptr,
                                          .engineVersion = 0,
                                          .apiVersion = VK_API_VERSION_1_2};
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  std::vector<const char*> layers, extensions;
  if (has_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {  // without it macOS lists no device
    extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
  std::vector<VkValidationFeatureEnableEXT> enabled{
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  auto features = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  VkDebugUtilsMessengerCreateInfoEXT messenger{};
  if (validated != nullptr) {
    if (!has_layer(validation_layer))
      throw device_error(std::string("the validation layer ") + validation_layer + " is not installed");
    on_message_ = validated->on_message;
    messenger = messenger_info(on_message_);  // for messages while the instance is created and destroyed
    layers.push_back(validation_layer);
    extensions.insert(extensions.end(),
                      {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME});
    if (validated->on_device)
      enabled.insert(enabled.end(), {VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
                                     VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT});
    features.enabledValidationFeatureCount = static_cast<std::uint32_t>(enabled.size());
    features.pEnabledValidationFeatures = enabled.data();
    features.pNext = &messenger;
    info.pNext = &features;
  }
  info.enabledLayerCount = static_cast<std::uint32_t>(layers.size());
  info.ppEnabledLayerNames = layers.data();
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkInstance made = nullptr;
  const VkResult result = vkCreateInstance(&info, nullptr, &made);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    throw no_device("no Vulkan driver is installed (vkCreateInstance returned " + result_name(result) + ")");
  require_success(result, "vkCreateInstance");
  functions_ = functions_of(made);
  handle_ = {made, [this](VkInstance handle) { functions_.vkDestroyInstance(handle, nullptr); }};
}

void instance::list_devices() {
  std::uint32_t count = 0;
  const VkResult result = functions_.vkEnumeratePhysicalDevices(handle_.get(), &count, nullptr);
  if (result == VK_ERROR_INITIALIZATION_FAILED) return;  // a driver is installed, but no hardware
  require_success(result, "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> handles(count);
  require_success(functions_.vkEnumeratePhysicalDevices(handle_.get(), &count, handles.data()),
                  "vkEnumeratePhysicalDevices");
  for (std::uint32_t i = 0; i < count; ++i) devices_.push_back(described(functions_, handles[i]));
}

std::vector<device_description> instance::descriptions() const {
  std::vector<device_description> descriptions;
  for (const physical_device& device : devices_) descriptions.push_back(device.description);
  return descriptions;
}

}  // namespace ropewalk::vulkan
