#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/recipe/application.hpp"
#include "kernel/recipe/dense_head.hpp"
#include "kernel/recipe/pair_loop.hpp"
#include "kernel/recipe/single_row.hpp"

namespace ropewalk::recipe {
namespace {

/// One tensor of a call, rotated head by head: in its own memory if channels are contiguous and both pairings
/// are the same, else through buffers.
class paired_heads {
 public:
  paired_heads(const rotated_tensor& tensor, const rotated_layout& layout, pair_loop loop)
      : tensor_(tensor), layout_(layout), loop_(loop) {
    if (!tensor.is_present) return;
    element_ = static_cast<std::size_t>(size_of(tensor.in.dtype));
    const std::size_t bytes = static_cast<std::size_t>(layout.rotary_dim) * element_;
    if (!has_dense_heads(tensor.in)) gathered_.resize(bytes);
    const bool crosses = layout.head.pairing_in != layout.head.pairing_out;
    if (crosses || !has_dense_heads(tensor.out)) turned_.resize(bytes);
  }

  void turn(const token_place& place, const float* row) {
    for (std::int64_t head = 0; tensor_.is_present && head < tensor_.in.heads(); ++head) {
      const std::byte* const from = tensor_.in.head(place.row, place.token, head);
      std::byte* const to = tensor_.out.head(place.row, place.token, head);
      if (!gathered_.empty()) gather_head(from, tensor_.in, layout_, gathered_.data());
      loop_(gathered_.empty() ? from : gathered_.data(), turned_.empty() ? to : turned_.data(),
            layout_.pairs(), row);
      if (!turned_.empty()) scatter_head(turned_.data(), layout_, tensor_.out, to);
      copy_pass_through(from, tensor_.in.stride[3], to, tensor_.out.stride[3], element_, layout_);
    }
  }

 private:
  const rotated_tensor& tensor_;
  const rotated_layout& layout_;
  pair_loop loop_;
  std::size_t element_ = 0;
  std::vector<std::byte> gathered_;  // one head
  std::vector<std::byte> turned_;    // one head
};

}  // namespace

void turn_pair_by_pair(const recipe_call& request) {
  const rotated_layout& layout = request.plan.layout;
  const pair_loop loop = pair_loop_of(request.call.dtype, layout.head.pairing_in);
  paired_heads query(request.call.query, layout, loop), key(request.call.key, layout, loop);
  single_row computed(request.recipe, request.plan, request.from);
  std::vector<float> row(static_cast<std::size_t>(layout.rotary_dim));
  for_each_token(request.call, [&](const token_place& place) {
    computed.fill(place, request.call.unit, request.call.backward);
    for (std::size_t pair = 0; pair < row.size() / 2; ++pair) {
      row[2 * pair] = computed.cos()[pair];
      row[2 * pair + 1] = computed.sin()[pair];
    }
    query.turn(place, row.data());
    key.turn(place, row.data());
  });
}

}  // namespace ropewalk::recipe
