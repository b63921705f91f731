#include "gpu/table_rows.hpp"

#include <algorithm>

namespace ropewalk::vulkan {

table_source::row table_source::made(std::int32_t position, bool unit) const {
  const auto pairs = static_cast<std::size_t>(plan_->layout.pairs());
  row result(2 * pairs);
  plan_->rows.row<float>(position, unit, result.data(), result.data() + pairs);
  return result;
}

table_source::row table_source::of(std::int32_t position, bool unit) const {
  const std::int64_t key = 2 * std::int64_t{position} + (unit ? 1 : 0);
  {
    const std::lock_guard lock(making_);
    if (const auto match = kept_.find(key); match != kept_.end()) return match->second;
  }
  row result = made(position, unit);  // without the lock, so that threads compute rows in parallel
  const std::lock_guard lock(making_);
  if (kept_.size() * result.size() * sizeof result[0] < most_kept_bytes) kept_.emplace(key, result);
  return result;
}

void table_source::fill_whole(const row_positions& positions, std::size_t tokens, bool unit,
                              std::uint32_t* to) const {
  const auto pairs = static_cast<std::size_t>(plan_->layout.pairs());
  const std::size_t words = row_words(plan_->layout.pairs());
  for (std::size_t token = 0; token < tokens; ++token, to += words)
    for (int axis = 0; axis < plan_->axes; ++axis) {
      const row from =
          of(whole_position(&positions.words[static_cast<std::size_t>(axis) * tokens + token]), unit);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (plan_->axis[pair] != axis) continue;
        to[pair] = from[pair];
        to[words / 2 + pair] = from[pairs + pair];
      }
    }
}

/// A position's entries are computed once for all tokens that share it on an axis, as in a grid.
void table_source::fill_real(const row_positions& positions, std::size_t tokens, bool unit,
                             std::uint32_t* to) const {
  const std::size_t words = row_words(plan_->layout.pairs());
  for (int axis = 0; axis < plan_->axes; ++axis) {
    std::unordered_map<std::uint64_t, const std::uint32_t*> first_row;  // by the bits of the position
    for (std::size_t token = 0; token < tokens; ++token) {
      const double position =
          real_position(&positions.words[2 * (static_cast<std::size_t>(axis) * tokens + token)]);
      std::uint32_t* const made = to + token * words;
      const auto [first, is_new] = first_row.emplace(to_bits(position), made);
      for (int pair = 0; pair < plan_->layout.pairs(); ++pair) {
        const auto at = static_cast<std::size_t>(pair);
        if (plan_->axis[at] != axis) continue;
        const cos_sin_bits<float> entry =
            is_new ? plan_->rows.entry<float>(pair, position, unit)
                   : cos_sin_bits<float>{first->second[at], first->second[words / 2 + at]};
        made[at] = entry.cos;
        made[words / 2 + at] = entry.sin;
      }
    }
  }
}

table_source::rows::rows(kernel_device& device, const table_source& source, const row_positions& positions,
                         std::size_t tokens, bool unit)
    : rows_(device.on(), tokens * row_words(source.plan_->layout.pairs()) * sizeof(std::uint32_t)) {
  std::vector<std::uint32_t> made(tokens * row_words(source.plan_->layout.pairs()));
  if (positions.is_real)
    source.fill_real(positions, tokens, unit, made.data());
  else
    source.fill_whole(positions, tokens, unit, made.data());
  std::copy(made.begin(), made.end(), rows_.as<std::uint32_t>());
}

}  // namespace ropewalk::vulkan
