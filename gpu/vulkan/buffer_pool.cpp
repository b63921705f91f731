#include "gpu/vulkan/buffer_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

/// Rounds sizes up to a few capacities, so that one call's buffers fit the next call.
std::size_t capacity_for(std::size_t bytes) {
  constexpr std::size_t coarse = std::size_t{1} << 20;
  return bytes < coarse ? std::bit_ceil(bytes) : (bytes + coarse - 1) / coarse * coarse;
}

}  // namespace

std::unique_ptr<buffer> buffer_pool::idle(std::size_t capacity, memory_kind kind) {
  const std::lock_guard lock(changing_);
  const auto found = std::find_if(idle_.begin(), idle_.end(), [&](const auto& one) {
    return one->capacity() == capacity && one->kind() == kind;
  });
  if (found == idle_.end()) return nullptr;
  std::unique_ptr<buffer> r = std::move(*found);
  idle_.erase(found);
  idle_bytes_ -= capacity;
  return r;
}

/// Frees all idle buffers; returns whether there were any.
bool buffer_pool::forget_all() {
  std::vector<std::unique_ptr<buffer>> forgotten;
  const std::lock_guard lock(changing_);
  idle_bytes_ = 0;
  forgotten.swap(idle_);
  return !forgotten.empty();
}

std::unique_ptr<buffer> buffer_pool::take(device& of, std::size_t bytes, memory_kind kind) {
  const std::size_t capacity = capacity_for(bytes);
  std::unique_ptr<buffer> r = idle(capacity, kind);
  if (!r) {
    try {
      r = std::make_unique<buffer>(of, capacity, kind);
    } catch (const device_lost&) {
      throw;
    } catch (const device_error&) {
      if (!forget_all()) throw;
      r = std::make_unique<buffer>(of, capacity, kind);
    }
  }
  r->use(bytes);
  return r;
}

void buffer_pool::give(std::unique_ptr<buffer> one) noexcept {
  const std::lock_guard lock(changing_);
  if (idle_bytes_ + one->capacity() > most_idle_bytes) return;  // frees the buffer
  try {
    idle_.push_back(std::move(one));
  } catch (const std::bad_alloc&) {
    return;
  }
  idle_bytes_ += idle_.back()->capacity();
}

void give_back::operator()(buffer* one) const noexcept {
  one->of().pool().give(std::unique_ptr<buffer>(one));
}

pooled_buffer take_buffer(device& of, std::size_t bytes, memory_kind kind) {
  return pooled_buffer(of.pool().take(of, bytes, kind).release());
}

}  // namespace ropewalk::vulkan
