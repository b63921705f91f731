#include "kernel/page_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace ropewalk::detail {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes < huge_page ? page : huge_page};
}

}  // namespace

std::byte* allocate_pages(std::size_t bytes) {
  void* const data = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
  if (bytes >= huge_page) static_cast<void>(::madvise(data, bytes, MADV_HUGEPAGE));  // a hint: may fail
#endif
  return static_cast<std::byte*>(data);
}

void release_pages(std::byte* data, std::size_t bytes) { ::operator delete(data, alignment_of(bytes)); }

}  // namespace ropewalk::detail
