#include "gpu/kernels.hpp"

namespace ropewalk {

std::span<const ropewalk_kernel> vulkan_kernels() {
  static const auto& kernels = *[] {  // never freed, like the CPU kernels
    auto* made = new std::vector<ropewalk_kernel>(vulkan_rotations());
    for (const ropewalk_kernel& kernel : vulkan_additions()) made->push_back(kernel);
    return made;
  }();
  return kernels;
}

}  // namespace ropewalk
