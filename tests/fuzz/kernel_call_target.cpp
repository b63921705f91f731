// Calls of kernel.h: every built-in kernel of the processor and, with ROPEWALK_FUZZ_VULKAN=1, those for
// Vulkan devices. A call that is well formed gives the mirror's bits. A call of which one field is changed is
// refused by all kernels alike, and then nothing is written; or all give the same bytes.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/case_memory.hpp"
#include "fuzz/changed_fields.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/kernel_case.hpp"
#include "fuzz/kernel_mirror.hpp"
#include "fuzz/target.hpp"
#include "gpu/kernels.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"

namespace ropewalk::fuzz {
namespace {

bool is_on_device(const ropewalk_kernel& kernel) {
  return std::string_view(kernel.name).starts_with("vulkan-");
}

const std::vector<ropewalk_kernel>& kernels_of(ropewalk_operation operation) {
  static const std::vector<ropewalk_kernel> all = [] {
    std::vector<ropewalk_kernel> kernels(all_kernels().begin(), all_kernels().end());
    kernels.insert(kernels.end(), all_addition_kernels().begin(), all_addition_kernels().end());
    const char* const wants_device = std::getenv("ROPEWALK_FUZZ_VULKAN");
    if (wants_device != nullptr && std::string_view(wants_device) == "1")
      kernels.insert(kernels.end(), vulkan_kernels().begin(), vulkan_kernels().end());
    return kernels;
  }();
  static const std::vector<std::vector<ropewalk_kernel>> by_operation = [] {
    std::vector<std::vector<ropewalk_kernel>> result(operations::size);
    for (const ropewalk_kernel& kernel : all)
      result[static_cast<std::size_t>(kernel.operation)].push_back(kernel);
    return result;
  }();
  return by_operation[static_cast<std::size_t>(operation)];
}

/// Whether a kernel may answer a call that is well formed with this status.
bool may_decline(const ropewalk_kernel& kernel, const kernel_case& test_case, std::int32_t status) {
  if (is_on_device(kernel)) return status == ROPEWALK_UNSUPPORTED || status == ROPEWALK_UNDECIDED;
  const served_calls limits = kernel.limits == nullptr ? served_calls() : served_calls(*kernel.limits);
  const bool serves =
      limits.serves(test_case.dtype) && (test_case.real_positions.empty() || limits.serves_real_positions());
  return !serves && status == ROPEWALK_UNSUPPORTED;
}

/// What a kernel made of a case.
struct answer {
  std::int32_t plan_status = ROPEWALK_OK;
  std::int32_t status = ROPEWALK_OK;
  test::tensors outputs{};
  std::vector<std::byte> bytes{};
  std::string plan_reason{};
};

void need_reason(std::int32_t status, const ropewalk_error& error, const std::string& who) {
  if (status == ROPEWALK_OK) return;
  need(std::memchr(error.field, 0, sizeof error.field) != nullptr &&
           std::memchr(error.text, 0, sizeof error.text) != nullptr,
       who + " gives an error without an end");
  need(error.text[0] != 0, who + " refuses and does not say why");
}

/// Asks a kernel in the caller's floating environment, which it must leave as it was.
class asked_kernel {
 public:
  asked_kernel(const ropewalk_kernel& kernel, const floating_registers& callers,
               const ropewalk_head* encoding)
      : kernel_(kernel), callers_(callers), who_(kernel.name) {
    ropewalk_error error{};
    status = in_environment([&] { return kernel.plan(encoding, &plan_, &error); });
    need_reason(status, error, who_);
    reason = error.text;
    need((plan_ != nullptr) == (status == ROPEWALK_OK), who_ + " makes a plan and refuses it, or neither");
  }
  ~asked_kernel() { kernel_.free_plan(plan_); }
  asked_kernel(const asked_kernel&) = delete;
  asked_kernel& operator=(const asked_kernel&) = delete;

  std::int32_t apply(const ropewalk_head* call) const {
    ropewalk_error error{};
    const std::int32_t count = in_environment([&] { return kernel_.apply(plan_, call, &error); });
    need_reason(count, error, who_);
    reason = error.text;
    return count;
  }

  std::int32_t status = ROPEWALK_OK;  // of the plan
  mutable std::string reason{};       // of the last refusal

 private:
  template <class Ask>
  std::int32_t in_environment(Ask ask) const {
    const floating_registers before = read_floating_registers();
    write_floating_registers(callers_);
    const std::int32_t count = ask();
    const floating_registers left = read_floating_registers();
    write_floating_registers(before);
    need(same_arithmetic(left, callers_), who_ + " changes the floating environment");
    return count;
  }

