// Kernels with mistakes that were written without a look at the diagnosis: one honest kernel, unseen-none,
// and twenty that differ from it by one realistic fault each, two of them by two.
//
//   g++ -std=c++20 -O2 -fPIC -shared -I include tests/diagnosis/unseen_faults.cpp -o libunseen.so
//
// All share one scalar implementation that serves every call. A fault is a branch where the mistake would be.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "unseen_descriptions.hpp"
#include "unseen_formats.hpp"

using namespace unseen;

// ---- What a plan keeps ----

struct ropewalk_plan {
  fault mistake = fault::none;
  std::int64_t rotary_dim = 0;
  std::int32_t pairing_in = 0, pairing_out = 0;
  std::size_t axes = 1;
  double attention_factor = 1;
  std::vector<std::array<std::uint32_t, 4>> turns;  // of each pair
  std::vector<std::size_t> axis;                    // of each pair

  // What the two faults that depend on earlier calls remember.
  mutable std::mutex history;
  mutable std::int64_t table_rows = 0;               // first_call_table; 0 before the first call
  mutable std::vector<std::int64_t> last_positions;  // rows_by_count
};

namespace {

// ---- Cosines and sines ----

struct turn {
  double cosine, sine;
};

/// The cosine and sine of position times frequency. The product is exact modulo a turn; cosine and sine are
/// taken of at most an eighth of a turn.
turn turn_of(const std::array<std::uint32_t, 4>& turns, std::int64_t position) {
  const auto magnitude = static_cast<std::uint64_t>(position < 0 ? -position : position);
  std::array<std::uint64_t, 4> phase{};
  std::uint64_t carry = 0;
  for (std::size_t word = 0; word < 4; ++word) {
    carry += turns[word] * magnitude;
    phase[word] = carry & 0xffffffffu;
    carry >>= 32;
  }
  const std::uint64_t high = phase[3] << 32 | phase[2];
  const std::uint64_t quarters = (high + (std::uint64_t{1} << 61)) >> 62;  // wraps to 0 near a whole turn
  const auto rest = static_cast<std::int64_t>(high - (quarters << 62));
  constexpr double radians = 0x1.921fb54442d18p+2 * 0x1p-64;  // 2 pi / 2^64
  const double angle = (static_cast<double>(rest) + static_cast<double>(phase[1]) * 0x1p-32) * radians;
  const double c = std::cos(angle), s = std::sin(angle);
  turn result{};
  switch (quarters & 3) {
    case 0: result = {c, s}; break;
    case 1: result = {-s, c}; break;
    case 2: result = {-c, -s}; break;
    default: result = {s, -c}; break;
  }
  if (position < 0) result.sine = -result.sine;
  return result;
}

/// Cosines and sines of all pairs, as a table stores them, for the positions of one token.
struct table_row {
  std::vector<std::int64_t> positions;  // one for each axis
  std::vector<float> cosines, sines;
  bool is_made = false;
};

// ---- A call ----

struct call_in_work {
  const ropewalk_plan& plan;
  const ropewalk_rotation_call& call;
  std::int64_t batch, tokens;
  double factor;
  std::int64_t table_rows = 0;                  // first_call_table
  std::vector<std::int64_t> earlier_positions;  // rows_by_count: [batch * tokens][axes], or empty
};

bool is_backward(const call_in_work& work) { return (work.call.flags & ROPEWALK_BACKWARD) != 0; }

std::int64_t counted_position(const call_in_work& work, std::int64_t token) {
  const ropewalk_tokens& tokens = work.call.tokens;
  const std::int64_t column = token % work.tokens;
  if (tokens.sequence_offset == nullptr) return column;
  const std::int64_t *begin = tokens.sequence_offset,
                     *end = begin + tokens.sequences;  // without the last entry
  const std::int64_t* next = work.plan.mistake == fault::sequence_edge_late
                                 ? std::lower_bound(begin + 1, end, column)
                                 : std::upper_bound(begin, end, column);
  return column - *(next - 1);
}

std::int64_t given_position(const call_in_work& work, std::int64_t token, std::size_t axis) {
  const ropewalk_positions& positions = work.call.tokens.positions;
  std::int64_t row = token / work.tokens, column = token % work.tokens;
  if (work.plan.mistake == fault::positions_transposed) {
    const std::int64_t element = column * work.batch + row;
    row = element / work.tokens;
    column = element % work.tokens;
  }
  if (work.plan.mistake == fault::batch_dropped_on_axes && axis > 0) row = 0;
  const std::int64_t offset = static_cast<std::int64_t>(axis) * positions.stride[0] +
                              row * positions.stride[1] + column * positions.stride[2];
  std::int32_t position = 0;
  std::memcpy(&position, static_cast<const std::byte*>(positions.data) + offset * 4, sizeof position);
  return position;
}

std::int64_t position_in_call(const call_in_work& work, std::int64_t token, std::size_t axis) {
  return work.call.tokens.positions.kind == ROPEWALK_COUNTED ? counted_position(work, token)
                                                             : given_position(work, token, axis);
}

std::int64_t position_of(const call_in_work& work, std::int64_t token, std::size_t axis, bool is_key) {
  const ropewalk_plan& plan = work.plan;
  const std::int64_t begin = work.call.tokens.begin, end = work.call.tokens.end;
  if (plan.mistake == fault::odd_last_token && (end - begin) % 2 != 0 && token == end - 1 && token > begin)
    --token;
  std::int64_t position = work.earlier_positions.empty()
                              ? position_in_call(work, token, axis)
                              : work.earlier_positions[static_cast<std::size_t>(token) * plan.axes + axis];
  if (plan.mistake == fault::first_call_table) position = std::min(position, work.table_rows - 1);
  if (plan.mistake == fault::clamp_and_bf16_table) position = std::min(position, std::int64_t{4095});
  if (plan.mistake == fault::late_query_still_pair && !is_key) ++position;
  if (plan.mistake == fault::row_offset_overflow) {
    const auto offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(position * plan.rotary_dim));
    position = static_cast<std::int64_t>(std::floor(offset / static_cast<double>(plan.rotary_dim)));
  }
  return position;
}

