#pragma once
// The rows or biases of a plan's last call, reused by the next call that needs the same ones, typically for
// the next layer.

#include <memory>
#include <mutex>
#include <utility>

#include "gpu/row_positions.hpp"

namespace ropewalk::vulkan {

/// Inputs of rows other than the plan.
struct row_key {
  row_positions positions;
  bool unit = false;
  friend bool operator==(const row_key&, const row_key&) = default;
};

/// Entries that depend on a plan and on a key. Any thread may use them.
template <class Key, class Entries>
class kept_entries {
 public:
  /// The cached entries, or null if they are for another key.
  std::shared_ptr<Entries> of(const Key& key) const {
    const std::lock_guard lock(changing_);
    return entries_ && key == key_ ? entries_ : nullptr;
  }

  void keep(Key key, std::shared_ptr<Entries> entries) {
    const std::lock_guard lock(changing_);
    key_ = std::move(key);
    entries_.swap(entries);  // the old entries are freed after the lock is released
  }

 private:
  mutable std::mutex changing_;
  Key key_;
  std::shared_ptr<Entries> entries_;
};

}  // namespace ropewalk::vulkan
