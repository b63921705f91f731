#pragma once
// The rows of a plan's last call, reused by the next call with the same positions, typically that of the next
// layer.

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ropewalk::vulkan {

template <class Rows>
class kept_rows {
 public:
  /// The kept rows, or null if they are for other positions or another `unit`.
  std::shared_ptr<Rows> of(const std::vector<std::int32_t>& positions, bool unit) const {
    const std::lock_guard lock(changing_);
    return rows_ && unit == unit_ && positions == positions_ ? rows_ : nullptr;
  }

  void keep(std::vector<std::int32_t> positions, bool unit, std::shared_ptr<Rows> rows) {
    const std::lock_guard lock(changing_);
    positions_ = std::move(positions);
    unit_ = unit;
    rows_.swap(rows);  // the old rows are freed after the lock is released
  }

 private:
  mutable std::mutex changing_;
  std::vector<std::int32_t> positions_;
  bool unit_ = false;
  std::shared_ptr<Rows> rows_;
};

}  // namespace ropewalk::vulkan
