#include "gpu/addition_work.hpp"

#include <vector>

#include "gpu/shader_list.hpp"

namespace ropewalk::vulkan {

void record_addition(kernel_device& on, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const buffer& starts) {
  const std::vector<std::uint32_t> constants{shape.head_step != 0};
  const buffer_range buffers[] = {{&in}, {&out}, {&entries}, {&starts}};
  const bool by_fours = shape.head_dim % 4 == 0 && shape.added % 4 == 0;
  const pipeline& with = on.pipeline_of(
      add_shader(shape.dtype, by_fours ? element_access::fours : element_access::words), constants);
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  if (by_fours) {
    const auto fours = static_cast<std::uint64_t>(shape.head_dim / 4);
    by.dispatch(with, buffers,
                std::vector<std::uint32_t>{word(shape.tokens), word(shape.heads), word(fours),
                                           word(shape.added / 4), shape.head_step, heads_at_once},
                groups_of(shape.tokens * fours * head_blocks_of(shape.heads)));
    return;
  }
  const std::uint64_t elements = shape.tokens * static_cast<std::uint64_t>(shape.heads * shape.head_dim);
  by.dispatch(with, buffers,
              std::vector<std::uint32_t>{word(elements), word(shape.heads), word(shape.head_dim),
                                         word(shape.added), shape.head_step},
              groups_of(words_of(shape.dtype, elements)));
}

}  // namespace ropewalk::vulkan
