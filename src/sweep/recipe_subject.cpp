#include "sweep/recipe_subject.hpp"

#include <string_view>
#include <type_traits>
#include <vector>

#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "kernel/recipe/element.hpp"
#include "kernel/recipe/recipes.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::sweep {
namespace {

using recipe::known_recipe;

const known_recipe& recipe_named(const std::string& name) {
  std::vector<std::string> names;
  for (const known_recipe& known : recipe::known_recipes()) {
    if (known.name == name) return known;
    names.emplace_back(known.name);
  }
  throw input::unknown_name("recipe", name, names, "`ropewalk verify --list`");
}

bool is_wide(const known_recipe& recipe) { return recipe.promised.angle == ROPEWALK_PART_F64; }

ropewalk_dtype own_dtype(const known_recipe& recipe) {
  return recipe.promised.table == ROPEWALK_PART_BF16 ? ROPEWALK_BF16 : ROPEWALK_F32;
}

bool serves(const known_recipe& recipe, ropewalk_dtype dtype) {
  return dtype == own_dtype(recipe) ||
         (dtype == ROPEWALK_F64 ? is_wide(recipe) : own_dtype(recipe) == ROPEWALK_F32);
}

class recipe_subject : public subject {
 public:
  recipe_subject(const known_recipe& recipe, const rope& config)
      : recipe_(recipe),
        from_(recipe::from_config(config)),
        pairs_(static_cast<std::size_t>(pair_count(config))) {}

  std::int64_t positions_at_once() const override { return 256; }

  void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) override {
    with_format(dtype, [&]<class Float>() {
      auto* to_cos = static_cast<bits_of<Float>*>(cos);
      auto* to_sin = static_cast<bits_of<Float>*>(sin);
      for (std::int64_t position = positions.begin; position < positions.end;
           ++position, to_cos += pairs_, to_sin += pairs_)
        row<Float>(position, to_cos, to_sin);
    });
  }

 private:
  template <floating_format Float>
  void row(std::int64_t position, bits_of<Float>* cos, bits_of<Float>* sin) {
    if (is_wide(recipe_) && !std::is_same_v<Float, float>) {
      wide_.resize(2 * pairs_);
      recipe_.wide_row(from_, position, false, wide_.data(), wide_.data() + pairs_);
      rounded(wide_, cos, sin, [](double entry) { return convert<Float, double>(to_bits(entry)); });
    } else {
      single_.resize(2 * pairs_);
      recipe_.row(from_, position, false, single_.data(), single_.data() + pairs_);
      if constexpr (!std::is_same_v<Float, double>)
        rounded(single_, cos, sin, [](float entry) { return recipe::rounded<Float>(entry); });
    }
  }

  template <class Lane, class Stored, class Round>
  void rounded(const std::vector<Lane>& row, Stored* cos, Stored* sin, Round round) const {
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      cos[pair] = round(row[pair]);
      sin[pair] = round(row[pairs_ + pair]);
    }
  }

  const known_recipe& recipe_;
  recipe::frequencies from_;
  std::size_t pairs_;
  std::vector<float> single_;  // cosines and sines of one row
  std::vector<double> wide_;
};

class recipe_maker : public subject_maker {
 public:
  explicit recipe_maker(const known_recipe& recipe) : recipe_(recipe) {}

  void require_serves(const work_range& range) const override {
    for (const swept_table& table : range.tables)
      if (!keeps_frequencies(table.model.axes))
        throw bad_input("axes", name_of(table.model.axes),
                        "none with their own frequencies: a recipe has those of text");
    std::string allowed;
    for (const ropewalk_dtype dtype : all_dtypes)
      if (serves(recipe_, dtype))
        allowed += (allowed.empty() ? "" : ", ") + std::string(ropewalk::name_of(dtype));
    for (const ropewalk_dtype dtype : range.dtypes)
      if (!serves(recipe_, dtype))
        throw bad_input("dtype", ropewalk::name_of(dtype),
                        allowed + ": entries of " + std::string(recipe_.name));
  }

  std::unique_ptr<subject> subject_of(const swept_table& table) const override {
    return std::make_unique<recipe_subject>(recipe_, table.model.encoding);
  }

 private:
  const known_recipe& recipe_;
};

}  // namespace

std::unique_ptr<subject_maker> recipe_entries(const std::string& name) {
  return std::make_unique<recipe_maker>(recipe_named(name));
}

ropewalk_dtype dtype_of_recipe(const std::string& name) { return own_dtype(recipe_named(name)); }

}  // namespace ropewalk::sweep
