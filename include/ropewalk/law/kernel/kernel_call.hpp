#pragma once
// One case passed to a kernel through the C interface, in one of the forms of a call, and its result.

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/law_case.hpp"
#include "ropewalk/law/kernel/tensor_memory.hpp"

namespace ropewalk {

/// Failure of a kernel: it refused a case, wrote outside its output, or changed the floating-point
/// environment.
class kernel_trouble : public std::runtime_error {
 public:
  kernel_trouble(std::int32_t status, const std::string& text, std::string call = {})
      : std::runtime_error(text), status_(status), call_(std::move(call)) {}
  /// The enum ropewalk_status that the kernel returned; ROPEWALK_OK for any other fault.
  std::int32_t status() const noexcept { return status_; }
  /// The call of a case that failed, if a law makes several: measurement::call.
  const std::string& call() const noexcept { return call_; }

 private:
  std::int32_t status_;
  std::string call_;
};

/// A call that a kernel's own process did not answer, because it ended or timed out. The call shows nothing
/// about the kernel's results.
class unanswered_call : public kernel_trouble {
 public:
  explicit unanswered_call(const std::string& text) : kernel_trouble(ROPEWALK_OK, text) {}
};

/// The last words of a machine_shortage.
inline constexpr const char* of_this_machine = ": a shortage of this machine, and no verdict";

/// A process, memory or a descriptor that could not be set up for a kernel. It says nothing about the kernel,
/// and ends the run.
class machine_shortage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A plan that a kernel declined to make. Its limits cannot say which pairings it serves.
class declined_plan : public kernel_trouble {
 public:
  explicit declined_plan(const std::string& text) : kernel_trouble(ROPEWALK_UNSUPPORTED, text) {}
};

/// The form in which a case is passed to a kernel; all forms must give the same result.
struct call_form {
  std::vector<std::int64_t> cuts{};   // ends of token ranges: 0, cuts..., batch x tokens; one apply each
  std::optional<token_range> part{};  // these tokens alone; the others must stay unchanged
  std::vector<std::int64_t> sequence_offset{};  // sequences of a case with one batch row; rank 3
  bool rank_3 = false;                          // for a case with one batch row
  bool counted_positions = false;               // ROPEWALK_COUNTED: tokens are counted from 0
  bool shared_positions = false;                // one row of positions for all batch rows: its stride is 0
  bool without_error = false;                   // NULL in place of a ropewalk_error
  // Makes the call again in the same memory, which must give the same bits, and once more in another
  // floating-point environment, which the kernel must restore; the bits may differ there.
  bool repeated = false;
  bool moved = false;  // each tensor at the other edge of its block
  friend bool operator==(const call_form&, const call_form&) = default;
};

/// Both tensors after the call, dense.
struct rotated {
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
};

/// Elements of query or key after the call.
///
/// shape   [batch, tokens, heads, head_dim], dense
inline const std::vector<std::uint64_t>& elements_of(const rotated& done, operand which) {
  return which == operand::query ? done.query : done.key;
}

/// Status of a call to which a kernel's own process sent no valid answer. No kernel returns it; the error's
/// text gives the reason.
inline constexpr std::int32_t no_status = -1;

/// Status of a call during which a kernel's own process ended or timed out. No kernel returns it; the error's
/// text gives the reason.
inline constexpr std::int32_t unanswered_status = -3;

/// Status of a call for which this program could not set up the kernel's process. No kernel returns it.
inline constexpr std::int32_t shortage_status = -4;

/// Status of a call that was not answered within the budget. No kernel returns it.
inline constexpr std::int32_t set_aside_status = -5;

/// Status of a call that a person has not answered yet; its output is zeros. No kernel returns it.
inline constexpr std::int32_t awaited_status = -2;

/// Status of a call that was made more than once, with other bits each time; the output holds the first
/// answer. No kernel returns it.
inline constexpr std::int32_t other_bits_status = -6;

/// Properties of a kernel's calls that their output does not show.
struct call_facts {
  bool is_answer_awaited = false;  // a call has no answer yet, and zeros for output
  bool are_bits_other = false;     // a call gave other bits when it was made again
};

namespace detail {

/// Records an awaited answer and other bits in `facts`, and throws for any other status but ROPEWALK_OK. A
/// foreign library's texts may lack their terminating zero.
///
/// throws  answer_awaited without `facts`; kernel_trouble, ...
inline void expect_ok(std::int32_t status, const ropewalk_error& error, call_facts* facts = nullptr) {
  if (status == ROPEWALK_OK) return;
  if (status == awaited_status) {
    if (facts == nullptr) throw answer_awaited();
    facts->is_answer_awaited = true;
    return;
  }
  if (status == other_bits_status) {
    if (facts != nullptr) facts->are_bits_other = true;
    return;
  }
  const std::string field(error.field, strnlen(error.field, sizeof error.field));
  const std::string text(error.text, strnlen(error.text, sizeof error.text));
  if (status == ROPEWALK_DEVICE_FAILED)  // no fault of the kernel
    throw device_failure(text.empty() ? "the kernel's device failed; it gives no reason" : text);
  if (status == unanswered_status) throw unanswered_call(text);
  if (status == shortage_status) throw machine_shortage(text);
  if (status == set_aside_status) throw case_set_aside(text);
  if (status == no_status)
    throw kernel_trouble(ROPEWALK_OK, text.empty() ? "the kernel's process gave no answer" : text);
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

/// Changes the tensors of a call with one batch row to rank 3; returns false if they already have it.
inline bool take_rank_3(ropewalk_rotation_call& call) {
  if (call.query_in.rank == 3) return false;
  for (ropewalk_tensor* tensor : {&call.query_in, &call.query_out, &call.key_in, &call.key_out})
    *tensor = as_rank_3(*tensor);
  return true;
}

inline ropewalk_tokens tokens_for(const position_memory& positions, const call_form& form) {
  ropewalk_tokens tokens{};
  if (!form.counted_positions) tokens.positions = positions.view();
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

/// Makes one call in its caller's floating-point environment, then restores this thread's. Nothing else is
/// computed in between.
[[gnu::noinline]] inline std::int32_t apply_once(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                                 const ropewalk_head& call, ropewalk_error* error,
                                                 const floating_registers& callers) {
  const floating_registers own = read_floating_registers();
  write_floating_registers(callers);
  const std::int32_t status = kernel.apply(plan, &call, error);
  const floating_registers left = read_floating_registers();
  write_floating_registers(own);
  if (!same_arithmetic(left, callers))
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the floating environment of its caller");
  return status;
}

/// Makes a plan, always in the default floating environment.
[[gnu::noinline]] inline std::int32_t plan_once(const ropewalk_kernel& kernel, const ropewalk_head& encoding,
                                                ropewalk_plan*& made, ropewalk_error& error) {
  const default_floating_environment put_back;
  const std::int32_t status = kernel.plan(&encoding, &made, &error);
  if (!same_arithmetic(read_floating_registers(), default_floating_registers()))
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the floating environment of its caller");
  return status;
}

inline constexpr const char* other_bits = "the kernel gave other bits when the same call was made again";

/// The tensors that a call writes.
struct written_memory {
  tensor_memory& query;
  tensor_memory& key;
};

/// Throws if a call wrote outside the elements, or to tokens outside its range.
inline void expect_untouched(tensor_memory& memory, const std::vector<std::uint8_t>& before,
                             token_range done) {
  if (!memory.is_same_beside_elements(before))
    throw kernel_trouble(ROPEWALK_OK, "the kernel wrote outside the tensor's elements");
  if (!memory.is_same_outside(before, done))
    throw kernel_trouble(ROPEWALK_OK, "the kernel wrote tokens that it was not asked for");
}

template <class Call>
void apply_in_ranges(const ropewalk_kernel& kernel, const ropewalk_plan* plan, Call call,
                     const call_form& form, std::int64_t tokens, const floating_registers& callers,
                     const written_memory& written, call_facts* facts) {
  std::vector<token_range> ranges;
  if (form.part) {
    ranges.push_back(*form.part);
  } else {
    std::int64_t first = 0;
    for (const std::int64_t cut : form.cuts) ranges.push_back({first, cut}), first = cut;
    ranges.push_back({first, tokens});
  }
  for (const token_range& range : ranges) {
    call.tokens.begin = range.first;
    call.tokens.end = range.last;
    const auto query_before = written.query.bytes(), key_before = written.key.bytes();
    ropewalk_error error{};
    expect_ok(apply_once(kernel, plan, call.head, form.without_error ? nullptr : &error, callers), error,
              facts);
    expect_untouched(written.query, query_before, range);
    expect_untouched(written.key, key_before, range);
  }
}

/// Whether every token has several heads, all equal, so that memory can hold just one of them.
inline bool has_equal_heads(const law_case& test_case, operand which) {
  const std::int64_t heads = heads_of(test_case, which);
  const std::vector<std::uint64_t>& elements = elements_of(test_case, which);
  for (std::int64_t i = test_case.head_dim; i < static_cast<std::int64_t>(elements.size()); ++i)
    if (i / test_case.head_dim % heads != 0 &&
        elements[static_cast<std::size_t>(i)] != elements[static_cast<std::size_t>(i - test_case.head_dim)])
      return false;
  return heads > 1;
}

/// A case laid out in memory, and its call.
template <class Operation>
class handed_case {
 public:
  handed_case(const law_case& test_case, const call_form& form, call_memory* shared)
      : test_case_(test_case),
        query_(test_case, test_case.query_heads + (test_case.fused ? test_case.key_heads : 0),
               test_case.query_in, shares(operand::query), shared, edge_of(test_case, 0, form.moved),
               byte_beside_input),
        key_(test_case, test_case.fused ? 0 : test_case.key_heads, test_case.key_in, shares(operand::key),
             shared, edge_of(test_case, 2, form.moved), byte_beside_input),
        positions_(test_case, form.shared_positions, shared, edge_of(test_case, 4, form.moved)),
        call(empty_call<Operation>()) {
    for (const operand which : {operand::query, operand::key})
      input(which).write(heads_in(input(which), which), elements_of(test_case, which));
    if (!is_in_place(test_case, operand::query))
      query_out_.emplace(test_case, test_case.query_heads, test_case.query_out, false, shared,
                         edge_of(test_case, 1, form.moved));
    if (!is_in_place(test_case, operand::key))
      key_out_.emplace(test_case, test_case.key_heads, test_case.key_out, false, shared,
                       edge_of(test_case, 3, form.moved));
    const auto shaped = [&](tensor_memory& memory, operand which) {
      const ropewalk_tensor view = memory.view(heads_in(memory, which));
      return form.rank_3 ? as_rank_3(view) : view;
    };
    call.tokens = tokens_for(positions_, form);
    call.tokens.end = test_case.batch * test_case.tokens;
    set_flags(call, test_case.flags);
    set_input(call, shaped(input(operand::query), operand::query), shaped(input(operand::key), operand::key));
    set_output(call, shaped(output(operand::query), operand::query),
               shaped(output(operand::key), operand::key));
  }

  /// The memory that the call writes: in place, its input.
  written_memory written() { return {output(operand::query), output(operand::key)}; }

  /// Every byte of the inputs that the call must not write.
  std::vector<std::uint8_t> kept_bytes() const {
    std::vector<std::uint8_t> bytes;
    if (query_out_) append(bytes, query_);
    if (key_out_) append(bytes, key_);
    return bytes;
  }

  /// Every byte of the tensors.
  std::vector<std::uint8_t> tensor_bytes() {
    std::vector<std::uint8_t> bytes = kept_bytes();
    append(bytes, output(operand::query));
    append(bytes, output(operand::key));
    return bytes;
  }

  /// Every byte of the positions.
  std::vector<std::uint8_t> position_bytes() const { return positions_.bytes(); }

  /// Both tensors after the call.
  rotated read() {
    const auto value = [&](operand which) {
      tensor_memory& memory = output(which);
      return memory.read(heads_in(memory, which));
    };
    return {value(operand::query), value(operand::key)};
  }

 private:
  static void append(std::vector<std::uint8_t>& to, const tensor_memory& memory) {
    const std::vector<std::uint8_t> bytes = memory.bytes();
    to.insert(to.end(), bytes.begin(), bytes.end());
  }

  bool shares(operand which) const {
    return test_case_.shares_heads && !test_case_.fused && !is_in_place(test_case_, which) &&
           has_equal_heads(test_case_, which);
  }
  tensor_memory& input(operand which) { return which == operand::query || test_case_.fused ? query_ : key_; }
  tensor_memory& output(operand which) {
    std::optional<tensor_memory>& apart = which == operand::query ? query_out_ : key_out_;
    return apart ? *apart : input(which);
  }
  /// The range of the heads of query or key in their memory.
  head_range heads_in(const tensor_memory& memory, operand which) const {
    const bool is_behind_query = which == operand::key && &memory == &query_;
    return {is_behind_query ? test_case_.query_heads : 0, heads_of(test_case_, which)};
  }

  const law_case& test_case_;
  tensor_memory query_;  // where query and key are fused, both
  tensor_memory key_;
  std::optional<tensor_memory> query_out_;
  std::optional<tensor_memory> key_out_;
  position_memory positions_;

 public:
  typename Operation::call call;  // public, so that it can be made invalid
};

}  // namespace detail

/// Result of a case from a kernel. If the form requests only some tokens, the others keep the earlier
/// contents of memory: the input in place, untouched_byte out of place.
///
/// throws  kernel_trouble when the kernel refuses, writes outside the output or the tokens asked for, changes
///         its input out of place or its positions, changes its caller's floating environment, or gives other
///         bits when the call is repeated; answer_awaited without `facts`
template <class Operation>
rotated apply_kernel(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const law_case& test_case,
                     const call_form& form, call_memory* shared, call_facts* facts) {
  detail::handed_case<Operation> handed(test_case, form, shared);
  const detail::written_memory written = handed.written();
  const auto before = handed.kept_bytes(), positions_before = handed.position_bytes();
  const auto query_before = written.query.bytes(), key_before = written.key.bytes();
  detail::apply_in_ranges(kernel, plan, handed.call, form, test_case.batch * test_case.tokens,
                          detail::registers_of(test_case.environment), written, facts);
  if (handed.kept_bytes() != before)
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the input of an out-of-place call");
  if (handed.position_bytes() != positions_before)
    throw kernel_trouble(ROPEWALK_OK, "the kernel changed the positions of a call");
  const rotated done = handed.read();
  const auto call_again = [&](caller_environment environment) {
    written.query.restore(query_before);
    written.key.restore(key_before);
    detail::apply_in_ranges(kernel, plan, handed.call, form, test_case.batch * test_case.tokens,
                            detail::registers_of(environment), written, facts);
  };
  if (form.repeated) {
    const auto query = written.query.bytes(), key = written.key.bytes();
    call_again(test_case.environment);
    if (written.query.bytes() != query || written.key.bytes() != key) {
      if (!is_gathered(kernel)) throw kernel_trouble(ROPEWALK_OK, detail::other_bits);
      if (facts != nullptr) facts->are_bits_other = true;
    }
    const bool serves_environments =
        kernel.limits == nullptr || (kernel.limits->not_served & ROPEWALK_NO_ENVIRONMENT) == 0;
    if (serves_environments && (facts == nullptr || !facts->is_answer_awaited))
      call_again(test_case.tokens % 2 == 0 ? caller_environment::flushing : caller_environment::upward);
  }
  return done;
}

/// Result of ask(); nullopt if the kernel returns ROPEWALK_UNSUPPORTED, declining a part of the case.
///
/// throws  kernel_trouble for any other answer
template <class Ask>
std::optional<rotated> answer_if_served(measurement& measured, Ask ask) {
  try {
    return ask();
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() != ROPEWALK_UNSUPPORTED) throw;
    measured.declined = true;
    measured.trouble = trouble.what();
    return std::nullopt;
  }
}

}  // namespace ropewalk
