#include "transport/call_area.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "transport/system_failure.hpp"

namespace ropewalk::transport {
namespace {

// Address space only: pages take memory when they are written. The largest calls have tensors of 2^32 bytes,
// and as much on either side.
constexpr std::size_t slot_bytes = std::size_t{64} << 30;
constexpr std::size_t between_slots = std::size_t{16} << 20;
constexpr std::size_t step = slot_bytes + between_slots;

// Range of addresses for areas: programs, libraries and stacks are mapped elsewhere.
constexpr std::uintptr_t first_area = std::uintptr_t{2} << 44, last_area = std::uintptr_t{7} << 44;

constexpr std::size_t most_cleared = std::size_t{1} << 16;  // larger blocks are released, not cleared

/// The size of this machine's pages.
std::size_t own_page() {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return page;
}

/// A number of bytes rounded up to whole pages.
std::size_t up_to_pages(std::size_t bytes) { return (bytes + own_page() - 1) / own_page() * own_page(); }

void* address(std::uintptr_t value) { return reinterpret_cast<void*>(value); }

}  // namespace

call_area::call_area()
    : descriptor_(::memfd_create("ropewalk calls", MFD_CLOEXEC | MFD_ALLOW_SEALING)),
      is_owned_(true),
      begin_(first_area) {
  // Sealed: if a library shrank it, this process would crash at its next access.
  if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(slots * slot_bytes)) != 0 ||
      ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail("sharing memory with a library's process");
  constexpr std::uintptr_t apart = slots * step + between_slots;
  while (!map()) {
    begin_ += apart;
    if (errno == EEXIST && begin_ < last_area) continue;
    ::close(descriptor_);
    fail("mapping memory that a library's process shares (--threads 1 needs less, --in-process none)");
  }
}

call_area::call_area(int descriptor, std::uintptr_t begin) : descriptor_(descriptor), begin_(begin) {
  if (!map()) fail("mapping the memory of calls");
}

call_area::~call_area() {
  ::munmap(address(begin_), slots * step + between_slots);
  if (is_owned_) ::close(descriptor_);
}

bool call_area::map() noexcept {
  constexpr std::size_t all = slots * step + between_slots;
  void* const reserved = ::mmap(address(begin_), all, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (reserved == MAP_FAILED) return false;
  bool is_mapped = reserved == address(begin_);  // Linux before 4.17 may map elsewhere
  if (!is_mapped) errno = EEXIST;
  for (std::size_t i = 0; i < slots && is_mapped; ++i)
    is_mapped = ::mmap(slot(i), slot_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                       descriptor_, static_cast<off_t>(i * slot_bytes)) != MAP_FAILED;
  if (is_mapped) return true;
  const int error = errno;
  ::munmap(reserved, all);
  errno = error;
  return false;
}

std::size_t call_area::slot_of(const std::byte* byte) const {
  return (reinterpret_cast<std::uintptr_t>(byte) - begin_ - between_slots) / step;
}

std::byte* call_area::slot(std::size_t number) const {
  return static_cast<std::byte*>(address(begin_ + between_slots + number * step));
}

std::optional<std::size_t> call_area::slot_of(const std::byte* first, std::size_t bytes) const {
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  if (at < begin_ + between_slots || at >= begin_ + slots * step) return std::nullopt;
  const std::size_t number = slot_of(first);
  const auto room = static_cast<std::size_t>(slot(number) + slot_bytes - first);
  if (first >= slot(number) + slot_bytes || bytes > room) return std::nullopt;
  return number;
}

bool call_area::holds(const void* first) const {
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  return at >= begin_ && at < begin_ + slots * step + between_slots;
}

void call_area::forbid_writes(std::size_t always) {
  for (std::size_t i = 0; i < slots; ++i) {
    const std::size_t kept = i == request_slot ? up_to_pages(always) : 0;
    if (::mprotect(slot(i) + kept, slot_bytes - kept, PROT_READ) != 0)
      fail("protecting memory from a library's process");
  }
}

write_permission::write_permission(const std::byte* first, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  first_page_ = address(at / own_page() * own_page());
  bytes_ = up_to_pages(at % own_page() + bytes);
  if (::mprotect(first_page_, bytes_, PROT_READ | PROT_WRITE) != 0)
    fail("unprotecting the outputs of a library's kernel");
}

write_permission::~write_permission() { ::mprotect(first_page_, bytes_, PROT_READ); }

std::byte* call_area::take(std::size_t bytes, block_edge edge) {
  if (bytes > slot_bytes)
    throw case_set_aside("a tensor with guards of " + std::to_string(bytes >> 20) + " MiB; at most " +
                         std::to_string(slot_bytes >> 20) + " MiB are shared with a library's process");
  for (std::size_t i = 0; i < slots; ++i) {
    if (is_taken_[i]) continue;
    is_taken_[i] = true;
    if (bytes > most_cleared)
      ::madvise(slot(i), slot_bytes, MADV_REMOVE);  // clears writes outside of earlier blocks
    return slot(i) + (edge == block_edge::begin ? 0 : slot_bytes - bytes);
  }
  throw case_set_aside("more tensors in one call than a library's process shares");
}

void call_area::give_back(std::byte* block, std::size_t bytes) noexcept {
  const std::size_t number = slot_of(block);
  if (bytes > most_cleared)
    ::madvise(slot(number), slot_bytes, MADV_REMOVE);
  else
    std::memset(block, 0, bytes);
  is_taken_[number] = false;
}

bool call_area::is_zero(const std::byte* first, std::size_t bytes) const {
  const std::size_t number = slot_of(first);
  const auto place = static_cast<off_t>(number * slot_bytes), end = place + (first + bytes - slot(number));
  off_t at = place + (first - slot(number));
  std::int64_t left = most_pages_read * page_bytes;
  while (left > 0 && at < end) {
    const off_t data = ::lseek(descriptor_, at, SEEK_DATA);
    if (data < 0 || data >= end) return true;
    const off_t hole = std::min<off_t>({::lseek(descriptor_, data, SEEK_HOLE), end, data + left});
    if (!is_all(std::byte{0}, slot(number) + (data - place), static_cast<std::size_t>(hole - data)))
      return false;
    left -= hole - data;
    at = hole;
  }
  return true;
}

}  // namespace ropewalk::transport
