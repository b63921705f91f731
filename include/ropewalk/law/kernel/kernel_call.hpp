#pragma once
// One case handed to a kernel through the C interface, in one of the forms that a call may take, and the
// result.

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/law_case.hpp"
#include "ropewalk/law/kernel/tensor_memory.hpp"

namespace ropewalk {

/// A kernel refused a case, wrote where it must not, or left another floating-point environment.
class kernel_trouble : public std::runtime_error {
 public:
  kernel_trouble(std::int32_t status, const std::string& text) : std::runtime_error(text), status_(status) {}
  /// The enum ropewalk_status that the kernel returned; ROPEWALK_OK where it is at fault in another way.
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

/// Elements that the kernel gave for query or key.
///
/// shape   [batch, tokens, heads, head_dim], dense
inline const std::vector<std::uint64_t>& elements_of(const rotated& done, operand which) {
  return which == operand::query ? done.query : done.key;
}

namespace detail {

/// The texts come from a foreign library and may lack their terminating zero.
inline void expect_ok(std::int32_t status, const ropewalk_error& error) {
  if (status == ROPEWALK_OK) return;
  const std::string field(error.field, strnlen(error.field, sizeof error.field));
  const std::string text(error.text, strnlen(error.text, sizeof error.text));
  if (status == ROPEWALK_DEVICE_FAILED) throw device_failure(text);  // no fault of the kernel
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

inline ropewalk_tokens tokens_for(const law_case& given, const call_form& form) {
  ropewalk_tokens tokens{};
  tokens.positions = {.kind = form.counted_positions ? ROPEWALK_COUNTED : ROPEWALK_POSITIONS_I32,
                      .axes = 1,
                      .data = given.positions.data(),
                      .stride = {given.batch * given.tokens, form.shared_positions ? 0 : given.tokens, 1}};
  if (form.sequence_offset.empty()) return tokens;
  tokens.sequence_offset = form.sequence_offset.data();
  tokens.sequences = static_cast<std::int64_t>(form.sequence_offset.size()) - 1;
  return tokens;
}

// The tensors of each operation's call. Additions have no key.

inline void set_input(ropewalk_rotation_call& call, const ropewalk_tensor& query,
                      const ropewalk_tensor& key) {
  call.query_in = query;
  call.key_in = key;
}
inline void set_output(ropewalk_rotation_call& call, const ropewalk_tensor& query,
                       const ropewalk_tensor& key) {
  call.query_out = query;
  call.key_out = key;
}
inline void set_input(ropewalk_row_call& call, const ropewalk_tensor& in, const ropewalk_tensor&) {
  call.in = in;
}
inline void set_output(ropewalk_row_call& call, const ropewalk_tensor& out, const ropewalk_tensor&) {
  call.out = out;
}
inline void set_input(ropewalk_bias_call& call, const ropewalk_tensor& in, const ropewalk_tensor&) {
  call.scores_in = in;
}
inline void set_output(ropewalk_bias_call& call, const ropewalk_tensor& out, const ropewalk_tensor&) {
  call.scores_out = out;
}

inline void set_flags(ropewalk_rotation_call& call, std::uint32_t flags) { call.flags = flags; }
inline void set_flags(ropewalk_row_call&, std::uint32_t) {}
inline void set_flags(ropewalk_bias_call&, std::uint32_t) {}

constexpr floating_registers registers_of(caller_environment environment) {
  if (environment == caller_environment::flushing) return flushing_floating_registers();
  if (environment == caller_environment::upward) return upward_floating_registers();
  return default_floating_registers();
}

/// One call in its caller's environment. The judge's own is put back, and nothing of it is computed in
/// between.
[[gnu::noinline]] inline std::int32_t apply_once(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                                 const ropewalk_head& call, ropewalk_error& error,
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
[[gnu::noinline]] inline std::int32_t plan_once(const ropewalk_kernel& kernel, const ropewalk_head& encoding,
                                                ropewalk_plan*& made, ropewalk_error& error) {
  const default_floating_environment put_back;
  const std::int32_t status = kernel.plan(&encoding, &made, &error);
  if (!same_arithmetic(read_floating_registers(), default_floating_registers()))
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the floating environment of its caller");
  return status;
}

template <class Call>
void apply_in_ranges(const ropewalk_kernel& kernel, const ropewalk_plan* plan, Call call,
                     std::vector<std::int64_t> cuts, std::int64_t tokens, const floating_registers& callers) {
  cuts.push_back(tokens);
  for (const std::int64_t cut : cuts) {
    call.tokens.end = cut;
    ropewalk_error error{};
    expect_ok(apply_once(kernel, plan, call.head, error, callers), error);
    call.tokens.begin = cut;
  }
}

inline rotated read(tensor_memory& query, tensor_memory& key) {
  if (!query.is_guard_intact() || !key.is_guard_intact())
    throw kernel_trouble(ROPEWALK_OK, "the kernel wrote beside the tensor's elements");
  return {query.read(), key.read()};
}

}  // namespace detail

/// The case done by a kernel of an operation.
///
/// throws  kernel_trouble when the kernel refuses, writes outside the output, changes its input out of
///         place, or leaves another floating environment than it was called in
template <class Operation>
rotated apply_kernel(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const law_case& given,
                     const call_form& form) {
  const auto shaped = [&](const tensor_memory& memory) {
    return form.rank_3 ? detail::as_rank_3(memory.view()) : memory.view();
  };
  const floating_registers callers = detail::registers_of(given.environment);
  tensor_memory query(given, operand::query, given.gap), key(given, operand::key, given.gap);
  query.write(given.query);
  key.write(given.key);
  typename Operation::call call = empty_call<Operation>();
  call.tokens = detail::tokens_for(given, form);
  detail::set_flags(call, given.flags);
  detail::set_input(call, shaped(query), shaped(key));
  detail::set_output(call, shaped(query), shaped(key));
  if (given.in_place) {
    detail::apply_in_ranges(kernel, plan, call, form.cuts, given.batch * given.tokens, callers);
    return detail::read(query, key);
  }
  const std::int64_t gap_out = given.gap + given.output_gap;
  tensor_memory query_out(given, operand::query, gap_out), key_out(given, operand::key, gap_out);
  detail::set_output(call, shaped(query_out), shaped(key_out));
  detail::apply_in_ranges(kernel, plan, call, form.cuts, given.batch * given.tokens, callers);
  if (query.read() != given.query || key.read() != given.key)
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed its input, out of place");
  return detail::read(query_out, key_out);
}

/// Result of ask(); nullopt where the kernel answers ROPEWALK_UNSUPPORTED.
///
/// throws  kernel_trouble for any other answer
template <class Ask>
std::optional<rotated> answer_if_served(Ask ask) {
  try {
    return ask();
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() != ROPEWALK_UNSUPPORTED) throw;
    return std::nullopt;
  }
}

}  // namespace ropewalk
