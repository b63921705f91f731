#pragma once
// Which known recipe gives an array's very bits: rows are looked at as they are read, and a recipe is dropped
// at the first entry where it differs.

#include <cstddef>
#include <string>
#include <vector>

#include "export/array_layout.hpp"
#include "export/table.hpp"
#include "input/positions.hpp"
#include "kernel/recipe/recipes.hpp"

namespace ropewalk::output {

/// The recipes of rotary tables that are not yet ruled out: inverse frequencies, and cosines and sines at whole
/// positions have some; each is tried with correctly rounded inverse frequencies, and with those that
/// Hugging Face forms where they are known and differ.
class recipe_search : public recipe_watch {
 public:
  /// `positions` must outlive this object.
  recipe_search(const array_grid& grid, table_dtype dtype, const rope& config,
                const input::position_list& positions);

  /// A row of the array, as it lies in the file.
  void look(std::int64_t row, const std::byte* entries) override;

  /// Those that gave every entry of every row, each once.
  std::vector<std::string> names() const override;

 private:
  struct candidate {
    const recipe::known_recipe* recipe;
    const recipe::frequencies* from;
  };

  bool gives(const candidate& one, std::int64_t row, const std::byte* entries);
  template <class Float, class Lane>
  bool matches(std::int64_t row, const std::byte* entries, const std::vector<Lane>& made) const;

  array_grid grid_;
  table_dtype dtype_;
  const input::position_list* positions_;
  recipe::frequencies nearest_;
  recipe::frequencies hugging_face_;
  std::vector<candidate> left_;
  std::vector<float> single_;  // a row: cosines, then sines; or the inverse frequencies
  std::vector<double> wide_;
};

}  // namespace ropewalk::output
