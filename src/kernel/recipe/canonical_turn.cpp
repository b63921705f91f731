#include "kernel/cpu_rotation.hpp"
#include "kernel/recipe/application.hpp"

namespace ropewalk::recipe {
namespace {

struct recipe_rows {
  const recipe_call& call;

  row_view<float> at(std::int64_t position, const row_room<float>& room) const {
    call.recipe.row(call.from, position, call.call.unit, room.cos, room.sin);
    return {room.cos, room.sin};
  }
  row_view<double> at(std::int64_t position, const row_room<double>& room) const {
    call.recipe.wide_row(call.from, position, call.call.unit, room.cos, room.sin);
    return {room.cos, room.sin};
  }
};

}  // namespace

void turn_canonically(const recipe_call& request) {
  const simd::target& target = *simd::targets().front();
  recipe_rows rows{request};
  if (request.call.dtype == ROPEWALK_F64)
    cpu_rotation<double, recipe_rows>(request.plan, target, rows, request.call).run();
  else
    cpu_rotation<float, recipe_rows>(request.plan, target, rows, request.call).run();
}

}  // namespace ropewalk::recipe
