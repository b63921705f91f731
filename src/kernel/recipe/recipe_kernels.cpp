// Each recipe as a kernel.

#include <cstddef>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/recipe/application.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk {
namespace {

template <std::size_t Index>
class recipe_rotation {
 public:
  using operation = rotate;

  explicit recipe_rotation(const ropewalk_rotation& encoding)
      : plan_(encoding), from_(recipe::from_resolved(plan_.inv_freq, plan_.attention_factor)) {}
  recipe_rotation(const recipe_rotation&) = delete;
  recipe_rotation& operator=(const recipe_rotation&) = delete;

  void apply(const ropewalk_rotation_call& call) const {
    const recipe::known_recipe& known = recipe::known_recipes()[Index];
    turn_channels(call, plan_, [&](const checked_call& checked) {
      known.turn({known, plan_, from_, checked});
    });
  }

 private:
  rotation_plan plan_;
  recipe::frequencies from_;
};

/// The promise of a recipe, with static lifetime.
template <std::size_t Index>
const ropewalk_promise* stated_by_recipe() {
  static const ropewalk_promise promised = stated(recipe::known_recipes()[Index].promised);
  return &promised;
}

template <std::size_t... Index>
std::vector<ropewalk_kernel> make_kernels(std::index_sequence<Index...>) {
  const auto recipes = recipe::known_recipes();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): names are literals, hence null-terminated
  return {kernel_stating<recipe_rotation<Index>>(recipes[Index].name.data(), stated_by_recipe<Index>())...,
          recipe::eager_kernel()};
}

}  // namespace

std::span<const ropewalk_kernel> recipe_kernels() {
  static const std::vector<ropewalk_kernel> kernels =
      make_kernels(std::make_index_sequence<recipe::recipe_count>());
  return kernels;
}

}  // namespace ropewalk
