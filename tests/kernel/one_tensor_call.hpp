#pragma once
// A call with one tensor, of the operation of an encoding, for tests that run on every operation.

#include "kernel/rotation_case.hpp"

namespace ropewalk::test {

inline ropewalk_rotation_call one_tensor_call(const ropewalk_rotation& /*encoding*/,
                                              const ropewalk_tokens& tokens, const ropewalk_tensor& in,
                                              const ropewalk_tensor& out) {
  ropewalk_rotation_call call = empty_call<rotate>();
  call.tokens = tokens;
  call.query_in = in;
  call.query_out = out;
  return call;
}

inline ropewalk_row_call one_tensor_call(const ropewalk_row_addition& /*encoding*/,
                                         const ropewalk_tokens& tokens, const ropewalk_tensor& in,
                                         const ropewalk_tensor& out) {
  return {head_of<add_row, ropewalk_row_call>(), tokens, in, out};
}

inline ropewalk_bias_call one_tensor_call(const ropewalk_bias_addition& /*encoding*/,
                                          const ropewalk_tokens& tokens, const ropewalk_tensor& in,
                                          const ropewalk_tensor& out) {
  return {head_of<add_bias, ropewalk_bias_call>(), tokens, in, out};
}

/// The call that was laid out; for an addition, on the query alone.
template <class Encoding>
auto call_for(const Encoding& encoding, const laid_out& memory) {
  return one_tensor_call(encoding, memory.call.tokens, memory.call.query_in, memory.call.query_out);
}
inline ropewalk_rotation_call call_for(const ropewalk_rotation& /*encoding*/, const laid_out& memory) {
  return memory.call;
}

}  // namespace ropewalk::test
