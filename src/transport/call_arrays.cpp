#include "transport/call_arrays.hpp"

#include <array>
#include <cstddef>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk::transport {
namespace {

class gathering {
 public:
  std::vector<call_array> arrays;

  void add_call(const ropewalk_rotation_call& call) {
    add("query_in", call.query_in, false);
    add("query_out", call.query_out, true);
    add("key_in", call.key_in, false);
    add("key_out", call.key_out, true);
    add_tokens(call, call.query_in);
  }
  void add_call(const ropewalk_row_call& call) {
    add("in", call.in, false);
    add("out", call.out, true);
    add_tokens(call, call.in);
  }
  void add_call(const ropewalk_bias_call& call) {
    add("scores_in", call.scores_in, false);
    add("scores_out", call.scores_out, true);
    add_tokens(call, call.scores_in);
  }

 private:
  template <class Call>
  void add_tokens(const Call& call, const ropewalk_tensor& shaped_like) {
    const ropewalk_positions& at = call.tokens.positions;
    const bool has_rows = shaped_like.rank == 4;
    if (at.kind == ROPEWALK_POSITIONS_I32 || at.kind == ROPEWALK_POSITIONS_F64)
      add<3>("positions", at.data, at.kind == ROPEWALK_POSITIONS_F64 ? sizeof(double) : sizeof(std::int32_t),
             {at.axes, has_rows ? shaped_like.shape[0] : 1, shaped_like.shape[has_rows ? 1 : 0]}, at.stride);
    if (call.tokens.sequences >= 0)
      add<1>("sequence_offset", call.tokens.sequence_offset, sizeof(std::int64_t),
             {call.tokens.sequences + 1}, std::array<std::int64_t, 1>{1}.data());
    const auto begin = reinterpret_cast<std::uintptr_t>(&call);
    arrays.push_back({"the call's struct", begin, begin + call.head.struct_size, false});
  }

  void add(const char* name, const ropewalk_tensor& tensor, bool is_output) {
    if (!is_dtype(tensor.dtype) || tensor.rank < 3 || tensor.rank > 4) return;
    const auto element = static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(tensor.dtype)));
    add<4>(name, tensor.data, element,
           {tensor.shape[0], tensor.shape[1], tensor.shape[2], tensor.rank == 4 ? tensor.shape[3] : 1},
           tensor.stride, is_output);
  }

  /// The bytes from the lowest to the highest element. Skips tensors without elements, and impossible
  /// addresses.
  /// process has.
  template <std::size_t Axes>
  void add(const char* name, const void* data, std::size_t element,
           const std::array<std::int64_t, Axes>& shape, const std::int64_t* stride, bool is_output = false) {
    if (data == nullptr) return;
    signed_wide_word lowest = 0, highest = 1;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      if (shape[axis] <= 0) return;
      if (shape[axis] == 1) continue;
      const signed_wide_word last = static_cast<signed_wide_word>(shape[axis] - 1) * stride[axis];
      (last < 0 ? lowest : highest) += last;
    }
    constexpr auto most = static_cast<signed_wide_word>(1) << 56;
    if (lowest < -most || highest > most) return;
    const auto size = static_cast<std::int64_t>(element);
    const auto at = reinterpret_cast<std::uintptr_t>(data);
    arrays.push_back({name, at + static_cast<std::uintptr_t>(static_cast<std::int64_t>(lowest) * size),
                      at + static_cast<std::uintptr_t>(static_cast<std::int64_t>(highest) * size),
                      is_output});
  }
};

}  // namespace

std::vector<call_array> arrays_of(std::int32_t operation, const ropewalk_head& call) {
  gathering gathering;
  visit_operation(operation, [&]<class Operation>() {
    gathering.add_call(reinterpret_cast<const typename Operation::call&>(call));
  });
  return gathering.arrays;
}

}  // namespace ropewalk::transport