/// What earlier calls have left behind. Only the two faults that depend on them do anything here.
void look_at_history(call_in_work& work) {
  const ropewalk_plan& plan = work.plan;
  if (plan.mistake != fault::first_call_table && plan.mistake != fault::rows_by_count) return;
  std::vector<std::int64_t> positions;
  for (std::int64_t token = 0; token < work.batch * work.tokens; ++token)
    for (std::size_t axis = 0; axis < plan.axes; ++axis)
      positions.push_back(position_in_call(work, token, axis));
  if (positions.empty()) return;
  const std::lock_guard lock(plan.history);
  if (plan.mistake == fault::first_call_table) {
    if (plan.table_rows == 0)
      plan.table_rows = std::max(*std::max_element(positions.begin(), positions.end()) + 1, std::int64_t{1});
    work.table_rows = plan.table_rows;
  } else {
    if (plan.last_positions.size() != positions.size()) plan.last_positions = positions;
    work.earlier_positions = plan.last_positions;
  }
}

turn turn_of_pair(const call_in_work& work, std::size_t pair, const std::vector<std::int64_t>& positions) {
  const ropewalk_plan& plan = work.plan;
  const std::int64_t position = positions[plan.axis[pair]];
  const std::size_t pairs = plan.turns.size();
  if (plan.mistake == fault::lerp_rows) {
    const auto rest = static_cast<std::int64_t>(static_cast<std::uint64_t>(position) % 4);  // also below 0
    const turn below = turn_of(plan.turns[pair], position - rest),
               above = turn_of(plan.turns[pair], position - rest + 4);
    const double part = static_cast<double>(rest) / 4;
    return {below.cosine + part * (above.cosine - below.cosine),
            below.sine + part * (above.sine - below.sine)};
  }
  if (plan.mistake == fault::last_pair_repeats && pair + 1 == pairs && pair > 0)
    return turn_of(plan.turns[pair - 1], position);
  const std::size_t in_eights = pairs / 8 * 8;
  if (plan.mistake == fault::tail_pairs_restart && pair >= in_eights)
    return turn_of(plan.turns[pair - in_eights], position);
  return turn_of(plan.turns[pair], position);
}

