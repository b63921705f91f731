#include "gpu/rope_kernels.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/rotation_work.hpp"
#include "gpu/table_rows.hpp"
#include "gpu/token_range.hpp"
#include "gpu/turn_rows.hpp"
#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/kernel_of.hpp"

namespace ropewalk::vulkan {
namespace {

/// Bytes of one buffer, unless the device has less: tokens are done in runs that fit.
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{64} << 20;

std::size_t whole_words(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// Query or key of one call.
struct dense_tensor {
  const rotated_tensor* of;
  std::vector<std::byte> result{};
};

template <class Source>
class rope_plan {
 public:
  explicit rope_plan(const ropewalk_encoding& encoding)
      : plan_(encoding), source_(encoding, plan_), device_(shared_device()) {}
  rope_plan(const rope_plan&) = delete;
  rope_plan& operator=(const rope_plan&) = delete;

  /// Nothing is written before everything has been computed.
  void apply(const ropewalk_call* call) const {
    const checked_call checked = check(call, plan_.layout.head.head_dim, plan_.axes);
    if (checked.dtype == ROPEWALK_F64)
      decline_field({"query_in", "dtype"}, "is 0 (f64); Vulkan kernels rotate binary32 and narrower");
    const std::vector<token_place> places = places_of(checked);
    std::vector<dense_tensor> tensors;
    for (const rotated_tensor* tensor : {&checked.query, &checked.key})
      if (tensor->is_present && !is_empty(tensor->in)) tensors.push_back({tensor});
    if (places.empty() || tensors.empty()) return;
    for (dense_tensor& tensor : tensors) tensor.result.resize(places.size() * token_bytes(tensor.of->in));
    const std::size_t most = tokens_at_once(tensors);
    for (std::size_t begin = 0; begin < places.size(); begin += most)
      rotate(checked, std::span(places).subspan(begin, std::min(most, places.size() - begin)), begin,
             tensors);
    for (const dense_tensor& tensor : tensors) scatter(tensor.result.data(), places, tensor.of->out);
  }

 private:
  std::size_t tokens_at_once(const std::vector<dense_tensor>& tensors) const {
    const std::uint64_t limit =
        std::min(most_buffer_bytes, device_->on().description().limits.storage_buffer_bytes);
    std::uint64_t largest = std::uint64_t{row_words(plan_.layout.pairs())} * sizeof(std::uint32_t);
    for (const dense_tensor& tensor : tensors)
      largest = std::max<std::uint64_t>(largest, token_bytes(tensor.of->in));
    if (largest + 2 * sizeof(std::uint32_t) > limit)
      decline_field({"query_in", "shape"}, "has a token of more bytes than the device's buffers may have");
    return static_cast<std::size_t>((limit - 2 * sizeof(std::uint32_t)) / largest);
  }

  std::vector<std::int32_t> positions_of(std::span<const token_place> places) const {
    std::vector<std::int32_t> r;
    for (int axis = 0; axis < plan_.axes; ++axis)
      for (const token_place& place : places) r.push_back(static_cast<std::int32_t>(place.position(axis)));
    return r;
  }

  void rotate(const checked_call& call, std::span<const token_place> places, std::size_t first,
              std::vector<dense_tensor>& tensors) const {
    device& on = device_->on();
    const std::vector<std::int32_t> positions = positions_of(places);
    typename Source::rows rows(*device_, source_, positions, places.size(), call.unit);
    commands work(on);
    rows.record(work);
    struct travelling {
      input_buffer in;
      output_buffer out;
    };
    std::vector<std::unique_ptr<travelling>> buffers;
    for (const dense_tensor& tensor : tensors) {
      const std::size_t bytes = whole_words(places.size() * token_bytes(tensor.of->in));
      buffers.push_back(std::make_unique<travelling>(travelling{{on, bytes}, {on, bytes}}));
      gather(tensor.of->in, places, buffers.back()->in.data());
      buffers.back()->in.send(work);
    }
    work.barrier();
    for (std::size_t i = 0; i < tensors.size(); ++i)
      record_rotation(*device_, work,
                      {plan_.layout, call.dtype, places.size(), tensors[i].of->in.heads(), call.backward},
                      buffers[i]->in.on_device(), buffers[i]->out.on_device(), rows.on_device());
    work.barrier();
    for (const auto& one : buffers) one->out.fetch(work);
    work.run();
    rows.require_decided();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::size_t bytes = token_bytes(tensors[i].of->in);
      std::memcpy(tensors[i].result.data() + first * bytes, buffers[i]->out.data(), places.size() * bytes);
    }
  }

  rotation_plan plan_;
  Source source_;
  std::shared_ptr<kernel_device> device_;
};

}  // namespace
}  // namespace ropewalk::vulkan

namespace ropewalk {

std::span<const ropewalk_kernel> vulkan_kernels() {
  static constexpr ropewalk_kernel kernels[] = {
      kernel_of<vulkan::rope_plan<vulkan::turn_source>>("vulkan-turns", ROPEWALK_CANONICAL),
      kernel_of<vulkan::rope_plan<vulkan::table_source>>("vulkan-table", ROPEWALK_CANONICAL)};
  return kernels;
}

}  // namespace ropewalk
