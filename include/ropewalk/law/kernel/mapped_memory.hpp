#pragma once
// Address space whose pages take memory only when they are used, so that elements may lie far apart.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ropewalk/law/kernel/call_memory.hpp"

namespace ropewalk {

inline constexpr std::int64_t page_bytes = 4096;  // larger pages are multiples of it
// Pages read to see whether they hold zeros: 16 MiB.
inline constexpr std::int64_t most_pages_read = std::int64_t{1} << 12;

/// Whether each of `count` bytes is `value`. domain  count >= 1
inline bool is_all(std::byte value, const std::byte* bytes, std::size_t count) {
  return *bytes == value && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

/// Pages first .. last - 1.
struct page_run {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class mapped_memory {
 public:
  /// Maps pages of zeros. `is_sparse`: few of them will be used; `shared`: the memory of a kernel in another
  /// process, or NULL.
  ///
  /// throws  case_set_aside where the address space does not suffice
  mapped_memory(std::int64_t pages, bool is_sparse, call_memory* shared) : shared_(shared), pages_(pages) {
    if (shared_ != nullptr) {
      data_ = shared_->take(static_cast<std::size_t>(pages * page_bytes), block_edge::begin);
      return;
    }
    void* const mapped = ::mmap(nullptr, static_cast<std::size_t>(pages * page_bytes), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      throw case_set_aside("not enough address space: " + std::to_string(pages * page_bytes >> 20) +
                           " MiB in one piece");
    data_ = static_cast<std::byte*>(mapped);
    // With huge pages, each page that is used could take 2 MiB.
    if (is_sparse) ::madvise(mapped, static_cast<std::size_t>(pages * page_bytes), MADV_NOHUGEPAGE);
  }
  ~mapped_memory() {
    const auto bytes = static_cast<std::size_t>(pages_ * page_bytes);
    if (shared_ != nullptr)
      shared_->give_back(data_, bytes);
    else
      ::munmap(data_, bytes);
  }
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;

  /// The first byte, at the start of a page.
  std::byte* data() const { return data_; }
  std::int64_t pages() const { return pages_; }

  /// Whether pages that must not be written still hold zeros. Pages that are not resident count as zeros. At
  /// most most_pages_read of the others are read, because some systems report every page as resident.
  bool is_zero(page_run run) const {
    if (shared_ != nullptr)
      return shared_->is_zero(data_ + run.first * page_bytes,
                              static_cast<std::size_t>((run.last - run.first) * page_bytes));
    std::vector<unsigned char> is_in_memory;
    std::int64_t read = 0;
    for (std::int64_t first = run.first; first < run.last && read < most_pages_read; first += most_at_once) {
      const std::int64_t count = std::min(most_at_once, run.last - first);
      is_in_memory.assign(static_cast<std::size_t>(count), 1);
      ::mincore(data_ + first * page_bytes, static_cast<std::size_t>(count * page_bytes),
                is_in_memory.data());
      for (std::int64_t i = 0; i < count && read < most_pages_read; ++i) {
        if (i % pages_looked_at == 0 && i + pages_looked_at <= count &&
            none_in_memory(is_in_memory.data() + i)) {
          i += pages_looked_at - 1;
          continue;
        }
        if ((is_in_memory[static_cast<std::size_t>(i)] & 1) == 0) continue;
        const std::byte* const page = data_ + (first + i) * page_bytes;
        if (!is_all(std::byte{0}, page, page_bytes)) return false;
        ++read;
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t most_at_once = std::int64_t{1} << 18;  // 1 GiB of address space
  static constexpr std::int64_t pages_looked_at = 512;                 // together, as vectors

  static bool none_in_memory(const unsigned char* pages) {
    unsigned char any = 0;
    for (std::int64_t i = 0; i < pages_looked_at; ++i) any |= pages[i];
    return (any & 1) == 0;
  }

  call_memory* shared_;
  std::byte* data_ = nullptr;
  std::int64_t pages_;
};

}  // namespace ropewalk
