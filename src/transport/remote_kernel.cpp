#include "transport/remote_kernel.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#include "input/bad_input.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "transport/child.hpp"
#include "transport/message.hpp"

namespace ropewalk::transport {
namespace {

/// A kernel from keep(); the entry's pointers refer to this object.
struct kept_kernel {
  kept_kernel(std::unique_ptr<remote_kernel> kernel, std::string its_process)
      : remote(std::move(kernel)), process(std::move(its_process)) {}

  std::unique_ptr<remote_kernel> remote;
  std::string process;
  ropewalk_promise promised{};
  ropewalk_kernel entry{};
  mutable std::mutex mutex{};
  mutable std::string first_end{};  // how its process first ended or did not answer
};

std::deque<kept_kernel>& kept_kernels() {
  static std::deque<kept_kernel> kept;
  return kept;
}

struct kept_plan {
  const kept_kernel& kernel;
  std::unique_ptr<remote_plan> remote;
};

/// The answer of body(). Errors of the process become an error that expect_ok shows unchanged.
template <class Body>
remote_answer answered(const kept_kernel* kernel, Body body) noexcept {
  const default_floating_environment environment;
  remote_answer result;
  const auto process = [&](const char* did) { return printable(kernel->process + did); };
  const std::int32_t status = answer(&result.error, [&] {
    try {
      result = body();
    } catch (const answer_awaited&) {
      throw refused_call("process", "an answer is awaited", awaited_status);
    } catch (const budget_is_over&) {
      throw refused_call("process", "the budget ran out before its process answered", set_aside_status);
    } catch (const interrupted_wait&) {
      throw refused_call("process", "interrupted", ROPEWALK_UNSUPPORTED);
    } catch (const declined_answer& declined) {
      throw refused_call(printable(declined.field), printable(declined.text), ROPEWALK_UNSUPPORTED);
    } catch (const failed_answer& failed) {
      throw refused_call("process", process(" reports: ") + printable(failed.what()), no_status);
    } catch (const no_answer& none) {
      const std::string how = process(" ") + printable(none.what());
      const std::lock_guard lock(kernel->mutex);
      if (kernel->first_end.empty()) kernel->first_end = how;
      throw refused_call("process", how, unanswered_status);
    } catch (const machine_shortage& shortage) {
      throw refused_call("process", shortage.what(), shortage_status);
    } catch (const std::bad_alloc&) {  // in this program; a kernel reports its own by a status
      throw refused_call("process",
                         std::string("calling a kernel's process: out of memory") + of_this_machine,
                         shortage_status);
    } catch (const bad_message& bad) {
      throw refused_call("process", process(" ") + printable(bad.what()), no_status);
    }
  });
  if (status != ROPEWALK_OK) result.status = status;
  return result;
}

/// The register bits of another process that this processor knows; setting others would end this process.
floating_registers possible(floating_registers registers) noexcept {
#if defined(__x86_64__)
  registers.control &= 0xffff;
#endif
  return registers;
}

/// Returns an answer to the caller of the C interface. No floating-point code may run afterwards.
std::int32_t hand_on(const remote_answer& done, ropewalk_error* error) noexcept {
  if (error != nullptr && done.status != ROPEWALK_OK) *error = done.error;
  if (done.left) write_floating_registers(possible(*done.left));
  return done.status;
}

std::int32_t make_plan(const kept_kernel& kernel, const ropewalk_head* encoding, ropewalk_plan** plan,
                       ropewalk_error* error) {
  return hand_on(
      answered(&kernel,
               [&] {
                 require_pointer(plan, {"", "plan"}, "a pointer that receives the plan");
                 *plan = nullptr;
                 std::unique_ptr<remote_plan> made;
                 const remote_answer answer = kernel.remote->plan(encoding, made);
                 if (made) *plan = reinterpret_cast<ropewalk_plan*>(new kept_plan{kernel, std::move(made)});
                 return answer;
               }),
      error);
}

std::int32_t apply_plan(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error) {
  const floating_registers callers = read_floating_registers();
  const auto* const kept = reinterpret_cast<const kept_plan*>(plan);
  return hand_on(
      answered(&kept->kernel, [&] { return kept->remote->apply(call, callers, error != nullptr); }), error);
}

void free_plan(const kept_kernel& kernel, ropewalk_plan* plan) {
  const default_floating_environment environment;
  if (plan == nullptr)
    kernel.remote->free_null();
  else
    delete reinterpret_cast<kept_plan*>(plan);
}

// The C interface gives `plan` no argument to tell kernels apart, so each kernel has its own functions.

constexpr std::size_t most_kernels = 256;

struct entry_functions {
  decltype(ropewalk_kernel::plan) plan;
  decltype(ropewalk_kernel::free_plan) free_plan;
};

template <std::size_t... Index>
constexpr std::array<entry_functions, sizeof...(Index)> all_functions(std::index_sequence<Index...>) {
  return {entry_functions{[](const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error) {
                            return make_plan(kept_kernels()[Index], encoding, plan, error);
                          },
                          [](ropewalk_plan* plan) { free_plan(kept_kernels()[Index], plan); }}...};
}

}  // namespace

remote_kernel::remote_kernel(described_kernel about) : about_(std::move(about)), limits_(about_.limits) {
  limits_.head_dims = about_.head_dims.data();
  limits_.head_dim_count = static_cast<std::int32_t>(about_.head_dims.size());
  limits_.shapes = reinterpret_cast<const std::int64_t(*)[4]>(about_.shapes.data());
  limits_.shape_count = static_cast<std::int64_t>(about_.shapes.size());
}

const ropewalk_kernel& keep(std::unique_ptr<remote_kernel> kernel, const std::string& process) {
  static constexpr auto functions = all_functions(std::make_index_sequence<most_kernels>{});
  std::deque<kept_kernel>& kept = kept_kernels();
  if (kept.size() == most_kernels)
    throw bad_input("kernels", "more than " + std::to_string(most_kernels),
                    "fewer, over all libraries and programs");
  const entry_functions& own = functions[kept.size()];
  kept_kernel& result = kept.emplace_back(std::move(kernel), process);
  result.promised = stated(result.remote->about().promised);
  result.entry = {.struct_size = sizeof result.entry,
                  .abi = ROPEWALK_ABI,
                  .name = result.remote->about().name.c_str(),
                  .operation = result.remote->about().operation,
                  .promise = &result.promised,
                  .limits = &result.remote->limits(),
                  .plan = own.plan,
                  .apply = apply_plan,
                  .free_plan = own.free_plan};
  return result.entry;
}

std::string first_end_of(const ropewalk_kernel& kernel) {
  for (const kept_kernel& first : kept_kernels()) {
    const std::lock_guard lock(first.mutex);
    if (&first.entry == &kernel) return first.first_end;
  }
  return {};
}

void with_remote_plan(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                      const std::function<void(remote_plan&)>& ask) {
  if (kernel.apply != apply_plan) return;
  const auto* const kept = reinterpret_cast<const kept_plan*>(plan);
  const remote_answer done = answered(&kept->kernel, [&] {
    ask(*kept->remote);
    return remote_answer{};
  });
  ropewalk::detail::expect_ok(done.status, done.error);
}

}  // namespace ropewalk::transport
