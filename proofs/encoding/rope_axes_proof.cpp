// Rotary embeddings on several axes: the pairs of each section, the frequencies in use, and the distances on
// which a score depends.

#include "ropewalk/config/axes_families.hpp"
#include "ropewalk/encoding/rope_axes.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace rope_axes_proof {

using namespace ropewalk;

constexpr int limb_count = 2;
using real = enclosure<limb_count>;

constexpr rope qwen_2_vl{.base = 1000000, .rotary_dim = 128};
constexpr rope_axes qwen_2_vl_axes = mrope(16, 24, 24);
constexpr rope qwen_3_vl{.base = 5000000, .rotary_dim = 128};
constexpr rope_axes qwen_3_vl_axes = mrope_interleaved(24, 20, 20);
constexpr rope image{.base = 10000, .rotary_dim = 64};
constexpr rope_axes of_pixtral = pixtral(32), of_qwen = qwen_vision(32);

/// Two numbers agree if the difference of their enclosures stays below this.
constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90

constexpr bool agree(const real& x, const real& y) { return magnitude_above(x - y) < narrow; }

/// In both layouts of M-RoPE, each axis has the number of pairs of its section.
consteval bool sections_hold_as_many_pairs_as_they_say(const rope_axes& axes, const rope& config) {
  std::array<int, 3> counted{};
  for (int pair = 0; pair < pair_count(config); ++pair)
    ++counted[static_cast<std::size_t>(axis_of(pair, axes, config).axis)];
  return counted == sections_of(axes);
}
static_assert(sections_hold_as_many_pairs_as_they_say(qwen_2_vl_axes, qwen_2_vl));
static_assert(sections_hold_as_many_pairs_as_they_say(qwen_3_vl_axes, qwen_3_vl));
static_assert(sections_hold_as_many_pairs_as_they_say(mrope_interleaved(2, 2, 1), {.rotary_dim = 10}));

/// A text token has the same position on every axis, and M-RoPE then equals the one-axis embedding; checked
/// for eight pairs.
consteval bool tokens_of_text_turn_as_on_one_axis(const rope_axes& axes, const rope& config) {
  for (const int pair : {0, 1, 2, 15, 16, 40, 61, 63}) {
    const auto several = rope_axes_block<limb_count>(pair, std::array{1234, 1234, 1234}, axes, config);
    const auto first = rotation_matrix<limb_count>(config, 1234).block(pair);
    if (!agree(several.cos, first.cos) || !agree(several.sin, first.sin)) return false;
  }
  return true;
}
static_assert(tokens_of_text_turn_as_on_one_axis(qwen_2_vl_axes, qwen_2_vl));
static_assert(tokens_of_text_turn_as_on_one_axis(qwen_3_vl_axes, qwen_3_vl));

/// Pixtral gives each frequency to one axis. Qwen2-VL's encoder gives all axes the same frequencies, every
/// second one of the embedding.
consteval bool pixtral_uses_every_frequency_once_and_qwen_vision_half_of_them_twice() {
  std::array<int, 32> by_pixtral{};
  for (int pair = 0; pair < 32; ++pair) {
    ++by_pixtral[static_cast<std::size_t>(axis_of(pair, of_pixtral, image).frequency)];
    if (axis_of(pair, of_qwen, image) != pair_axis{pair / 16, pair % 16}) return false;
    if (!agree(rope_axes_inv_freq<limb_count>(pair, of_qwen, image),
               rope_inv_freq<limb_count>(2 * (pair % 16), image)))
      return false;
  }
  for (const int uses : by_pixtral)
    if (uses != 1) return false;
  return true;
}
static_assert(pixtral_uses_every_frequency_once_and_qwen_vision_half_of_them_twice());

/// base^(-4 i / rotary_dim): a rope of half the channels, as Qwen2-VL's encoder builds it.
consteval bool qwen_vision_is_a_rope_of_half_the_channels_on_each_axis() {
  const rope half{.base = image.base, .rotary_dim = image.rotary_dim / 2};
  for (int pair = 0; pair < 32; ++pair)
    if (!agree(rope_axes_inv_freq<limb_count>(pair, of_qwen, image),
               rope_inv_freq<limb_count>(pair % 16, half)))
      return false;
  return true;
}
static_assert(qwen_vision_is_a_rope_of_half_the_channels_on_each_axis());

