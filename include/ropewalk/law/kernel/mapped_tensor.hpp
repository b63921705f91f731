#pragma once
// A tensor of any extent in its own memory, which uses only the pages with elements and their neighbours.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "ropewalk/law/kernel/tensor_memory.hpp"

namespace ropewalk {

namespace detail {

/// Guard bytes on either side of a tensor, in whole pages, for elements of `size` bytes. `reach` is the
/// largest reach of any tensor of the call, in elements. The guard contains a kernel that uses another
/// tensor's strides, or whose 32-bit index overflows because the reach exceeds 2^31 - 1.
constexpr std::int64_t room_beside(std::int64_t reach, int size) {
  constexpr std::int64_t least = 16;
  const std::int64_t wrong_by = reach > std::numeric_limits<std::int32_t>::max() ? std::int64_t{1} << 31 : 0;
  return (least + std::max(reach, wrong_by) * size / page_bytes) * page_bytes;
}

/// The largest reach of the case's tensors.
inline std::int64_t farthest_reach_of(const law_case& test_case) {
  return std::max({reach_of(placed(test_case, heads_of(test_case, operand::query), test_case.query_in)),
                   reach_of(placed(test_case, heads_of(test_case, operand::query), test_case.query_out)),
                   reach_of(placed(test_case, heads_of(test_case, operand::key), test_case.key_in)),
                   reach_of(placed(test_case, heads_of(test_case, operand::key), test_case.key_out))});
}

/// A head in memory, from channel 0.
struct mapped_head {
  std::byte* data = nullptr;
  std::int64_t step = 0;  // bytes from one channel to the next
  int channels = 0;
  int size = 0;  // bytes of an element

  void write(const void* elements) const {
    const auto* from = static_cast<const std::byte*>(elements);
    if (step == size) return void(std::memcpy(data, from, static_cast<std::size_t>(channels * size)));
    for (int i = 0; i < channels; ++i)
      std::memcpy(data + i * step, from + i * size, static_cast<std::size_t>(size));
  }
  void read(void* elements) const {
    auto* to = static_cast<std::byte*>(elements);
    if (step == size) return void(std::memcpy(to, data, static_cast<std::size_t>(channels * size)));
    for (int i = 0; i < channels; ++i)
      std::memcpy(to + i * size, data + i * step, static_cast<std::size_t>(size));
  }
  /// Restores the head to untouched_byte, its value before anything was written.
  void clear() const {
    for (int i = 0; i < channels; ++i)
      std::memset(data + i * step, untouched_byte, static_cast<std::size_t>(size));
  }
};

}  // namespace detail

class mapped_tensor {
 public:
  /// `shared`: the memory of a kernel in another process, or NULL.
  ///
  /// throws  case_set_aside
  mapped_tensor(const law_case& test_case, operand which, const tensor_layout& layout, call_memory* shared)
      : placed_(placed(test_case, heads_of(test_case, which), layout)),
        size_(size_of(test_case.dtype)),
        is_present_(which == operand::query || test_case.key_heads > 0),
        room_(detail::room_beside(detail::farthest_reach_of(test_case), size_)),
        memory_((2 * room_ + layout.unaligned + reach() * size_) / page_bytes + 2, is_far_apart(), shared) {
    std::byte* const data = memory_.data() + room_ + layout.unaligned + placed_.origin * size_;
    if (is_present_) placed_.view.data = data;
    find_pages();
    for (const page_run& run : used_)
      std::memset(at(run), untouched_byte, static_cast<std::size_t>((run.last - run.first) * page_bytes));
  }

  /// The whole tensor, rank 4; absent where the case has no key.
  const ropewalk_tensor& view() const { return placed_.view; }

  /// One head of one token of one batch row.
  detail::mapped_head head(std::int64_t row, std::int64_t token, std::int64_t of_head) const {
    const std::int64_t* const stride = placed_.view.stride;
    auto* const data = static_cast<std::byte*>(placed_.view.data);
    return {data + (row * stride[0] + token * stride[1] + of_head * stride[2]) * size_, stride[3] * size_,
            static_cast<int>(placed_.view.shape[3]), size_};
  }

  /// Whether every byte is as before anything was written. Heads that were written must be cleared first.
  bool is_untouched() const {
    std::int64_t end = 0;
    for (const page_run& run : used_) {
      const std::byte* const bytes = at(run);
      const auto count = static_cast<std::size_t>((run.last - run.first) * page_bytes);
      if (!is_all(std::byte{untouched_byte}, bytes, count)) return false;
      if (!memory_.is_zero({end, run.first})) return false;
      end = run.last;
    }
    return memory_.is_zero({end, memory_.pages()});
  }

