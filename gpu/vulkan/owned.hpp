#pragma once
// A Vulkan object with its deleter.

#include <functional>
#include <memory>
#include <type_traits>

namespace ropewalk::vulkan {

template <class Handle>
using owned = std::unique_ptr<std::remove_pointer_t<Handle>, std::function<void(Handle)>>;

}  // namespace ropewalk::vulkan
