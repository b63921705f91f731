#include "gpu/rotation_work.hpp"

#include <vector>

#include "gpu/shader_list.hpp"
#include "gpu/turn_rows.hpp"

namespace ropewalk::vulkan {
namespace {

template <class Number>
std::uint32_t word(Number value) {
  return static_cast<std::uint32_t>(value);
}

/// Number of groups of four pairs and of four pass-through channels, in one head of every token.
std::uint64_t fours_of(const rotated_shape& shape) {
  return shape.tokens * static_cast<std::uint64_t>((shape.layout.head.head_dim - shape.layout.pairs()) / 4);
}

rotate_call fours_call(const rotated_shape& shape) {
  return {.tokens = word(shape.tokens),
          .heads = word(shape.heads),
          .head_fours = word(shape.layout.head.head_dim / 4),
          .pair_fours = word(shape.layout.pairs() / 4),
          .heads_at_once = heads_at_once};
}

std::uint64_t block_groups(const rotated_shape& shape) {
  return groups_of(fours_of(shape) * head_blocks_of(shape.heads));
}

std::vector<std::uint32_t> constants_of(const rotated_shape& shape) {
  const head_layout& head = shape.layout.head;
  return {head.pairing_in == pairing::interleaved, head.pairing_out == pairing::interleaved, shape.backward};
}

}  // namespace

bool is_in_fours(const rotated_layout& layout) {
  return layout.pairs() % 4 == 0 && layout.head.head_dim % 4 == 0;
}

void record_rotation(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                     const buffer& out, const buffer& rows) {
  const head_layout& head = shape.layout.head;
  const int pairs = shape.layout.pairs();
  const std::vector<std::uint32_t> constants = constants_of(shape);
  const buffer_range buffers[] = {{&in}, {&out}, {&rows}};
  if (is_in_fours(shape.layout)) {
    on.dispatch(by, rotate_shader(shape.dtype), constants, buffers, fours_call(shape), block_groups(shape));
    return;
  }
  const std::uint64_t elements =
      shape.tokens * static_cast<std::uint64_t>(shape.heads) * static_cast<std::uint64_t>(head.head_dim);
  on.dispatch(by, rotate_any_shader(shape.dtype), constants, buffers,
              {.elements = word(elements),
               .heads = word(shape.heads),
               .head_dim = word(head.head_dim),
               .pairs = word(pairs),
               .row_words = row_words(pairs)},
              groups_of(words_of(shape.dtype, elements)));
}

void record_recipe(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                   const buffer& out, const builtin_angles& angles) {
  const buffer_range buffers[] = {{&in}, {&out}, {&angles.positions}, {&angles.divisors}};
  on.dispatch(by, recipe_shader(shape.dtype), constants_of(shape), buffers,
              {.tokens = word(shape.tokens),
               .heads = word(shape.heads),
               .head_fours = word(shape.layout.head.head_dim / 4),
               .pair_fours = word(shape.layout.pairs() / 4),
               .theta_scale = angles.theta_scale,
               .factor = angles.factor},
              groups_of(fours_of(shape) * static_cast<std::uint64_t>(shape.heads)));
}

void record_copy(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                 const buffer& out) {
  const buffer_range buffers[] = {{&in}, {&out}};
  on.dispatch(by, copy_shader(shape.dtype), {shape.layout.head.pairing_in == pairing::interleaved}, buffers,
              fours_call(shape), block_groups(shape));
}

void record_raw_copy(kernel_device& on, commands& by, const buffer& in, const buffer& out) {
  constexpr std::size_t at_once = 16;
  const std::uint64_t fours = in.size() / at_once;
  const buffer_range buffers[] = {{&in}, {&out}};
  on.dispatch(by, copy_words_shader(), {}, buffers, {.fours = word(fours)}, groups_of(fours));
}

}  // namespace ropewalk::vulkan
