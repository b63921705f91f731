#include "kernel/cpu_rotation.hpp"
#include "kernel/recipe/application.hpp"

namespace ropewalk::recipe {
namespace {

struct recipe_rows {
  const recipe_call& of;

  row_view<float> at(std::int64_t position, const row_room<float>& room) const {
    of.recipe.row(of.from, position, of.call.unit, room.cos, room.sin);
    return {room.cos, room.sin};
  }
  row_view<double> at(std::int64_t position, const row_room<double>& room) const {
    of.recipe.wide_row(of.from, position, of.call.unit, room.cos, room.sin);
    return {room.cos, room.sin};
  }
};

}  // namespace

void turn_canonically(const recipe_call& of) {
  const simd::target& target = *simd::targets().front();
  recipe_rows rows{of};
  if (of.call.dtype == ROPEWALK_F64)
    cpu_rotation<double, recipe_rows>(of.plan, target, rows, of.call).run();
  else
    cpu_rotation<float, recipe_rows>(of.plan, target, rows, of.call).run();
}

}  // namespace ropewalk::recipe