/// R(m)^T R(n) is R(n - m), axis by axis, so a score depends only on the distance of two tokens along each
/// axis; checked for every fifth pair.
template <rope_axes Axes, rope Config, class Positions>
consteval bool scores_depend_on_the_distance_along_each_axis(Positions m, Positions n) {
  Positions apart = n;
  for (std::size_t axis = 0; axis < n.size(); ++axis) apart[axis] = n[axis] - m[axis];
  for (int pair = 0; pair < pair_count(Config); pair += 5) {
    const auto a = rope_axes_block<limb_count>(pair, m, Axes, Config);
    const auto b = rope_axes_block<limb_count>(pair, n, Axes, Config);
    const auto c = rope_axes_block<limb_count>(pair, apart, Axes, Config);
    if (!agree(a.cos * b.cos + a.sin * b.sin, c.cos) || !agree(a.cos * b.sin - a.sin * b.cos, c.sin))
      return false;
  }
  return true;
}
static_assert(scores_depend_on_the_distance_along_each_axis<qwen_2_vl_axes, qwen_2_vl>(std::array{3, 40, 7},
                                                                                       std::array{9, 2, 55}));
static_assert(scores_depend_on_the_distance_along_each_axis<of_pixtral, image>(std::array{3, 40},
                                                                               std::array{9, 2}));

/// In every order, the pairs of an axis have the indices 0, 1, 2, ... on it, once each and in this order.
consteval bool each_axis_counts_its_own_pairs(rope_axes axes, const rope& config) {
  axes.frequencies_of = axis_frequencies::own;
  std::array<int, largest_axis_count> next{};
  for (int pair = axes.still_pairs; pair < pair_count(config); ++pair) {
    const pair_axis pair_axis = axis_of(pair, axes, config);
    if (pair_axis.frequency != next[static_cast<std::size_t>(pair_axis.axis)]++) return false;
  }
  for (int axis = 0; axis < axes.count; ++axis)
    if (next[static_cast<std::size_t>(axis)] != pairs_of_axis(axis, axes, config)) return false;
  return true;
}
consteval rope_axes ordered(rope_axes axes, axis_order order, int rest = 0, int still_pairs = 0) {
  axes.order = order;
  axes.rest = rest;
  axes.still_pairs = still_pairs;
  return axes;
}
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(3, 0, 2, 4), axis_order::runs),
                                             {.rotary_dim = 18}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(3, 3, 3), axis_order::round_robin, 0, 2),
                                             {.rotary_dim = 22}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(5, 2, 1), axis_order::modulo),
                                             {.rotary_dim = 16}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(2, 4, 1), axis_order::modulo, 1),
                                             {.rotary_dim = 14}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(2, 2, 1, 3), axis_order::modulo, 3, 1),
                                             {.rotary_dim = 18}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(4, 3, 3), axis_order::alternating),
                                             {.rotary_dim = 20}));
static_assert(each_axis_counts_its_own_pairs(ordered(own_axes(3, 1, 3, 3), axis_order::alternating, 1),
                                             {.rotary_dim = 20}));

consteval bool every_family_is_valid_on_its_models_head() {
  for (const axes_family& family : axes_families()) {
    validate(family.axes_of(pair_count(family.encoding)), family.encoding);
    if (family.encoding.rotary_dim > family.head_dim || family_named(family.name) != &family) return false;
  }
  return true;
}
static_assert(every_family_is_valid_on_its_models_head());

/// Pairs of published models: half of the channels that a configuration or code gives each axis.
consteval bool has_pairs(std::string_view name, std::array<int, 3> pairs) {
  const axes_family& family = *family_named(name);
  return sections_of(family.axes_of(pair_count(family.encoding))) == pairs;
}
static_assert(has_pairs("wan", {22, 21, 21}) && has_pairs("flux", {8, 28, 28}) &&
              has_pairs("cogvideox", {8, 12, 12}) && has_pairs("hidream", {32, 16, 16}) &&
              has_pairs("krea-2", {16, 24, 24}) && has_pairs("ideogram-4", {88, 20, 20}) &&
              has_pairs("ernie-4.5-vl", {20, 22, 22}) && has_pairs("ltx-video", {341, 341, 341}) &&
              has_pairs("minimax-m3-vision", {13, 13, 13}));

}  // namespace rope_axes_proof
