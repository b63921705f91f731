#include "gpu/addition_work.hpp"

#include <vector>

#include "gpu/shader_list.hpp"

namespace ropewalk::vulkan {

void record_addition(kernel_device& on, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const buffer& starts) {
  const std::vector<std::uint32_t> constants{shape.head_step != 0};
  const buffer_range buffers[] = {{&in}, {&out}, {&entries}, {&starts}};
  const bool by_fours = shape.head_dim % 4 == 0 && shape.added % 4 == 0;
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  if (by_fours) {
    const auto fours = static_cast<std::uint64_t>(shape.head_dim / 4);
    on.dispatch(by, add_shader(shape.dtype), constants, buffers,
                {.tokens = word(shape.tokens),
                 .heads = word(shape.heads),
                 .head_fours = word(fours),
                 .added_fours = word(shape.added / 4),
                 .head_step = shape.head_step,
                 .heads_at_once = heads_at_once},
                groups_of(shape.tokens * fours * head_blocks_of(shape.heads)));
    return;
  }
  const std::uint64_t elements = shape.tokens * static_cast<std::uint64_t>(shape.heads * shape.head_dim);
  on.dispatch(by, add_any_shader(shape.dtype), constants, buffers,
              {.elements = word(elements),
               .heads = word(shape.heads),
               .head_dim = word(shape.head_dim),
               .added = word(shape.added),
               .head_step = shape.head_step},
              groups_of(words_of(shape.dtype, elements)));
}

}  // namespace ropewalk::vulkan
