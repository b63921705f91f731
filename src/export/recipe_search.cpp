#include "export/recipe_search.hpp"

#include <algorithm>
#include <cstring>

#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::output {
namespace {

template <floating_format Float, class Lane>
bool same_entry(const std::byte* theirs, Lane ours) {
  bits_of<Float> bits{};
  std::memcpy(&bits, theirs, sizeof bits);
  return same_bits<Float>(bits, convert<Float, Lane>(to_bits(ours)));
}

}  // namespace

recipe_search::recipe_search(const array_grid& grid, table_dtype dtype, const rope& config,
                             const input::position_list& positions)
    : grid_(grid),
      dtype_(dtype),
      positions_(&positions),
      single_(2 * static_cast<std::size_t>(grid.pairs())),
      wide_(single_.size()) {
  nearest_ = recipe::from_config(config);
  for (const recipe::known_recipe& one : recipe::known_recipes()) left_.push_back({&one, &nearest_});
  const auto formed = recipe::hugging_face_inv_freqs(config);
  if (!formed || *formed == nearest_.single_inv_freq) return;
  hugging_face_ = nearest_;
  hugging_face_.single_inv_freq = *formed;
  for (const recipe::known_recipe& one : recipe::known_recipes())
    if (one.takes_single_inv_freq) left_.push_back({&one, &hugging_face_});
}

void recipe_search::look(std::int64_t row, const std::byte* entries) {
  std::erase_if(left_, [&](const candidate& one) { return !gives(one, row, entries); });
}

template <class Float, class Lane>
bool recipe_search::matches(std::int64_t row, const std::byte* entries, const std::vector<Lane>& made) const {
  for (std::int64_t column = 0; column < grid_.columns(); ++column) {
    const array_place place = grid_.at(row, column);
    const auto at = static_cast<std::size_t>(place.pair + (place.is_sin ? grid_.pairs() : 0));
    if (!same_entry<Float>(entries + static_cast<std::size_t>(column) * sizeof(bits_of<Float>), made[at]))
      return false;
  }
  return true;
}

bool recipe_search::gives(const candidate& one, std::int64_t row, const std::byte* entries) {
  if (!has_positions(grid_.layout())) {
    one.recipe->inv_freqs(*one.from, wide_.data());
  } else {
    const std::int64_t position = positions_->at(grid_.at(row, 0).position_row);
    if (dtype_ == table_dtype::f32) {
      one.recipe->row(*one.from, position, false, single_.data(), single_.data() + grid_.pairs());
      return matches<float>(row, entries, single_);
    }
    one.recipe->wide_row(*one.from, position, false, wide_.data(), wide_.data() + grid_.pairs());
  }
  return in_format(dtype_, [&]<class Float>() { return matches<Float>(row, entries, wide_); });
}

std::vector<std::string> recipe_search::names() const {
  std::vector<std::string> r;
  const recipe::known_recipe* named = nullptr;
  for (const recipe::known_recipe& one : recipe::known_recipes())
    for (const candidate& other : left_) {
      // Each recipe once: candidates with correctly rounded inverse frequencies come first.
      if (other.recipe != &one || named == &one) continue;
      named = &one;
      r.push_back(std::string(one.name) +
                  (other.from == &nearest_ ? "" : " with inverse frequencies as Hugging Face forms them"));
    }
  return r;
}

}  // namespace ropewalk::output
