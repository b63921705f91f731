#pragma once
// One case handed to a kernel through the C interface, in one of the forms that a call may take, and what
// came back.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/law/law_case.hpp"
#include "ropewalk/law/tensor_memory.hpp"

namespace ropewalk {

/// What a kernel answered instead of doing as it was asked, or wrote where it must not.
class kernel_trouble : public std::runtime_error {
 public:
  kernel_trouble(std::int32_t status, const std::string& text) : std::runtime_error(text), status_(status) {}
  std::int32_t status() const noexcept { return status_; }

 private:
  std::int32_t status_;
};

/// How one case is handed over; every form must give the same bits.
struct call_form {
  std::vector<std::int64_t> cuts{};             // token ranges: 0, cuts..., batch x tokens; one apply each
  std::vector<std::int64_t> sequence_offset{};  // sequences of a case with one batch row; rank 3
  bool rank_3 = false;                          // for a case with one batch row
  bool counted_positions = false;               // positions == NULL: tokens are counted from 0
  bool shared_positions = false;                // one row of positions for all batch rows: its stride is 0
};

/// Both tensors after the call, dense.
struct rotated {
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
};

inline const std::vector<std::uint64_t>& elements_of(const rotated& done, operand which) {
  return which == operand::query ? done.query : done.key;
}

namespace detail {

/// The texts are a stranger's: they may lack their zero.
inline void expect_ok(std::int32_t status, const ropewalk_error& error) {
  if (status == ROPEWALK_OK) return;
  const std::string field(error.field, strnlen(error.field, sizeof error.field));
  const std::string text(error.text, strnlen(error.text, sizeof error.text));
  if (status == ROPEWALK_DEVICE_FAILED) throw device_failure(text);  // says nothing of the kernel
  throw kernel_trouble(status, "status " + std::to_string(status) + ", " + field + ": " + text);
}

inline ropewalk_tensor as_rank_3(ropewalk_tensor tensor) {
  for (int axis = 0; axis < 3; ++axis) {
    tensor.shape[axis] = tensor.shape[axis + 1];
    tensor.stride[axis] = tensor.stride[axis + 1];
  }
  tensor.rank = 3;
  return tensor;
}

inline ropewalk_call call_for(const law_case& given, const call_form& form) {
  ropewalk_call call{};
  call.struct_size = sizeof call;
  call.flags = given.flags;
  call.positions = form.counted_positions ? nullptr : given.positions.data();
  call.position_stride[0] = given.batch * given.tokens;
  call.position_stride[1] = form.shared_positions ? 0 : given.tokens;
  call.position_stride[2] = 1;
  if (form.sequence_offset.empty()) return call;
  call.sequence_offset = form.sequence_offset.data();
  call.sequences = static_cast<std::int64_t>(form.sequence_offset.size()) - 1;
  return call;
}

constexpr floating_registers registers_of(caller_environment environment) {
  switch (environment) {
    case caller_environment::flushing: return flushing_floating_registers();
    case caller_environment::upward: return upward_floating_registers();
    default: return default_floating_registers();
  }
}

/// One call in its caller's environment. The judge's own is put back, and nothing of it is computed in
/// between.
[[gnu::noinline]] inline std::int32_t apply_once(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                                 const ropewalk_call& call, ropewalk_error& error,
                                                 const floating_registers& callers) {
  const floating_registers own = read_floating_registers();
  write_floating_registers(callers);
  const std::int32_t status = kernel.apply(plan, &call, &error);
  const floating_registers left = read_floating_registers();
  write_floating_registers(own);
  if (!same_arithmetic(left, callers))
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the floating environment of its caller");
  return status;
}

/// The same for a plan, always in the default environment.
[[gnu::noinline]] inline std::int32_t plan_once(const ropewalk_kernel& kernel,
                                                const ropewalk_encoding& encoding, ropewalk_plan*& made,
                                                ropewalk_error& error) {
  const default_floating_environment put_back;
  const std::int32_t status = kernel.plan(&encoding, &made, &error);
  if (!same_arithmetic(read_floating_registers(), default_floating_registers()))
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the floating environment of its caller");
  return status;
}

inline void apply_in_ranges(const ropewalk_kernel& kernel, const ropewalk_plan* plan, ropewalk_call call,
                            std::vector<std::int64_t> cuts, std::int64_t tokens,
                            const floating_registers& callers) {
  cuts.push_back(tokens);
  for (const std::int64_t cut : cuts) {
    call.token_end = cut;
    ropewalk_error error{};
    expect_ok(apply_once(kernel, plan, call, error, callers), error);
    call.token_begin = cut;
  }
}

inline rotated read(tensor_memory& query, tensor_memory& key) {
  if (!query.is_guard_intact() || !key.is_guard_intact())
    throw kernel_trouble(ROPEWALK_OK, "the kernel wrote beside the tensor's elements");
  return {query.read(), key.read()};
}

}  // namespace detail

/// The case turned by a kernel.
///
/// throws  kernel_trouble when the kernel refuses, writes beside the output, changes its input out of
///         place, or leaves another floating environment than it was called in
inline rotated apply_kernel(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const law_case& given,
                            const call_form& form) {
  const auto shaped = [&](const tensor_memory& memory) {
    return form.rank_3 ? detail::as_rank_3(memory.view()) : memory.view();
  };
  const floating_registers callers = detail::registers_of(given.environment);
  tensor_memory query(given, operand::query, given.gap), key(given, operand::key, given.gap);
  query.write(given.query);
  key.write(given.key);
  ropewalk_call call = detail::call_for(given, form);
  call.query_in = call.query_out = shaped(query);
  call.key_in = call.key_out = shaped(key);
  if (given.in_place) {
    detail::apply_in_ranges(kernel, plan, call, form.cuts, given.batch * given.tokens, callers);
    return detail::read(query, key);
  }
  const std::int64_t gap_out = given.gap + given.output_gap;
  tensor_memory query_out(given, operand::query, gap_out), key_out(given, operand::key, gap_out);
  call.query_out = shaped(query_out);
  call.key_out = shaped(key_out);
  detail::apply_in_ranges(kernel, plan, call, form.cuts, given.batch * given.tokens, callers);
  if (query.read() != given.query || key.read() != given.key)
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed its input, out of place");
  return detail::read(query_out, key_out);
}

}  // namespace ropewalk
