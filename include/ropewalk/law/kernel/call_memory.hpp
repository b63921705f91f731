#pragma once
// Memory for the tensors of calls: this program's own, or memory that it shares with the process in which a
// kernel runs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// A case that cannot be run here; it says nothing about the kernel.
class case_set_aside : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A case with a call that a person has not answered yet.
class answer_awaited : public case_set_aside {
 public:
  answer_awaited() : case_set_aside("an answer is awaited") {}
};

/// Calls that a kernel behind messages does not receive: its caller gathers the tensors of each call.
inline constexpr std::uint32_t gathered_calls = ROPEWALK_DENSE | ROPEWALK_NO_CHECKS | ROPEWALK_NO_ENVIRONMENT;

/// Whether a kernel receives dense tensors in messages; the addresses that it uses are then unknown here.
inline bool is_gathered(const ropewalk_kernel& kernel) {
  return kernel.limits != nullptr && (~kernel.limits->not_served & gathered_calls) == 0;
}

/// The side of a block on which the memory accessible to a kernel ends.
enum class block_edge { begin, end };

/// Memory that is shared with the process of a kernel. Each thread takes and gives back its own blocks.
class call_memory {
 public:
  virtual ~call_memory() = default;
  /// A block of zeros; the kernel cannot access the byte beyond its edge.
  ///
  /// throws  case_set_aside where there is no room
  virtual std::byte* take(std::size_t bytes, block_edge edge) = 0;
  virtual void give_back(std::byte* block, std::size_t bytes) noexcept = 0;
  /// Whether bytes of a block hold zeros. If very many were written, it may check only some of them.
  virtual bool is_zero(const std::byte* first, std::size_t bytes) = 0;
};

/// Registers that a kernel runs in another process, and the memory that its calls must use. Both live until
/// the program ends.
void share_memory(const ropewalk_kernel& kernel, call_memory& memory);

/// The memory that a kernel's calls must use; NULL for a kernel that runs in this process.
call_memory* shared_memory_of(const ropewalk_kernel& kernel);

/// Bytes of one tensor or of the positions of a call, initially all of one value.
class call_bytes {
 public:
  /// `shared`: NULL for this program's own memory, which has no edge.
  ///
  /// throws  case_set_aside
  call_bytes(call_memory* shared, std::size_t bytes, block_edge edge, std::uint8_t value)
      : shared_(shared), size_(bytes) {
    if (shared_ == nullptr) {
      own_.assign(bytes, value);
      data_ = own_.data();
    } else {
      data_ = reinterpret_cast<std::uint8_t*>(shared_->take(bytes, edge));
      std::fill_n(data_, bytes, value);
    }
  }
  ~call_bytes() {
    if (shared_ != nullptr) shared_->give_back(reinterpret_cast<std::byte*>(data_), size_);
  }
  call_bytes(const call_bytes&) = delete;
  call_bytes& operator=(const call_bytes&) = delete;

  std::uint8_t* data() const { return data_; }
  /// A copy, to compare with later.
  std::vector<std::uint8_t> copy() const { return {data_, data_ + size_}; }

 private:
  call_memory* shared_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> own_;
  std::uint8_t* data_ = nullptr;
};

}  // namespace ropewalk
