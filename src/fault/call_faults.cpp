// Fields of a call that are ignored or misread: batches, ranges of tokens, strides, addresses.

#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

// Batch rows above 0 ignored: only the first sequence of a batch is rotated.
struct batch_row_steps : canonical_steps {
  bool skips(const token_place& place) const { return place.row > 0; }
};

// Positions read as contiguous in memory, regardless of their stride.
struct position_step_steps : canonical_steps {
  void misread(checked_call& call) const { call.position_stride[2] = 1; }
};

// Stride 0 ignored: one row of positions, shared by all batch rows, is read as one row per batch row.
struct shared_row_steps : canonical_steps {
  void misread(checked_call& call) const {
    if (call.position_stride[1] == 0) call.position_stride[1] = call.tokens;
  }
};

// Begin of the range of tokens ignored: every call starts at the first token.
struct range_begin_steps : canonical_steps {
  void misread(checked_call& call) const { call.begin = 0; }
};

// End of the range of tokens ignored: every call runs to the last token.
struct range_end_steps : canonical_steps {
  void misread(checked_call& call) const { call.end = call.query.in.batch() * call.tokens; }
};

// Strides of the query's input used for the key's input.
struct key_strides_steps : canonical_steps {
  void misread(checked_call& call) const {
    if (!call.key.is_present) return;
    call.key.in.stride = call.query.in.stride;
  }
};

// Address of the query's input rounded down to a multiple of the element size.
struct aligned_steps : canonical_steps {
  void misread(checked_call& call) const {
    const auto size = static_cast<std::uintptr_t>(size_of(call.dtype));
    call.query.in.data -= reinterpret_cast<std::uintptr_t>(call.query.in.data) % size;
  }
};

// A range of tokens that ends before it begins is accepted, with no effect.
struct any_range_steps : canonical_steps {
  bool accepts(const ropewalk_rotation_call& call) const { return call.tokens.begin > call.tokens.end; }
};

// Offset in 32 bits: a token's offset in elements is kept in an int, which wraps past 2^31 - 1.
struct offset_32_steps : canonical_steps {
  rotated_tensor at_token(rotated_tensor tensor, const token_place& place) const {
    if (!tensor.is_present) return tensor;
    for (tensor_view* view : {&tensor.in, &tensor.out}) {
      const std::int64_t size = size_of(view->dtype);
      const std::int64_t offset = (place.row * view->stride[0] + place.token * view->stride[1]) / size;
      view->data += (static_cast<std::int32_t>(offset) - offset) * size;
    }
    return tensor;
  }
};

}  // namespace

ropewalk_kernel batch_row() { return kernel_with<batch_row_steps>("fault-batch-row"); }
ropewalk_kernel position_step() { return kernel_with<position_step_steps>("fault-position-step"); }
ropewalk_kernel shared_row() { return kernel_with<shared_row_steps>("fault-shared-row"); }
ropewalk_kernel range_begin() { return kernel_with<range_begin_steps>("fault-range-begin"); }
ropewalk_kernel range_end() { return kernel_with<range_end_steps>("fault-range-end"); }
ropewalk_kernel key_strides() { return kernel_with<key_strides_steps>("fault-key-strides"); }
ropewalk_kernel aligned() { return kernel_with<aligned_steps>("fault-aligned"); }
ropewalk_kernel any_range() { return kernel_with<any_range_steps>("fault-any-range"); }
ropewalk_kernel offset_32() { return kernel_with<offset_32_steps>("fault-offset-32"); }

}  // namespace ropewalk::fault
