#pragma once
// Uninitialised memory that begins at a page, for large data: tables of a plan, and rows and tensors between
// a computation and a file.

#include <cstddef>
#include <memory>
#include <type_traits>

namespace ropewalk {

namespace detail {

/// Memory that release_pages frees. Sizes from one huge page on use huge pages if the system grants them: the
/// first write to 64 MiB then takes a sixth of the time.
///
/// throws  std::bad_alloc
std::byte* allocate_pages(std::size_t bytes);
void release_pages(std::byte* data, std::size_t bytes);

}  // namespace detail

/// `size` elements, uninitialised.
template <class Element>
class page_memory {
  static_assert(std::is_trivially_destructible_v<Element>);

 public:
  page_memory() = default;
  /// throws  std::bad_alloc
  explicit page_memory(std::size_t size)
      : bytes_(detail::allocate_pages(size * sizeof(Element)), {size * sizeof(Element)}) {}

  Element* data() const { return reinterpret_cast<Element*>(bytes_.get()); }

 private:
  struct release {
    std::size_t bytes = 0;
    void operator()(std::byte* data) const { detail::release_pages(data, bytes); }
  };
  std::unique_ptr<std::byte, release> bytes_;
};

}  // namespace ropewalk
