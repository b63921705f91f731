#include "array/recipe_search.hpp"

#include <algorithm>
#include <cstring>

#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::array {
namespace {

template <floating_format Float, class Lane>
bool same_entry(const std::byte* theirs, Lane ours) {
  bits_of<Float> bits{};
  std::memcpy(&bits, theirs, sizeof bits);
  return same_bits<Float>(bits, convert<Float, Lane>(to_bits(ours)));
}

}  // namespace

recipe_search::recipe_search(const tables::array_grid& grid, tables::table_dtype dtype, const rope& config,
                             const input::position_list& positions)
    : grid_(grid), dtype_(dtype), positions_(&positions), nearest_(recipe::from_config(config)) {
  for (const recipe::known_recipe& known : recipe::known_recipes())
    candidates_.emplace_back(&known, &nearest_);
  const auto formed = recipe::hugging_face_inv_freqs(config);
  if (!formed || *formed == nearest_.single_inv_freq) return;
  hugging_face_ = nearest_;
  hugging_face_.single_inv_freq = *formed;
  for (const recipe::known_recipe& known : recipe::known_recipes())
    if (known.takes_single_inv_freq) candidates_.emplace_back(&known, &hugging_face_);
}

void recipe_search::look(std::int64_t first, std::int64_t count, const std::byte* entries) {
  const auto row_bytes = static_cast<std::size_t>(grid_.columns()) * size_of(text_of(dtype_).array);
  const std::size_t width = 2 * static_cast<std::size_t>(grid_.pairs());
  recipe_row space{std::vector<float>(width), std::vector<double>(width)};
  for (candidate& suspected : candidates_)
    for (std::int64_t row = 0; row < count && suspected.is_left; ++row)
      if (!gives(suspected, first + row, entries + static_cast<std::size_t>(row) * row_bytes, space))
        suspected.is_left = false;
}

template <class Float, class Lane>
bool recipe_search::matches(std::int64_t row, const std::byte* entries, const std::vector<Lane>& made) const {
  for (std::int64_t column = 0; column < grid_.columns(); ++column) {
    const tables::array_place place = grid_.at(row, column);
    const auto at = static_cast<std::size_t>(place.pair + (place.is_sin ? grid_.pairs() : 0));
    if (!same_entry<Float>(entries + static_cast<std::size_t>(column) * sizeof(bits_of<Float>), made[at]))
      return false;
  }
  return true;
}

bool recipe_search::gives(const candidate& suspected, std::int64_t row, const std::byte* entries,
                          recipe_row& space) const {
  std::vector<double>& wide = space.wide;
  if (!has_positions(grid_.layout())) {
    suspected.recipe->inv_freqs(*suspected.from, wide.data());
  } else {
    const std::int64_t position = positions_->at(grid_.at(row, 0).position_row);
    if (dtype_ == tables::table_dtype::f32) {
      std::vector<float>& single = space.single;
      suspected.recipe->row(*suspected.from, position, false, single.data(), single.data() + grid_.pairs());
      return matches<float>(row, entries, single);
    }
    suspected.recipe->wide_row(*suspected.from, position, false, wide.data(), wide.data() + grid_.pairs());
  }
  return in_format(dtype_, [&]<class Float>() { return matches<Float>(row, entries, wide); });
}

std::vector<std::string> recipe_search::names() const {
  std::vector<std::string> names;
  const recipe::known_recipe* named = nullptr;
  for (const recipe::known_recipe& known : recipe::known_recipes())
    for (const candidate& other : candidates_) {
      // Each recipe once: candidates with correctly rounded inverse frequencies come first.
      if (!other.is_left || other.recipe != &known || named == &known) continue;
      named = &known;
      names.push_back(
          std::string(known.name) +
          (other.from == &nearest_ ? "" : " with inverse frequencies as Hugging Face forms them"));
    }
  return names;
}

std::unique_ptr<recipe_search> recipes_of(const tables::table& table, tables::table_dtype dtype) {
  const auto* content = std::get_if<tables::rotary_content>(&table.content());
  if (content == nullptr || content->positions.is_on_axes()) return nullptr;
  const bool has_recipes = content->layout.kind == tables::table_kind::inv_freq ||
                           (has_positions(content->layout) && !content->positions.is_real());
  if (!has_recipes) return nullptr;
  return std::make_unique<recipe_search>(grid_of(*content), dtype, content->model.encoding,
                                         content->positions.listed());
}

}  // namespace ropewalk::array