void make_row(const call_in_work& work, table_row& row) {
  const ropewalk_plan& plan = work.plan;
  const bool is_copied =
      plan.mistake == fault::zero_skipped && std::all_of(row.positions.begin(), row.positions.end(),
                                                         [](std::int64_t position) { return position == 0; });
  double factor = is_copied ? 1 : work.factor;
  if (plan.mistake == fault::decode_double_factor && work.tokens == 1) factor *= work.factor;
  for (std::size_t pair = 0; pair < plan.turns.size(); ++pair) {
    const turn exact = turn_of_pair(work, pair, row.positions);
    float cosine = static_cast<float>(factor * exact.cosine), sine = static_cast<float>(factor * exact.sine);
    if (plan.mistake == fault::sine_from_cosine) {
      const auto unit = static_cast<float>(exact.cosine);
      const auto root = static_cast<double>(std::sqrt(1.0f - unit * unit));
      sine = static_cast<float>(factor * std::copysign(root, exact.sine));
    }
    if (plan.mistake == fault::clamp_and_bf16_table) {
      cosine = bfloat16::load(bfloat16::store(cosine));
      sine = bfloat16::load(bfloat16::store(sine));
    }
    row.cosines[pair] = cosine;
    row.sines[pair] = sine;
  }
  row.is_made = true;
}

/// Makes the row of a token, unless the last one was of the same positions.
void find_row(const call_in_work& work, std::int64_t token, bool is_key, table_row& row) {
  for (std::size_t axis = 0; axis < work.plan.axes; ++axis) {
    const std::int64_t position = position_of(work, token, axis, is_key);
    if (position == row.positions[axis]) continue;
    row.positions[axis] = position;
    row.is_made = false;
  }
  if (!row.is_made) make_row(work, row);
}

// ---- The rotation ----

struct channels_of_pair {
  std::int64_t first, second;
};

channels_of_pair channels_of(std::int32_t pairing, std::int64_t pair, std::int64_t rotary_dim) {
  if (pairing == ROPEWALK_INTERLEAVED) return {2 * pair, 2 * pair + 1};
  return {pair, pair + rotary_dim / 2};
}

/// a c + b s, in the format that the rotation is done in.
template <class Format>
typename Format::number sum_of_products(const call_in_work& work, typename Format::number a,
                                        typename Format::number c, typename Format::number b,
                                        typename Format::number s) {
  if (work.plan.mistake == fault::products_rounded)
    return Format::load(Format::store(a * c)) + Format::load(Format::store(b * s));
  return a * c + b * s;
}

/// A head's elements. Strides are in bytes.
struct head_view {
  std::byte* data;
  std::int64_t stride;
};

template <class Format>
void rotate_head(const call_in_work& work, const table_row& row, head_view in, head_view out,
                 std::int64_t head_dim, bool is_turned, bool is_key,
                 std::vector<typename Format::number>& inputs) {
  using number = typename Format::number;
  const ropewalk_plan& plan = work.plan;
  const std::int64_t first_copied = is_turned ? plan.rotary_dim : 0;
  for (std::int64_t channel = first_copied; channel < head_dim; ++channel)
    std::memmove(out.data + channel * out.stride, in.data + channel * in.stride,
                 sizeof(typename Format::stored));
  if (!is_turned) return;
  // All inputs are read first: in place, with other pairs out than in, a pair may lie where another was.
  for (std::int64_t channel = 0; channel < plan.rotary_dim; ++channel)
    inputs[static_cast<std::size_t>(channel)] = load<Format>(in.data + channel * in.stride);
  const bool is_aliased = plan.mistake == fault::in_place_alias && in.data == out.data;
  const auto pairs = static_cast<std::int64_t>(plan.turns.size());
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const channels_of_pair from = channels_of(plan.pairing_in, pair, plan.rotary_dim),
                           to = channels_of(plan.pairing_out, pair, plan.rotary_dim);
    number a = inputs[static_cast<std::size_t>(from.first)];
    const number b = inputs[static_cast<std::size_t>(from.second)];
    number cosine = row.cosines[static_cast<std::size_t>(pair)];
    number sine = row.sines[static_cast<std::size_t>(pair)];
    if (plan.mistake == fault::late_query_still_pair && is_key && pair + 1 == pairs) {
      cosine = static_cast<number>(work.factor);
      sine = 0;
    }
    number second_sine = sine;
    if (is_backward(work)) {
      sine = -sine;
      if (plan.mistake != fault::backward_one_sign) second_sine = sine;
    }
    std::byte* const first_out = out.data + to.first * out.stride;
    store<Format>(first_out, sum_of_products<Format>(work, a, cosine, -b, sine));
    if (is_aliased) a = load<Format>(first_out);
    store<Format>(out.data + to.second * out.stride,
                  sum_of_products<Format>(work, a, second_sine, b, cosine));
  }
}

