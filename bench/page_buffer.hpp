#pragma once
// Page-aligned memory of a benchmark, written once before anything is timed.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ropewalk::bench {

/// Elements that are normal numbers in every format: each 16-bit word is normal in binary16 and in bfloat16,
/// and so are two words in binary32 and four in binary64.
class page_buffer {
 public:
  explicit page_buffer(std::size_t bytes) : data_(new (page) std::byte[bytes]) {
    for (std::size_t at = 0; at + sizeof(std::uint16_t) <= bytes; at += sizeof(std::uint16_t)) {
      const auto word = static_cast<std::uint16_t>(0x3c00 + at % 191);
      std::memcpy(data_.get() + at, &word, sizeof word);
    }
  }

  std::byte* data() const { return data_.get(); }
  /// domain  the memory is large enough
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data_.get());
  }

 private:
  static constexpr std::align_val_t page{4096};
  struct release {
    void operator()(std::byte* data) const { ::operator delete[](data, page); }
  };
  std::unique_ptr<std::byte[], release> data_;
};

}  // namespace ropewalk::bench
