// Calls that kernel.h forbids, each made from a valid one by one change.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk {

namespace {

// The tensors that every call of an operation has.
ropewalk_tensor& main_input(ropewalk_rotation_call& call) { return call.query_in; }
ropewalk_tensor& main_input(ropewalk_row_call& call) { return call.in; }
ropewalk_tensor& main_input(ropewalk_bias_call& call) { return call.scores_in; }
ropewalk_tensor& main_output(ropewalk_rotation_call& call) { return call.query_out; }
ropewalk_tensor& main_output(ropewalk_row_call& call) { return call.out; }
ropewalk_tensor& main_output(ropewalk_bias_call& call) { return call.scores_out; }

/// A change that makes a call invalid. Returns false if it does not apply: some need a key or two channels.
template <class Call>
struct invalid_call {
  std::string_view words;
  bool (*change)(Call& call);
};

/// A change that always applies.
template <class Call, auto Change>
bool always(Call& call) {
  Change(call);
  return true;
}

/// Replaces the first token's position, in a call with real positions.
template <class Call, double position>
bool has_real_position(Call& call) {
  ropewalk_positions& positions = call.tokens.positions;
  if (positions.kind != ROPEWALK_POSITIONS_F64 || call.tokens.begin == call.tokens.end) return false;
  *static_cast<double*>(const_cast<void*>(positions.data)) = position;
  return true;
}

template <class Call>
constexpr invalid_call<Call> invalid_calls[] = {
    {"tokens.begin above tokens.end", always<Call, [](Call& c) { c.tokens.begin = 1, c.tokens.end = 0; }>},
    {"tokens.begin below 0", always<Call, [](Call& c) { c.tokens.begin = -1, c.tokens.end = 0; }>},
    {"tokens.end beyond the tokens", always<Call, [](Call& c) { c.tokens.begin = ++c.tokens.end; }>},
    {"an input that is absent", always<Call, [](Call& c) { main_input(c).data = nullptr; }>},
    {"an output that is absent", always<Call, [](Call& c) { main_output(c).data = nullptr; }>},
    {"rank 2", always<Call, [](Call& c) { main_input(c).rank = main_output(c).rank = 2; }>},
    {"an output of another rank", always<Call, [](Call& c) { main_output(c).rank = 3; }>},
    {"an unknown dtype", always<Call, [](Call& c) { main_input(c).dtype = main_output(c).dtype = 99; }>},
    {"an output of another dtype",
     always<Call, [](Call& c) { main_output(c).dtype = main_input(c).dtype == 0 ? 1 : 0; }>},
    {"an output of another shape", always<Call, [](Call& c) { --main_output(c).shape[3]; }>},
    {"an extent below 0",
     always<Call, [](Call& c) { main_input(c).shape[1] = main_output(c).shape[1] = -1; }>},
    {"an output with stride 0",
     [](Call& c) {
       main_output(c).stride[3] = 0;
       return main_output(c).shape[3] > 1;
     }},
    {"an output that overlaps its input, one element on",
     [](Call& c) {
       ropewalk_tensor& out = main_output(c) = main_input(c);
       out.data = static_cast<std::byte*>(out.data) + size_of(static_cast<ropewalk_dtype>(out.dtype));
       return out.shape[3] > 1 && out.stride[3] == 1;
     }},
    {"an unknown kind of positions", always<Call, [](Call& c) { c.tokens.positions.kind = 99; }>},
    {"positions that are absent", always<Call, [](Call& c) { c.tokens.positions.data = nullptr; }>},
    {"a real position that is a NaN", has_real_position<Call, std::numeric_limits<double>::quiet_NaN()>},
    {"a real position that is infinite", has_real_position<Call, std::numeric_limits<double>::infinity()>},
    {"more position rows than the encoding has axes",
     always<Call, [](Call& c) { ++c.tokens.positions.axes; }>},
    {"sequence offsets with a tensor of rank 4",
     [](Call& c) {
       static constexpr std::int64_t none[] = {0, 0};
       c.tokens.sequence_offset = none;
       c.tokens.sequences = 1;
       return true;
     }},
    {"struct_size 0", always<Call, [](Call& c) { c.head.struct_size = 0; }>},
    {"struct_size smaller than ropewalk_head", always<Call, [](Call& c) { c.head.struct_size = 4; }>},
    {"a struct of another operation",
     always<Call, [](Call& c) { c.head.operation = (c.head.operation + 1) % operations::size; }>},
};

/// Invalid calls of rotations only.
constexpr invalid_call<ropewalk_rotation_call> invalid_rotation_calls[] = {
    {"an undefined flag",
     always<ropewalk_rotation_call, [](ropewalk_rotation_call& c) { c.flags |= 1u << 7; }>},
    {"a key input without a key output",
     [](ropewalk_rotation_call& c) {
       c.key_out.data = nullptr;
       return c.key_in.data != nullptr;
     }},
    {"a key with another batch size than the query",
     [](ropewalk_rotation_call& c) {
       ++c.key_in.shape[0];
       ++c.key_out.shape[0];
       return c.key_in.data != nullptr;
     }},
    {"a key of another dtype",
     [](ropewalk_rotation_call& c) {
       c.key_in.dtype = c.key_out.dtype = c.query_in.dtype == 0 ? 1 : 0;
       return c.key_in.data != nullptr;
     }},
    {"a key output that overlaps the query output",
     [](ropewalk_rotation_call& c) {
       c.key_out.data = c.query_out.data;
       return c.key_in.data != nullptr;
     }},
};

}  // namespace

template <class Operation>
void checked_kernel::ask_invalid(const shared_plan& plan, const law_case& test_case,
                                 const judge_invalid& judge) const {
  kernel().free_plan(nullptr);  // must be ignored
  using call = typename Operation::call;
  const auto try_one = [&](const invalid_call<call>& invalid) {
    for (const bool without_error : {false, true}) {
      detail::handed_case<Operation> handed(test_case, {}, memory());
      if (!invalid.change(handed.call)) return;
      const auto before = handed.tensor_bytes();
      ropewalk_error error{};
      const std::int32_t status =
          detail::apply_once(kernel(), plan.get(), handed.call.head, without_error ? nullptr : &error,
                             detail::registers_of(test_case.environment));
      if (status == no_status || status == unanswered_status || status == shortage_status ||
          status == set_aside_status)
        detail::expect_ok(status, error);
      judge(invalid.words, status, handed.tensor_bytes() != before);
    }
  };
  for (const auto& invalid : invalid_calls<call>) try_one(invalid);
  if constexpr (std::is_same_v<call, ropewalk_rotation_call>)
    for (const auto& invalid : invalid_rotation_calls) try_one(invalid);
}

template void checked_kernel::ask_invalid<rotate>(const shared_plan&, const law_case&,
                                                  const judge_invalid&) const;
template void checked_kernel::ask_invalid<add_row>(const shared_plan&, const law_case&,
                                                   const judge_invalid&) const;
template void checked_kernel::ask_invalid<add_bias>(const shared_plan&, const law_case&,
                                                    const judge_invalid&) const;

}  // namespace ropewalk