// Shapes and strides of a tensor, as at rank 4. Strides are in bytes.
struct tensor_layout {
  std::byte* data;
  std::int64_t heads, head_dim, batch_stride, token_stride, head_stride, channel_stride;
};

template <class Format>
tensor_layout layout_of(const ropewalk_tensor& tensor) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(typename Format::stored));
  const int token = tensor.rank == 4 ? 1 : 0;
  return {.data = static_cast<std::byte*>(tensor.data),
          .heads = tensor.shape[token + 1],
          .head_dim = tensor.shape[token + 2],
          .batch_stride = tensor.rank == 4 ? tensor.stride[0] * bytes : 0,
          .token_stride = tensor.stride[token] * bytes,
          .head_stride = tensor.stride[token + 1] * bytes,
          .channel_stride = tensor.stride[token + 2] * bytes};
}

head_view head_of(const tensor_layout& layout, std::int64_t row, std::int64_t column, std::int64_t head) {
  return {layout.data + row * layout.batch_stride + column * layout.token_stride + head * layout.head_stride,
          layout.channel_stride};
}

template <class Format>
void rotate_token(const call_in_work& work, std::int64_t token, const tensor_layout& in,
                  const tensor_layout& out, std::int64_t query_heads, bool is_key, table_row& row,
                  std::vector<typename Format::number>& inputs) {
  const fault mistake = work.plan.mistake;
  const bool is_index_flat = mistake == fault::key_token_index && is_key && query_heads > 0;
  for (std::int64_t head = 0; head < in.heads; ++head) {
    std::int64_t position_token = token;
    if (is_index_flat)
      position_token = std::min((token * in.heads + head) / query_heads, work.batch * work.tokens - 1);
    if (head == 0 || is_index_flat) find_row(work, position_token, is_key, row);
    const bool is_left_over = mistake == fault::heads_in_fours && in.heads > 4 && head >= in.heads / 4 * 4;
    const std::int64_t batch_row = token / work.tokens, column = token % work.tokens;
    rotate_head<Format>(work, row, head_of(in, batch_row, column, head),
                        head_of(out, batch_row, column, head), in.head_dim, !is_left_over, is_key, inputs);
  }
}

template <class Format>
void rotate_call(const call_in_work& work) {
  const ropewalk_rotation_call& call = work.call;
  const bool has_key = call.key_in.data != nullptr || call.key_out.data != nullptr;
  const tensor_layout query_in = layout_of<Format>(call.query_in),
                      query_out = layout_of<Format>(call.query_out);
  tensor_layout key_in{}, key_out{};
  if (has_key) {
    key_in = layout_of<Format>(call.key_in);
    key_out = layout_of<Format>(call.key_out);
  }
  const std::size_t pairs = work.plan.turns.size();
  table_row row{
      .positions = std::vector<std::int64_t>(work.plan.axes, std::numeric_limits<std::int64_t>::min()),
      .cosines = std::vector<float>(pairs),
      .sines = std::vector<float>(pairs)};
  std::vector<typename Format::number> inputs(2 * pairs);
  for (std::int64_t token = call.tokens.begin; token < call.tokens.end; ++token) {
    rotate_token<Format>(work, token, query_in, query_out, query_in.heads, false, row, inputs);
    if (has_key) rotate_token<Format>(work, token, key_in, key_out, query_in.heads, true, row, inputs);
  }
}

// ---- The interface ----

