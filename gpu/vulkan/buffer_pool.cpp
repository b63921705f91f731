#include "gpu/vulkan/buffer_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

/// Rounds sizes up to a few capacities, so that later calls can reuse buffers.
std::size_t capacity_for(std::size_t bytes) {
  constexpr std::size_t coarse = std::size_t{1} << 20;
  return bytes < coarse ? std::bit_ceil(bytes) : (bytes + coarse - 1) / coarse * coarse;
}

}  // namespace

std::unique_ptr<buffer> buffer_pool::idle(std::size_t capacity, memory_kind kind) {
  const std::lock_guard lock(changing_);
  const auto match = std::find_if(idle_.begin(), idle_.end(), [&](const auto& item) {
    return item->capacity() == capacity && item->kind() == kind;
  });
  if (match == idle_.end()) return nullptr;
  std::unique_ptr<buffer> idle = std::move(*match);
  idle_.erase(match);
  idle_bytes_ -= capacity;
  return idle;
}

/// Frees all idle buffers; returns whether there were any.
bool buffer_pool::forget_all() {
  std::vector<std::unique_ptr<buffer>> forgotten;
  const std::lock_guard lock(changing_);
  idle_bytes_ = 0;
  forgotten.swap(idle_);
  return !forgotten.empty();
}

std::unique_ptr<buffer> buffer_pool::take(device& device, std::size_t bytes, memory_kind kind) {
  const std::size_t capacity = capacity_for(bytes);
  std::unique_ptr<buffer> value = idle(capacity, kind);
  if (!value) {
    try {
      value = std::make_unique<buffer>(device, capacity, kind);
    } catch (const device_lost&) {
      throw;
    } catch (const device_error&) {
      if (!forget_all()) throw;
      value = std::make_unique<buffer>(device, capacity, kind);
    }
  }
  value->use(bytes);
  return value;
}

void buffer_pool::give(std::unique_ptr<buffer> value) noexcept {
  const std::lock_guard lock(changing_);
  if (idle_bytes_ + value->capacity() > most_idle_bytes) return;  // frees the buffer
  try {
    idle_.push_back(std::move(value));
  } catch (const std::bad_alloc&) {
    return;
  }
  idle_bytes_ += idle_.back()->capacity();
}

void give_back::operator()(buffer* block) const noexcept {
  block->of().pool().give(std::unique_ptr<buffer>(block));
}

pooled_buffer take_buffer(device& device, std::size_t bytes, memory_kind kind) {
  return pooled_buffer(device.pool().take(device, bytes, kind).release());
}

}  // namespace ropewalk::vulkan
