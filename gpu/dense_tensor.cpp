#include "gpu/dense_tensor.hpp"

#include <algorithm>
#include <string>

#include "gpu/shader_list.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::vulkan {
namespace {

/// Size of one buffer, unless a single unit needs more or the device allows less. Tokens are processed in
/// runs that fit.
constexpr std::uint64_t usual_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t spare_bytes = 2 * sizeof(std::uint32_t);

}  // namespace

std::vector<token_place> busy_places(const checked_call& call) {
  const bool is_idle = is_empty(call.query.in) && (!call.key.is_present || is_empty(call.key.in));
  return is_idle ? std::vector<token_place>{} : places_of(call);
}

std::vector<dense_tensor> tensors_of(const checked_call& call, std::span<const token_place> places) {
  std::vector<dense_tensor> tensors;
  for (const rotated_tensor* tensor : {&call.query, &call.key})
    if (!places.empty() && tensor->is_present && !is_empty(tensor->in))
      tensors.emplace_back(tensor->in, tensor->out, places);
  return tensors;
}

std::size_t units_at_once(const device& device, std::uint64_t unit) {
  const std::uint64_t limit = device.description().limits.storage_buffer_bytes;
  if (limit < spare_bytes || unit > limit - spare_bytes)
    decline_field({"", "shape"}, "has a token larger than the device's largest storage buffer");
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(1, (std::min(usual_bytes, limit) - spare_bytes) / unit));
}

void require_narrow(const checked_call& call) {
  if (!has_shaders(call.dtype))
    decline_field({call.query.in.name, "dtype"},
                  "is " + std::to_string(call.dtype) + " (" + ropewalk::name_of(call.dtype) +
                      "); Vulkan kernels take binary32, binary16 and bfloat16");
}

}  // namespace ropewalk::vulkan