 private:
  std::int64_t reach() const { return detail::reach_of(placed_); }

  /// Whether most pages between the lowest and the highest element hold no element.
  bool is_far_apart() const {
    const std::int64_t* const shape = placed_.view.shape;
    return reach() > 16 * shape[0] * shape[1] * shape[2] * shape[3] + page_bytes;
  }

  std::byte* at(page_run run) const { return memory_.data() + run.first * page_bytes; }

  /// Finds the pages that hold elements and one more on either side; for an empty tensor, those at its
  /// address.
  void find_pages() {
    const auto page_of = [&](const std::byte* byte) { return (byte - memory_.data()) / page_bytes; };
    const std::int64_t* const shape = placed_.view.shape;
    if (shape[0] * shape[1] * shape[2] * shape[3] == 0) {
      const std::int64_t page = room_ / page_bytes;
      used_.push_back({page - 1, page + 2});
      return;
    }
    for (std::int64_t row = 0; row < shape[0]; ++row)
      for (std::int64_t token = 0; token < shape[1]; ++token)
        for (std::int64_t of_head = 0; of_head < shape[2]; ++of_head) {
          const detail::mapped_head mapped = head(row, token, of_head);
          const std::byte* const last = mapped.data + (mapped.channels - 1) * mapped.step;
          add({page_of(std::min<const std::byte*>(mapped.data, last)) - 1,
               page_of(std::max<const std::byte*>(mapped.data, last) + size_ - 1) + 2});
        }
    std::sort(used_.begin(), used_.end(), [](page_run a, page_run b) { return a.first < b.first; });
    std::vector<page_run> apart;
    for (const page_run& run : used_) {
      if (apart.empty() || run.first > apart.back().last)
        apart.push_back(run);
      else
        apart.back().last = std::max(apart.back().last, run.last);
    }
    used_ = std::move(apart);
  }

  /// Adds a run, joined to the last one where they overlap or touch.
  void add(page_run run) {
    if (!used_.empty() && run.first <= used_.back().last && run.last >= used_.back().first) {
      used_.back().first = std::min(used_.back().first, run.first);
      used_.back().last = std::max(used_.back().last, run.last);
    } else {
      used_.push_back(run);
    }
  }

  placed_tensor placed_;
  int size_;
  bool is_present_;
  std::int64_t room_;  // guard bytes before the page of the lowest element
  mapped_memory memory_;
  std::vector<page_run> used_;  // sorted, disjoint
};

/// The whole positions of a case, at a position_step of any size.
class mapped_positions {
 public:
  /// `shared`: the memory of a kernel in another process, or NULL.
  ///
  /// throws  case_set_aside
  mapped_positions(const law_case& test_case, call_memory* shared)
      : row_size_(test_case.tokens * std::abs(test_case.position_step)),
        room_(detail::room_beside(test_case.batch * row_size_, number_bytes)),
        memory_((2 * room_ + test_case.batch * row_size_ * number_bytes) / page_bytes + 2,
                std::abs(test_case.position_step) > page_bytes, shared) {
    const std::int64_t origin =
        test_case.position_step < 0 && row_size_ > 0 ? row_size_ - std::abs(test_case.position_step) : 0;
    numbers_ = reinterpret_cast<std::int32_t*>(memory_.data() + room_) + origin;
    for (std::int64_t row = 0; row < test_case.batch; ++row)
      for (std::int64_t token = 0; token < test_case.tokens; ++token)
        numbers_[row * row_size_ + token * test_case.position_step] =
            static_cast<std::int32_t>(position_of(test_case, row, token));
    view_ = {.kind = ROPEWALK_POSITIONS_I32,
             .axes = 1,
             .data = numbers_,
             .stride = {row_size_ * test_case.batch, row_size_, test_case.position_step}};
    if (test_case.counted) view_ = {};
  }

  /// The positions as a call gives them.
  const ropewalk_positions& view() const { return view_; }

 private:
  static constexpr int number_bytes = 4;

  std::int64_t row_size_;
  std::int64_t room_;  // guard bytes before the lowest number
  mapped_memory memory_;
  std::int32_t* numbers_ = nullptr;
  ropewalk_positions view_{};
};

}  // namespace ropewalk
