#include "door/memory_fault.hpp"

#include <fmt/format.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::door {
namespace {

memory_fault* recorded = nullptr;

/// What the processor says of the access; unknown where it says nothing.
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
    esr_context found{};
    std::memcpy(&found, next, sizeof found);
    return (found.esr & is_write) != 0 ? memory_access::write : memory_access::read;
  }
#else
  static_cast<void>(at);
  return memory_access::unknown;
#endif
}

/// Only async-signal-safe functions are called.
void record(int signal, siginfo_t* about, void* context) {
  const bool was_sent = about->si_code <= 0;  // by a process, and not by an access
  if (!was_sent) {
    recorded->access = access_of(*static_cast<const ucontext_t*>(context));
    recorded->address = reinterpret_cast<std::uintptr_t>(about->si_addr);
  }
  ::signal(signal, SIG_DFL);
  if (was_sent) ::raise(signal);  // otherwise the access is repeated
}

/// The bytes of an array of a call.
struct named_bytes {
  const char* name;
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// Adds the bytes from the lowest to the highest element, unless there is none.
template <class Extents>
void add(std::vector<named_bytes>& to, const char* name, const void* data, std::size_t element,
         const Extents& shape, const std::int64_t* stride, std::size_t rank) {
  if (data == nullptr) return;
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (shape[axis] <= 0) return;
    const std::int64_t last = (shape[axis] - 1) * stride[axis];
    (last < 0 ? lowest : highest) += last;
  }
  const auto size = static_cast<std::int64_t>(element);
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  to.push_back({name, at + static_cast<std::uintptr_t>(lowest * size),
                at + static_cast<std::uintptr_t>((highest + 1) * size)});
}

void add(std::vector<named_bytes>& to, const char* name, const ropewalk_tensor& of) {
  const bool is_known = is_dtype(of.dtype) && of.rank >= 0 && of.rank <= 4;
  if (is_known)
    add(to, name, of.data, static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(of.dtype))), of.shape,
        of.stride, static_cast<std::size_t>(of.rank));
}

void add(std::vector<named_bytes>& to, const ropewalk_tokens& of, const ropewalk_tensor& shaped_like) {
  const ropewalk_positions& at = of.positions;
  const bool has_rows = shaped_like.rank == 4;
  const std::array<std::int64_t, 3> shape{at.axes, has_rows ? shaped_like.shape[0] : 1,
                                          shaped_like.shape[has_rows ? 1 : 0]};
  if (at.kind == ROPEWALK_POSITIONS_I32)
    add(to, "positions", at.data, sizeof(std::int32_t), shape, at.stride, 3);
}

std::string text_beside(const memory_fault& fault, const std::vector<named_bytes>& arrays) {
  constexpr std::uintptr_t null_page = 65536, far = std::uintptr_t{1} << 32;
  if (fault.access == memory_access::none) return {};
  const std::string did = fault.access == memory_access::read    ? " when it read "
                          : fault.access == memory_access::write ? " when it wrote "
                                                                 : " when it reached ";
  if (fault.access != memory_access::unknown && fault.address < null_page)
    return did + fmt::format("at address {:#x}, through a null pointer", fault.address);
  std::uintptr_t nearest = far;
  std::string place;
  for (const named_bytes& one : arrays) {
    const bool is_before = fault.address < one.begin, is_behind = fault.address >= one.end;
    const std::uintptr_t distance = is_before   ? one.begin - fault.address
                                    : is_behind ? fault.address - one.end + 1
                                                : 0;
    if (distance >= nearest) continue;
    nearest = distance;
    place = distance == 0 ? fmt::format("in {}", one.name)
                          : fmt::format("{} byte{} {} of {}", distance, distance == 1 ? "" : "s",
                                        is_before ? "before the beginning" : "behind the end", one.name);
  }
  return did + (place.empty() ? "far from every tensor of the call" : place);
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

std::string text_of(const memory_fault& fault, const ropewalk_rotation_call& call) {
  std::vector<named_bytes> arrays;
  add(arrays, "query_in", call.query_in);
  add(arrays, "query_out", call.query_out);
  add(arrays, "key_in", call.key_in);
  add(arrays, "key_out", call.key_out);
  add(arrays, call.tokens, call.query_in);
  return text_beside(fault, arrays);
}

std::string text_of(const memory_fault& fault, const ropewalk_row_call& call) {
  std::vector<named_bytes> arrays;
  add(arrays, "in", call.in);
  add(arrays, "out", call.out);
  add(arrays, call.tokens, call.in);
  return text_beside(fault, arrays);
}

std::string text_of(const memory_fault& fault, const ropewalk_bias_call& call) {
  std::vector<named_bytes> arrays;
  add(arrays, "scores_in", call.scores_in);
  add(arrays, "scores_out", call.scores_out);
  return text_beside(fault, arrays);
}

}  // namespace ropewalk::door
