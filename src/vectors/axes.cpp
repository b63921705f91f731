// Rotations with positions on several axes: text beside pictures, pictures, and videos.

#include <algorithm>
#include <cmath>
#include <string>

#include "ropewalk/encoding/rope_axes.hpp"
#include "vectors/answers.hpp"
#include "vectors/drawn_cases.hpp"

namespace ropewalk::vectors {
namespace {

/// Some tokens of a call on the model's own grid, including the last one.
drawn_call some_tokens(const input::axis_positions& positions, std::int64_t count) {
  const std::int64_t tokens = positions.tokens(), taken = std::min(count, tokens);
  drawn_call call{.tokens = taken, .is_real = positions.is_real()};
  for (int axis = 0; axis < positions.axes; ++axis)
    for (std::int64_t i = 0; i < taken; ++i)
      call.positions.push_back(positions.numbers_at(
          taken == 1 ? tokens - 1 : i * (tokens - 1) / (taken - 1))[static_cast<std::size_t>(axis)]);
  return call;
}

/// One token with a nonzero position on one axis only.
drawn_call along(int axes, int axis, double position) {
  drawn_call along;
  for (int index = 0; index < axes; ++index) along.positions.push_back(index == axis ? position : 0);
  return along;
}

bool has_parts(const drawn_call& call) {
  return std::any_of(call.positions.begin(), call.positions.end(),
                     [](double x) { return x != std::floor(x); });
}

void add_model(topic& to, std::string_view name, ropewalk_dtype dtype) {
  call_group group{
      "axes-" + std::string(name) + "-" + std::string(name_of(dtype)), subject_of(name), dtype, {}};
  const model::model in = std::get<verify::rotation_subject>(group.encoding).model;
  const int axes = axis_count(in.axes);
  for (int axis = 0; axis < axes; ++axis)
    group.cases.push_back(drawn(group, along(axes, axis, 29), {"OneAxis", "AxesDiffer"}));
  const std::vector<input::axis_positions> own = own_calls(in);
  if (!own.empty()) {
    const drawn_call call = some_tokens(own.front(), 3);
    group.cases.push_back(
        drawn(group, call, {"AxesDiffer", has_parts(call) ? "RealPosition" : "SeveralTokens"}));
  } else {
    drawn_call call{.tokens = 2};
    for (int axis = 0; axis < axes; ++axis)
      for (const int token : {0, 1}) call.positions.push_back(token == 0 ? 1000 : 1000 + 7 * (axis + 1));
    group.cases.push_back(drawn(group, call, {"AxesDiffer", "SeveralTokens"}));
  }
  to.calls.push_back(std::move(group));
}

/// Coordinates that are not whole numbers, on one axis and on two.
void add_real_positions(topic& to) {
  call_group group{"axes-real-f32", subject_by_hand(10000, 16, 16, pairing::interleaved), ROPEWALK_F32, {}};
  for (const double position : {0.5, 1.0 / 3, -2.25, 1e-3, 4095.999, 1234567.875})
    group.cases.push_back(drawn(group, {.positions = {position}, .is_real = true}, {"RealPosition"}));
  to.calls.push_back(std::move(group));
}

/// Axes in combinations that no model of the catalogue has: frequencies on a line, and of a base; a scaled
/// and shifted index; pairs that stand still.
void add_axes_by_hand(topic& to, axis_order order) {
  verify::rotation_subject subject = subject_by_hand(10000, 24, 24, pairing::interleaved);
  subject.model.name += std::string(", ") + name_of(order);
  rope_axes& axes = subject.model.axes;
  axes.count = 2;
  axes.frequencies_of = axis_frequencies::own;
  axes.order = order;
  axes.axis[0] = {.pairs = 5, .turn = linear_between({1, 1}, {4, 1})};
  axes.axis[1] = {.pairs = 5};
  axes.still_pairs = 2;
  subject.model.coordinates[1] = {{2, 7}, {-3, 2}};
  call_group group{
      std::string("axes-by-hand-") + name_of(order) + "-f32", std::move(subject), ROPEWALK_F32, {}};
  for (const int axis : {0, 1})
    group.cases.push_back(drawn(group, along(2, axis, 29), {"OneAxis", "AxesDiffer"}));
  group.cases.push_back(
      drawn(group, {.tokens = 3, .positions = {0, -7, 300, 11, 5, -3}}, {"AxesDiffer", "SeveralTokens"}));
  to.calls.push_back(std::move(group));
}

}  // namespace

topic axes_topic() {
  topic result{"axes", "Rotary position embedding on several axes",
               "https://arxiv.org/abs/2409.12191 https://arxiv.org/abs/2403.13298"};
  for (const char* name : {"qwen2-vl-7b", "qwen3-vl-8b"}) {
    add_model(result, name, ROPEWALK_F32);
    add_model(result, name, ROPEWALK_BF16);
  }
  for (const char* name :
       {"qwen2.5-vl-vision", "pixtral-vision", "wan-2.1-14b", "flux.1-dev", "flux.2-dev", "qwen-image",
        "hunyuan-video", "cogvideox-5b", "cosmos-1", "dinov3-vitl16", "allegro", "gemma-4-e4b-vision",
        "z-image", "sam-3-vit", "kimi-k2.5-vision", "easyanimate"})
    add_model(result, name, ROPEWALK_F32);
  add_real_positions(result);
  add_axes_by_hand(result, axis_order::runs);
  add_axes_by_hand(result, axis_order::round_robin);
  for (call_group& call : result.calls) answer_canonically(call);
  return result;
}

}  // namespace ropewalk::vectors
