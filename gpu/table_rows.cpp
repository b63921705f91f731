#include "gpu/table_rows.hpp"

#include <algorithm>

namespace ropewalk::vulkan {

table_source::row table_source::made(std::int32_t position, bool unit) const {
  const auto pairs = static_cast<std::size_t>(plan_->layout.pairs());
  row r(2 * pairs);
  plan_->rows.row<float>(position, unit, r.data(), r.data() + pairs);
  return r;
}

table_source::row table_source::of(std::int32_t position, bool unit) const {
  const std::int64_t key = 2 * std::int64_t{position} + (unit ? 1 : 0);
  {
    const std::lock_guard lock(making_);
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  }
  row r = made(position, unit);  // without the lock, so that threads do not wait for each other's rows
  const std::lock_guard lock(making_);
  if (kept_.size() * r.size() * sizeof r[0] < most_kept_bytes) kept_.emplace(key, r);
  return r;
}

table_source::rows::rows(kernel_device& on, const table_source& source,
                         std::span<const std::int32_t> positions, std::size_t tokens, bool unit)
    : rows_(on.on(), tokens * row_words(source.plan_->layout.pairs()) * sizeof(std::uint32_t)) {
  const rotation_plan& plan = *source.plan_;
  const auto pairs = static_cast<std::size_t>(plan.layout.pairs());
  const std::size_t words = row_words(plan.layout.pairs());
  for (std::size_t token = 0; token < tokens; ++token) {
    std::uint32_t* const to = rows_.as<std::uint32_t>() + token * words;
    std::fill_n(to, words, 0);
    for (int axis = 0; axis < plan.axes; ++axis) {
      const row from = source.of(positions[static_cast<std::size_t>(axis) * tokens + token], unit);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (plan.axis[pair] != axis) continue;
        to[pair] = from[pair];
        to[words / 2 + pair] = from[pairs + pair];
      }
    }
  }
}

}  // namespace ropewalk::vulkan
