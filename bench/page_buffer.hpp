#pragma once
// Page-aligned memory for a benchmark, written once before anything is timed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ropewalk::bench {

/// Elements are normal numbers in every format: each 16-bit word is normal in binary16 and in bfloat16, two
/// words are in binary32, and four in binary64.
class page_buffer {
 public:
  explicit page_buffer(std::size_t bytes) : data_(new (page) std::byte[bytes]), size_(bytes) {
    for (std::size_t at = 0; at + sizeof(std::uint16_t) <= std::min(bytes, period);
         at += sizeof(std::uint16_t)) {
      const auto word = static_cast<std::uint16_t>(0x3c00 + at % 191);
      std::memcpy(data_.get() + at, &word, sizeof word);
    }
    for (std::size_t done = period; done < bytes; done *= 2)
      std::memcpy(data_.get() + done, data_.get(), std::min(done, bytes - done));
  }

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  /// domain  the memory is large enough
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data_.get());
  }

 private:
  static constexpr std::align_val_t page{4096};
  static constexpr std::size_t period = 2 * 191;  // bytes after which the words repeat
  struct release {
    void operator()(std::byte* data) const { ::operator delete[](data, page); }
  };
  std::unique_ptr<std::byte[], release> data_;
  std::size_t size_;
};

}  // namespace ropewalk::bench
