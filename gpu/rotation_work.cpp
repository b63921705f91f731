#include "gpu/rotation_work.hpp"

#include <numeric>
#include <vector>

#include "gpu/shader_list.hpp"
#include "gpu/turn_rows.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::vulkan {
namespace {

/// Groups of channels in one head, and the number of groups with first channels of pairs.
struct groups_of_head {
  groups_of_head(const rotated_shape& shape, access by)
      : all(as_uint(shape.layout.head.head_dim * size_of(shape.dtype) / bytes_of(by))),
        pairs(as_uint(shape.layout.pairs() * size_of(shape.dtype) / bytes_of(by))) {}

  /// Invocations that process a block of heads: one per two groups of pairs, and one per other group.
  std::uint32_t parts() const { return all - pairs; }
  bool has_rest() const { return all != 2 * pairs; }

  std::uint32_t all;
  std::uint32_t pairs;
};

rotate_call call_of(const rotated_shape& shape, const groups_of_head& groups) {
  return {.work = blocks_of_heads(as_uint(shape.tokens), as_uint(shape.heads), groups.all, groups.parts()),
          .pair_groups = groups.pairs};
}

std::vector<std::uint32_t> constants_of(const rotated_shape& shape) {
  const head_layout& head = shape.layout.head;
  return {head.pairing_in == pairing::interleaved, head.pairing_out == pairing::interleaved, shape.backward};
}

}  // namespace

std::optional<access> access_of(ropewalk_dtype dtype, const rotated_layout& layout) {
  const int bytes = std::gcd(layout.pairs(), layout.head.head_dim) * size_of(dtype);
  for (const access by : {access::bytes_16, access::bytes_8})
    if (bytes % bytes_of(by) == 0 && (by == access::bytes_16 || dtype != ROPEWALK_F32)) return by;
  return {};
}

void record_rotation(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                     const buffer& out, const buffer& rows) {
  const head_layout& head = shape.layout.head;
  const int pairs = shape.layout.pairs();
  std::vector<std::uint32_t> constants = constants_of(shape);
  const buffer_range buffers[] = {{&in}, {&out}, {&rows}};
  if (const auto accessed = access_of(shape.dtype, shape.layout)) {
    const groups_of_head groups(shape, *accessed);
    const rotate_call call = call_of(shape, groups);
    constants.push_back(groups.has_rest());
    device.dispatch(by, rotate_shader(shape.dtype, *accessed), constants, buffers, call,
                    groups_of(call.work));
    return;
  }
  const std::uint64_t elements =
      shape.tokens * static_cast<std::uint64_t>(shape.heads) * static_cast<std::uint64_t>(head.head_dim);
  device.dispatch(by, rotate_any_shader(shape.dtype), constants, buffers,
                  {.elements = as_uint(elements),
                   .heads = divisor_of(as_uint(shape.heads)),
                   .head_dim = divisor_of(as_uint(head.head_dim)),
                   .pairs = as_uint(pairs),
                   .row_words = row_words(pairs)},
                  groups_of(words_of(shape.dtype, elements)));
}

void record_recipe(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                   const buffer& out, const builtin_angles& angles) {
  const buffer_range buffers[] = {{&in}, {&out}, {&angles.positions}, {&angles.divisors}};
  const access accessed = access_of(shape.dtype, shape.layout).value();
  const groups_of_head groups(shape, accessed);
  device.dispatch(by, recipe_shader(shape.dtype, accessed), constants_of(shape), buffers,
                  {.tokens = as_uint(shape.tokens),
                   .heads = as_uint(shape.heads),
                   .head_groups = groups.all,
                   .pair_groups = groups.pairs,
                   .theta_scale = angles.theta_scale,
                   .factor = angles.factor},
                  groups_of(shape.tokens * groups.parts() * static_cast<std::uint64_t>(shape.heads)));
}

void record_copy(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                 const buffer& out) {
  const buffer_range buffers[] = {{&in}, {&out}};
  const groups_of_head groups(shape, access::bytes_16);
  const rotate_call call = call_of(shape, groups);
  device.dispatch(by, copy_shader(), {0, 0, 0, groups.has_rest()}, buffers, call, groups_of(call.work));
}

void record_raw_copy(kernel_device& device, commands& by, const buffer& in, const buffer& out) {
  constexpr std::size_t at_once = 16;
  const std::uint64_t fours = in.size() / at_once;
  const buffer_range buffers[] = {{&in}, {&out}};
  device.dispatch(by, copy_words_shader(), {}, buffers, {.fours = as_uint(fours)}, groups_of(fours));
}

}  // namespace ropewalk::vulkan
