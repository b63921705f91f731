#pragma once
// A compute pipeline. Its buffers are storage buffers at bindings 0, 1, 2, ... of set 0.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/vulkan/device.hpp"

namespace ropewalk::vulkan {

/// A compiled shader with its number of bindings and the size of its push constants.
struct shader {
  std::span<const std::uint32_t> words;   // SPIR-V
  std::uint32_t buffers = 0;              // bindings
  std::uint32_t push_constant_bytes = 0;  // a multiple of 4
};

class pipeline {
 public:
  /// Compiles a shader; constants[i] is the value of specialization constant i.
  ///
  /// throws  device_error
  pipeline(device& device, const shader& code, std::span<const std::uint32_t> constants = {});
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  VkPipeline handle() const { return handle_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }
  std::uint32_t buffers() const { return buffers_; }

 private:
  void make_layout(device& device, std::uint32_t push_constant_bytes);

  std::uint32_t buffers_;
  owned<VkDescriptorSetLayout> set_layout_;
  owned<VkPipelineLayout> layout_;
  owned<VkPipeline> handle_;
};

}  // namespace ropewalk::vulkan
