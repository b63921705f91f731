#include "transport/memory_fault.hpp"

#include <fmt/format.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "transport/call_arrays.hpp"

namespace ropewalk::transport {
namespace {

memory_fault* recorded = nullptr;

/// The processor's kind of access; unknown if it reports none.
memory_access access_of(const ucontext_t& at) {
#if defined(__x86_64__)
  constexpr greg_t page_fault = 14, is_write = 2;
  if (at.uc_mcontext.gregs[REG_TRAPNO] != page_fault) return memory_access::unknown;
  return (at.uc_mcontext.gregs[REG_ERR] & is_write) != 0 ? memory_access::write : memory_access::read;
#elif defined(__aarch64__)
  constexpr std::uint64_t is_write = std::uint64_t{1} << 6;
  const auto* next = reinterpret_cast<const std::byte*>(at.uc_mcontext.__reserved);
  for (_aarch64_ctx head{};; next += head.size) {
    std::memcpy(&head, next, sizeof head);
    if (head.magic == 0 || head.size == 0) return memory_access::unknown;
    if (head.magic != ESR_MAGIC) continue;
    esr_context context{};
    std::memcpy(&context, next, sizeof context);
    return (context.esr & is_write) != 0 ? memory_access::write : memory_access::read;
  }
#else
  static_cast<void>(at);
  return memory_access::unknown;
#endif
}

bool is_through_null(const memory_fault& fault) {
  constexpr std::uintptr_t null_page = 65536;
  return fault.access != memory_access::unknown && fault.address < null_page;
}

/// Calls only async-signal-safe functions.
void record(int signal, siginfo_t* about, void* context) {
  const bool was_sent = about->si_code <= 0;  // by a process, not by an access
  if (!was_sent) {
    recorded->access = access_of(*static_cast<const ucontext_t*>(context));
    recorded->address = reinterpret_cast<std::uintptr_t>(about->si_addr);
  }
  ::signal(signal, SIG_DFL);
  if (was_sent) ::raise(signal);  // otherwise returning repeats the access
}

}  // namespace

void record_memory_faults(memory_fault* to) {
  recorded = to;
  static std::array<std::byte, 1 << 16> own_stack;
  stack_t stack{};
  stack.ss_sp = own_stack.data();
  stack.ss_size = own_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = record;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS}) ::sigaction(signal, &action, nullptr);
}

std::string text_of(const memory_fault& fault) {
  if (fault.access == memory_access::none) return {};
  const std::string did = fault.access == memory_access::read    ? " when it read"
                          : fault.access == memory_access::write ? " when it wrote"
                                                                 : " when it reached memory";
  return did + (is_through_null(fault)
                    ? fmt::format(" at address {:#x}, through a null pointer", fault.address)
                    : "");
}

std::string text_of(const memory_fault& fault, std::int32_t operation, const ropewalk_head& call) {
  if (fault.access == memory_access::none || is_through_null(fault)) return text_of(fault);
  std::uintptr_t nearest = std::uintptr_t{1} << 32;  // farther counts as far
  std::string place = "far from every tensor of the call";
  for (const call_array& array : arrays_of(operation, call)) {
    const bool is_before = fault.address < array.begin, is_behind = fault.address >= array.end;
    const std::uintptr_t distance = is_before   ? array.begin - fault.address
                                    : is_behind ? fault.address - array.end + 1
                                                : 0;
    if (distance >= nearest) continue;
    nearest = distance;
    const bool may_not = fault.access == memory_access::write && !array.is_output;
    place = distance == 0 ? fmt::format("in {}{}", array.name, may_not ? " (read-only)" : "")
                          : fmt::format("{} byte{} {} of {}", distance, distance == 1 ? "" : "s",
                                        is_before ? "before the beginning" : "past the end", array.name);
  }
  return text_of(fault) + " " + place;
}

}  // namespace ropewalk::transport
