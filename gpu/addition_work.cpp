#include "gpu/addition_work.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/shader_list.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr std::int64_t group_bytes = 16;

/// Records the addition of one row to all heads of a token.
void record_rows(kernel_device& device, commands& by, const added_shape& shape,
                 std::span<const buffer_range> buffers) {
  const int channels = static_cast<int>(group_bytes) / size_of(shape.dtype);
  const std::uint32_t groups = as_uint(shape.head_dim / channels), added = as_uint(shape.added / channels);
  const add_call call{.work = blocks_of_heads(as_uint(shape.tokens), as_uint(shape.heads), groups, groups),
                      .added_groups = added,
                      .row_halves = shape.row_words / (as_uint(channels) / 2)};
  device.dispatch(by, add_shader(shape.dtype), {added != groups, shape.heads > 1}, buffers, call,
                  groups_of(call.work));
}

/// Records a dispatch for each run of consecutive positions: each token's entries start one word before those
/// of the token before.
void record_biases(kernel_device& device, commands& by, const added_shape& shape,
                   std::span<const buffer_range> buffers, std::span<const std::uint32_t> starts) {
  const std::uint32_t groups = as_uint(shape.head_dim * size_of(shape.dtype) / group_bytes);
  const auto breaks = [](std::uint32_t bits, std::uint32_t next) { return next + 1 != bits; };
  for (auto first = starts.begin(); first != starts.end();) {
    const auto last = std::adjacent_find(first, starts.end(), breaks);
    const auto end = last == starts.end() ? last : last + 1;
    const std::uint32_t queries = as_uint(end - first);
    const bool is_aligned = *first % 4 == 0 && shape.head_step % 4 == 0;
    device.dispatch(by, add_bias_shader(shape.dtype), {is_aligned, queries > 1}, buffers,
                    {.parts = divisor_of(groups),
                     .heads = divisor_of(as_uint(shape.heads)),
                     .begin = as_uint(first - starts.begin()) * as_uint(shape.heads) * groups,
                     .queries = queries,
                     .queries_at_once = heads_at_once,
                     .entry = *first,
                     .head_step = shape.head_step},
                    groups_of(std::uint64_t{blocks_of(queries)} * as_uint(shape.heads) * groups));
    first = end;
  }
}

}  // namespace

entry_starts::entry_starts(device& device, std::vector<std::uint32_t> starts)
    : starts_(std::move(starts)), sent_(device, starts_.size() * word_bytes) {
  std::copy(starts_.begin(), starts_.end(), sent_.as<std::uint32_t>());
}

void record_addition(kernel_device& device, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const entry_starts& starts) {
  const buffer_range buffers[] = {{&in}, {&out}, {&entries}, {&starts.on_device()}};
  const bool by_head = shape.head_step != 0;
  const auto is_whole = [&](std::int64_t channels) {
    return channels * size_of(shape.dtype) % group_bytes == 0;
  };
  if (is_whole(shape.head_dim) && is_whole(shape.added)) {
    if (by_head) return record_biases(device, by, shape, buffers, starts.on_host());
    return record_rows(device, by, shape, buffers);
  }
  const std::uint64_t elements = shape.tokens * static_cast<std::uint64_t>(shape.heads * shape.head_dim);
  device.dispatch(by, add_any_shader(shape.dtype), {by_head}, buffers,
                  {.elements = as_uint(elements),
                   .heads = divisor_of(as_uint(shape.heads)),
                   .head_dim = divisor_of(as_uint(shape.head_dim)),
                   .added = as_uint(shape.added),
                   .head_step = shape.head_step},
                  groups_of(words_of(shape.dtype, elements)));
}

}  // namespace ropewalk::vulkan