template <fault Mistake>
std::int32_t make_plan(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error*) {
  *made = nullptr;
  const ropewalk_rotation& rotation = *reinterpret_cast<const ropewalk_rotation*>(encoding);
  const auto pairs = static_cast<std::size_t>(rotation.rotary_dim / 2);
  ropewalk_plan* plan = nullptr;
  try {
    plan = new ropewalk_plan;
    plan->turns.resize(pairs);
    plan->axis.resize(pairs);
  } catch (const std::bad_alloc&) {
    delete plan;
    return ROPEWALK_OUT_OF_MEMORY;
  }
  plan->mistake = Mistake;
  plan->rotary_dim = rotation.rotary_dim;
  plan->pairing_in = rotation.pairing_in;
  plan->pairing_out = rotation.pairing_out;
  plan->axes = static_cast<std::size_t>(rotation.axes);
  plan->attention_factor = rotation.attention_factor;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    std::copy_n(rotation.turns + 4 * pair, 4, plan->turns[pair].begin());
    plan->axis[pair] = rotation.axis == nullptr ? 0 : static_cast<std::size_t>(rotation.axis[pair]);
  }
  *made = plan;
  return ROPEWALK_OK;
}

std::int32_t apply_plan(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error*) {
  const ropewalk_rotation_call& call = *reinterpret_cast<const ropewalk_rotation_call*>(head);
  const bool has_batch = call.query_in.rank == 4;
  call_in_work work{.plan = *plan,
                    .call = call,
                    .batch = has_batch ? call.query_in.shape[0] : 1,
                    .tokens = call.query_in.shape[has_batch ? 1 : 0],
                    .factor = (call.flags & ROPEWALK_UNIT) != 0 ? 1 : plan->attention_factor,
                    .earlier_positions = {}};
  try {
    look_at_history(work);
    switch (call.query_in.dtype) {
      case ROPEWALK_F64: rotate_call<binary64>(work); break;
      case ROPEWALK_F32: rotate_call<binary32>(work); break;
      case ROPEWALK_F16: rotate_call<binary16>(work); break;
      case ROPEWALK_BF16: rotate_call<bfloat16>(work); break;
      default: return ROPEWALK_UNSUPPORTED;
    }
  } catch (const std::bad_alloc&) {
    return ROPEWALK_OUT_OF_MEMORY;
  }
  return ROPEWALK_OK;
}

void free_plan(ropewalk_plan* plan) { delete plan; }

// Rows are rounded to binary32, and binary16 and bfloat16 are rotated in binary32.
constexpr ropewalk_promise rounded_table = {.struct_size = sizeof(ropewalk_promise),
                                            .bits = ROPEWALK_BOUNDED,
                                            .frequency = ROPEWALK_UNROUNDED,
                                            .angle = ROPEWALK_UNROUNDED,
                                            .table = ROPEWALK_PART_F32,
                                            .rotation = ROPEWALK_PART_F32,
                                            .is_fused = 1,
                                            .entry = ROPEWALK_UNROUNDED,
                                            .sum = ROPEWALK_UNROUNDED};

// Everything is served. Invalid calls are left to the caller.
constexpr ropewalk_limits limits = {.struct_size = sizeof(ropewalk_limits),
                                    .dtypes = 0,
                                    .pairings = 0,
                                    .not_served = ROPEWALK_NO_CHECKS,
                                    .head_dims = nullptr,
                                    .head_dim_count = 0,
                                    .axes = 0,
                                    .position_begin = 0,
                                    .position_end = 0,
                                    .shapes = nullptr,
                                    .shape_count = 0,
                                    .forms = 0,
                                    .position_kinds = 0};

template <fault Mistake>
constexpr ropewalk_kernel kernel = {.struct_size = sizeof(ropewalk_kernel),
                                    .abi = ROPEWALK_ABI,
                                    .name = described_faults[static_cast<std::size_t>(Mistake)].name,
                                    .operation = ROPEWALK_ROTATE,
                                    .promise = &rounded_table,
                                    .limits = &limits,
                                    .plan = make_plan<Mistake>,
                                    .apply = apply_plan,
                                    .free_plan = free_plan};

template <std::size_t... Mistakes>
constexpr std::array<const ropewalk_kernel*, sizeof...(Mistakes)> kernels_of(
    std::index_sequence<Mistakes...>) {
  return {&kernel<static_cast<fault>(Mistakes)>...};
}

constexpr auto kernels = kernels_of(std::make_index_sequence<described_faults.size()>());

}  // namespace

extern "C" ROPEWALK_EXPORT const ropewalk_kernel* const* ropewalk_kernels(std::size_t* count) {
  *count = kernels.size();
  return kernels.data();
}
