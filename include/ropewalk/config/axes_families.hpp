#pragma once
// Assignments of pairs to axes, each named after the first model that used it. A program can define further
// assignments as constants; the command line reads them as JSON.

#include <span>
#include <string_view>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk {

/// A model's rotation by coordinates.
struct axes_family {
  std::string_view name;     // words joined by hyphens
  std::string_view summary;  // the axes in the order of their rows of positions
  rope encoding;             // the published model's base, channels and scaling rule
  int head_dim;
  pairing layout;
  rope_axes (*axes_of)(int pairs);  // the axes of a head with that many pairs
  std::string_view source;
};

namespace detail {

/// `first` pairs for axis 0, and halves of the others for axes 1 and 2.
constexpr rope_axes first_and_halves(int first, int pairs) {
  const int second = (pairs - first) / 2;
  return own_axes(first, second, pairs - first - second);
}
/// A third of the pairs for height and width, rounded down, and the others for time.
constexpr rope_axes thirds(int pairs) { return first_and_halves(pairs - 2 * (pairs / 3), pairs); }
constexpr rope_axes equal_thirds(int pairs) { return first_and_halves(pairs / 3, pairs); }
constexpr rope_axes eighth_and_halves(int pairs) { return first_and_halves(pairs / 8, pairs); }
constexpr rope_axes quarter_and_halves(int pairs) { return first_and_halves(pairs / 4, pairs); }
constexpr rope_axes half_and_quarters(int pairs) { return first_and_halves(pairs / 2, pairs); }
constexpr rope_axes equal_quarters(int pairs) {
  return own_axes(pairs / 4, pairs / 4, pairs / 4, pairs - 3 * (pairs / 4));
}
constexpr rope_axes halves(int pairs) { return qwen_vision(pairs); }

/// The axes with these frequencies on each.
constexpr rope_axes with_turn(rope_axes axes, const frequencies& turn) {
  for (int axis = 0; axis < axes.count; ++axis) axes.axis[static_cast<std::size_t>(axis)].turn = turn;
  return axes;
}

/// The axes in round-robin order.
constexpr rope_axes in_turn(rope_axes axes) {
  axes.order = axis_order::round_robin;
  return axes;
}

/// LTX-Video: rising frequencies in quarter turns on each axis. The remaining pairs come first and stand
/// still.
constexpr rope_axes rising(int pairs, int count, double base = 10000) {
  const int each = pairs / count;
  rope_axes rising{.count = count, .order = axis_order::round_robin, .frequencies_of = axis_frequencies::own};
  for (int axis = 0; axis < count; ++axis)
    rising.axis[static_cast<std::size_t>(axis)] = {
        each, geometric_between({1, 1}, {base, 1}, angle_unit::quarter_turn)};
  rising.still_pairs = pairs - count * each;
  return rising;
}
constexpr rope_axes rising_video(int pairs) { return rising(pairs, 3); }
constexpr rope_axes rising_audio(int pairs) { return rising(pairs, 1); }

constexpr rope_axes of_cosmos(int pairs) {
  rope_axes axes = thirds(pairs);
  axes.axis[0].scaling = ntk{.factor = 2};
  return axes;
}
constexpr rope_axes of_cosmos_2_5(int pairs) {
  rope_axes axes = thirds(pairs);
  axes.axis[1].scaling = axes.axis[2].scaling = ntk{.factor = 3};
  return axes;
}
constexpr rope_axes in_turns_of_100(int pairs) {
  return with_turn(halves(pairs), falling_from_one(100, 0, angle_unit::turn));
}
constexpr rope_axes thirds_in_turns_of_100(int pairs) {
  return with_turn(equal_thirds(pairs), falling_from_one(100, 0, angle_unit::turn));
}
constexpr rope_axes linear_half_turns(int pairs) {
  return with_turn(halves(pairs), linear_between({1, 1}, {112, 1}, angle_unit::half_turn));
}
constexpr rope_axes of_ernie(int pairs) {
  const int time = pairs * 5 / 16, other = (pairs - time) / 2;
  rope_axes axes = mrope(time, other, pairs - time - other);
  axes.order = axis_order::alternating;
  return axes;
}
constexpr rope_axes shared_quarters(int pairs) {
  rope_axes quarters = equal_quarters(pairs);
  quarters.frequencies_of = axis_frequencies::shared;
  return quarters;
}
constexpr rope_axes shared_in_turn(int pairs) {
  rope_axes axes = in_turn(halves(pairs));
  axes.frequencies_of = axis_frequencies::shared;
  return axes;
}
constexpr rope_axes halves_in_turn(int pairs) { return in_turn(halves(pairs)); }
constexpr rope_axes of_ideogram(int pairs) {
  const int other = pairs * 5 / 32;
  return mrope_interleaved(pairs - 2 * other, other, other);
}

inline constexpr auto il = pairing::interleaved, hs = pairing::half_split,
                      by_axis = pairing::half_split_by_axis;

inline constexpr axes_family families[] = {
    {"pixtral", "row, column", {10000, 64}, 64, hs, pixtral, "PixtralRotaryEmbedding, transformers"},
    {"qwen-vision", "height, width", {10000, 80}, 80, hs, halves, "VisionRotaryEmbedding, transformers"},
    {"wan", "time, height, width", {10000, 128}, 128, il, thirds, "WanRotaryPosEmbed, diffusers"},
    {"flux", "0, row, column", {10000, 128}, 128, il, eighth_and_halves, "FluxPosEmbed, diffusers"},
    {"flux-2", "time, row, column, text", {2000, 128}, 128, il, equal_quarters, "Flux2PosEmbed, diffusers"},
    {"hunyuan-video",
     "time, height, width",
     {256, 128},
     128,
     il,
     eighth_and_halves,
     "HunyuanVideoRotaryPosEmbed, diffusers"},
    {"hunyuan-image-2.1",
     "height, width",
     {256, 128},
     128,
     il,
     halves,
     "HunyuanImageRotaryPosEmbed, diffusers"},
    {"hunyuan-image-3", "row, column", {10000, 128}, 128, hs, shared_in_turn, "HunyuanImage-3.0"},
    {"hunyuan-dit", "width, height", {10000, 88}, 88, il, halves, "HunyuanDiT2DModel, diffusers"},
    {"hunyuan-vl",
     "position, width, height, time",
     {10000, 128, ntk{1000}},
     128,
     hs,
     shared_quarters,
     "xdrope of hunyuan_vl, transformers"},
    {"cogvideox",
     "time, height, width",
     {10000, 64},
     64,
     il,
     quarter_and_halves,
     "get_3d_rotary_pos_embed, diffusers"},
    {"cogview4", "height, width", {10000, 128}, 128, hs, halves, "CogView4RotaryPosEmbed, diffusers"},
    {"cosmos-1", "time, height, width", {10000, 128}, 128, hs, of_cosmos, "CosmosRotaryPosEmbed, diffusers"},
    {"cosmos-2.5",
     "time, height, width",
     {10000, 128},
     128,
     hs,
     of_cosmos_2_5,
     "CosmosRotaryPosEmbed, diffusers"},
    {"ltx-video",
     "time, height, width",
     {10000, 2048},
     2048,
     il,
     rising_video,
     "LTXVideoRotaryPosEmbed, diffusers"},
    {"ltx-2", "time, height, width", {10000, 4096}, 4096, il, rising_video, "LTX2RotaryPosEmbed, diffusers"},
    {"ltx-2-audio", "time", {10000, 2048}, 2048, il, rising_audio, "LTX2RotaryPosEmbed, diffusers"},
    {"qwen-image",
     "time, height, width",
     {10000, 128},
     128,
     il,
     eighth_and_halves,
     "QwenEmbedRope, diffusers"},
    {"lumina-2", "text, row, column", {10000, 96}, 96, il, equal_thirds, "Lumina2RotaryPosEmbed, diffusers"},
    {"z-image",
     "text, row, column",
     {256, 128},
     128,
     il,
     quarter_and_halves,
     "ZImageTransformer2DModel, diffusers"},
    {"krea-2", "time, row, column", {1000, 128}, 128, il, quarter_and_halves, "Krea2, diffusers"},
    {"hidream", "0, row, column", {10000, 128}, 128, il, half_and_quarters, "HiDreamImage, diffusers"},
    {"kandinsky-5", "time, height, width", {10000, 64}, 64, il, quarter_and_halves, "Kandinsky5, diffusers"},
    {"ideogram-4", "time, height, width", {5000000, 256}, 256, hs, of_ideogram, "Ideogram4, diffusers"},
    {"minimax-h3", "time, height, width", {10000, 96}, 128, hs, equal_thirds, "MiniMaxH3, diffusers"},
    {"minimax-h3-vae",
     "time, height, width",
     {10000, 48},
     64,
     hs,
     thirds_in_turns_of_100,
     "AutoencoderKLMiniMaxH3, diffusers"},
    {"minimax-m3-vision",
     "time, height, width",
     {10000, 78},
     80,
     hs,
     equal_thirds,
     "MiniMax-M3-VL, transformers"},
    {"dinov3",
     "height, width",
     {100, 64},
     64,
     hs,
     in_turns_of_100,
     "DINOv3ViTRopePositionEmbedding, transformers"},
    {"eva-02", "height, width", {10000, 64}, 64, il, halves, "RotaryEmbeddingCat, timm"},
    {"eva-02-pixel", "height, width", {10000, 64}, 64, il, linear_half_turns, "pixel_freq_bands, timm"},
    {"rope-vit", "column, row", {100, 64}, 64, il, halves, "compute_axial_cis, RoPE-ViT"},
    {"llama-4-vision",
     "column, row",
     {10000, 88},
     88,
     il,
     halves,
     "Llama4VisionRotaryEmbedding, transformers"},
    {"ernie-4.5-vl",
     "time, height, width",
     {500000, 128},
     128,
     il,
     of_ernie,
     "Ernie4_5_VLMoeTextRotaryEmbedding, transformers"},
    {"moonvit", "column, row", {10000, 72}, 72, il, halves_in_turn, "Rope2DPosEmb, Kimi-VL"},
    {"efficient-loftr",
     "row, column",
     {10000, 256},
     256,
     il,
     halves_in_turn,
     "EfficientLoFTRRotaryEmbedding, transformers"},
    {"sam-2", "column, row", {10000, 256}, 256, il, halves, "Sam2VideoVisionRotaryEmbedding, transformers"},
    {"sam-3", "column, row", {10000, 64}, 64, il, halves, "Sam3ViTRotaryEmbedding, transformers"},
    {"allegro", "time, height, width", {10000, 96}, 96, by_axis, equal_thirds, "AllegroRoPE, diffusers"},
    {"gemma-4-vision",
     "column, row",
     {100, 64},
     64,
     by_axis,
     halves,
     "Gemma4VisionRotaryEmbedding, transformers"},
    {"croco", "row, column", {100, 64}, 64, by_axis, halves, "RoPE2D, CroCo v2, DUSt3R and VGGT"}};

}  // namespace detail

/// Every family, once.
constexpr std::span<const axes_family> axes_families() { return detail::families; }

/// The family with this name; null if there is none.
constexpr const axes_family* family_named(std::string_view name) {
  for (const axes_family& family : detail::families)
    if (family.name == name) return &family;
  return nullptr;
}

}  // namespace ropewalk
