#pragma once
// Finds the known recipes that reproduce an array bit for bit: rows are compared as they are read, and a
// recipe is dropped at an entry where it differs.

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "export/array_layout.hpp"
#include "export/table.hpp"
#include "input/positions.hpp"
#include "kernel/recipe/recipes.hpp"

namespace ropewalk::array {

/// The recipes of rotary tables that are not yet ruled out. Tables of inverse frequencies, and of cosines and
/// sines at integer positions, have recipes. Each is tried with correctly rounded inverse frequencies.
/// Recipes that take binary32 frequencies are also tried with those of Hugging Face, if they are known and
/// differ.
class recipe_search {
 public:
  /// `positions` must outlive this object.
  recipe_search(const tables::array_grid& grid, tables::table_dtype dtype, const rope& config,
                const input::position_list& positions);

  /// Drops the recipes that differ from these rows; `entries` are the bytes of the file. Several threads may
  /// look at once.
  void look(std::int64_t first, std::int64_t count, const std::byte* entries);

  /// Names of the recipes that reproduced every entry so far, each once.
  std::vector<std::string> names() const;

 private:
  struct candidate {
    candidate(const recipe::known_recipe* the_recipe, const recipe::frequencies* its_frequencies)
        : recipe(the_recipe), from(its_frequencies) {}

    const recipe::known_recipe* recipe;
    const recipe::frequencies* from;
    std::atomic<bool> is_left = true;
  };
  /// One row of a recipe: cosines, then sines, or inverse frequencies.
  struct recipe_row {
    std::vector<float> single;
    std::vector<double> wide;
  };

  bool gives(const candidate& candidate, std::int64_t row, const std::byte* entries, recipe_row& space) const;
  template <class Float, class Lane>
  bool matches(std::int64_t row, const std::byte* entries, const std::vector<Lane>& made) const;

  tables::array_grid grid_;
  tables::table_dtype dtype_;
  const input::position_list* positions_;
  recipe::frequencies nearest_;
  recipe::frequencies hugging_face_;
  std::deque<candidate> candidates_;
};

/// The recipes that may give an array of a table; null if the table has none. The table must outlive it.
std::unique_ptr<recipe_search> recipes_of(const tables::table& table, tables::table_dtype dtype);

}  // namespace ropewalk::array