  const ropewalk_kernel& kernel_;
  floating_registers callers_;
  std::string who_;
  ropewalk_plan* plan_ = nullptr;
};

void need_right(const kernel_case& test_case, const right_output& right, const test::tensors& got,
                const std::string& who) {
  with_format(test_case.dtype, [&]<class Float>() {
    const auto compare = [&](const right_elements& elements, const std::vector<std::uint64_t>& bits,
                             const char* name) {
      for (std::size_t i = 0; i < elements.bits.size(); ++i)
        if (elements.is_known[i] && !same_bits<Float>(static_cast<bits_of<Float>>(elements.bits[i]),
                                                      static_cast<bits_of<Float>>(bits[i])))
          throw finding(who + " gives other bits than the mirror in element " + std::to_string(i) +
                        " of the " + name);
    };
    compare(right.query, got.query, "query");
    compare(right.key, got.key, "key");
  });
}

void check_right_call(const kernel_case& test_case) {
  case_encoding encoding(test_case);
  const test::tensors before = case_call(test_case).outputs();
  const right_output right = right_output_of(test_case, false, before);
  for (const ropewalk_kernel& kernel : kernels_of(test_case.operation)) {
    const std::string who = kernel.name;
    const asked_kernel outside(kernel, test_case.callers, encoding.memory.head());
    if (may_decline(kernel, test_case, outside.status)) continue;
    need(outside.status == ROPEWALK_OK, who + " refuses a right encoding: " + outside.reason);
    case_call call(test_case);
    const std::int32_t status = outside.apply(call.memory.head());
    if (may_decline(kernel, test_case, status)) continue;
    need(status == ROPEWALK_OK, who + " refuses a right call: " + outside.reason);
    need(call.only_outputs_changed(), who + " writes beside its outputs");
    if (promise_of(kernel) == promise::exact)
      need_right(test_case, right_output_of(test_case, true, before), call.outputs(), who);
    else
      need_right(test_case, right, call.outputs(), who);
  }
}

/// Which field is changed, and how.
struct change {
  bool is_of_encoding = false;
  choices by;
};

/// nullopt where the changed call would be a lie.
std::optional<answer> answer_to(const ropewalk_kernel& kernel, const kernel_case& test_case,
                                const case_encoding& right, const change& made) {
  const std::string who = kernel.name;
  struct_memory encoding = right.memory;
  case_call call(test_case);
  if (made.is_of_encoding ? !change_encoding(test_case.operation, encoding, made.by)
                          : !change_call(call, made.by))
    return std::nullopt;
  const std::vector<std::byte> before = call.all_bytes();
  answer result;
  const asked_kernel outside(kernel, test_case.callers, encoding.head());
  result.plan_status = outside.status;
  result.plan_reason = outside.reason;
  result.status = outside.apply(call.memory.head());
  result.bytes = call.all_bytes();
  need(result.plan_status == ROPEWALK_OK || result.status == ROPEWALK_INVALID_ARGUMENT,
       who + " applies a plan that is none");
  need(result.status != ROPEWALK_INVALID_ARGUMENT || result.bytes == before, who + " writes and refuses");
  result.outputs = call.outputs();
  return result;
}

bool is_refusal(std::int32_t status) { return status == ROPEWALK_INVALID_ARGUMENT; }

/// Every kernel refuses a changed case, or none does; and those of the same bits give the same.
void check_changed_call(const kernel_case& test_case, const change& made) {
  const case_encoding right(test_case);
  std::optional<answer> first, first_bytes;
  for (const ropewalk_kernel& kernel : kernels_of(test_case.operation)) {
    const std::string who = kernel.name;
    const std::optional<answer> got = answer_to(kernel, test_case, right, made);
    if (!got) return;
    if (got->plan_reason.starts_with("table_end is")) return;  // only kernels with a table bound its rows
    if (!first) first = got;
    need(is_refusal(got->plan_status) == is_refusal(first->plan_status),
         who + " takes other encodings: \"" + got->plan_reason + "\" beside \"" + first->plan_reason + "\"");
    if (got->plan_status != ROPEWALK_OK || first->plan_status != ROPEWALK_OK) continue;
    // A format that a kernel does not serve may be declined before another field is refused.
    if (got->status == ROPEWALK_UNSUPPORTED || first->status == ROPEWALK_UNSUPPORTED) continue;
    need(is_refusal(got->status) == is_refusal(first->status), who + " takes other calls");
    if (got->status != ROPEWALK_OK || promise_of(kernel) == promise::exact) continue;
    if (!first_bytes) first_bytes = got;
    for (const auto& [a, b] : {std::pair(&got->outputs.query, &first_bytes->outputs.query),
                               std::pair(&got->outputs.key, &first_bytes->outputs.key)})
      need(test::first_difference(test_case.dtype, *a, *b) == -1,
           who + " gives other bits than another kernel");
  }
}

/// Replaces elements from which a NaN could come: which one a kernel gives is not specified, and a changed
/// call may write parts of elements.
void keep_from_nan(kernel_case& test_case) {
  with_format(test_case.dtype, [&]<class Float>() {
    constexpr auto large = static_cast<bits_of<Float>>(format<Float>::infinity / 4 * 3);
    for (std::vector<std::uint64_t>* const elements : {&test_case.query, &test_case.key})
      for (std::uint64_t& element : *elements)
        if ((element & ~std::uint64_t{format<Float>::sign_bit}) > large) element = 0;
  });
}

constexpr std::size_t bytes_of_a_change = 11;

}  // namespace

void kernel_call(input_bytes input) {
  choices from(input);
  const int kind = from.below(4);
  const choices change_by(input.empty() ? input : input.subspan(1));
  if (kind < 2) {
    check_right_call(drawn_case(from));
    return;
  }
  from.skip(bytes_of_a_change);
  kernel_case test_case = drawn_case(from);
  keep_from_nan(test_case);
  check_changed_call(test_case, {kind == 2, change_by});
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(kernel_call);
