// Pairs of channels turned by their position, in the plane; and a whole head.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "plot/waves.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk::plot {
namespace {

constexpr int turned_positions = 8;

struct plane_point {
  double x = 0;
  double y = 0;
};

/// (1, 0) of one pair, turned by a position.
plane_point turned(int pair, int position, const rope& config) {
  const auto result = rotation_matrix<drawn_limbs>(config, position, rotation_kind::unit).block(pair);
  return {drawn(result.cos), drawn(result.sin)};
}

panel circle_panel(std::string title) {
  panel result{.title = std::move(title),
               .x = {.title = "first channel",
                     .least = -1.25,
                     .most = 1.25,
                     .ticks = {{-1, "-1"}, {0, "0"}, {1, "1"}}},
               .y = {.title = "second channel",
                     .least = -1.25,
                     .most = 1.25,
                     .ticks = {{-1, "-1"}, {0, "0"}, {1, "1"}}}};
  result.is_square = true;
  result.series = {unit_circle()};
  return result;
}

/// Adds points, and the arms from the origin to them.
void add_points(panel& to, std::string name, const std::vector<plane_point>& points,
                const std::vector<std::string>& labels, const std::vector<std::string>& hints, int colour) {
  series arms{.name = "", .mark = mark::line, .x = {}, .y = {}, .colour = colour};
  series ends{.name = std::move(name),
              .mark = mark::points,
              .x = {},
              .y = {},
              .hints = hints,
              .labels = labels,
              .colour = colour};
  for (const plane_point& at : points) {
    arms.x.insert(arms.x.end(), {0, at.x, line_break});
    arms.y.insert(arms.y.end(), {0, at.y, line_break});
    ends.x.push_back(at.x);
    ends.y.push_back(at.y);
  }
  to.series.push_back(arms);
  to.series.push_back(ends);
}

panel pair_panel(int pair, const rope& config, double inv_freq) {
  panel result = circle_panel(fmt::format("Pair {}: {:.4g} rad per token", pair, inv_freq));
  std::vector<plane_point> points;
  const bool are_apart = inv_freq > 0.1;  // else labels would overlap
  std::vector<std::string> labels, hints;
  for (int position = 0; position < turned_positions; ++position) {
    labels.push_back(are_apart || position == 0 || position == turned_positions - 1 ? std::to_string(position)
                                                                                    : "");
    points.push_back(turned(pair, position, config));
    hints.push_back(fmt::format("position {}: ({:.4f}, {:.4f}), angle {:.4g} rad, norm 1", position,
                                points.back().x, points.back().y, position * inv_freq));
  }
  add_points(result, fmt::format("positions 0 to {}", turned_positions - 1), points, labels, hints, 0);
  return result;
}

double inv_freq_of(int pair, const rope& config) { return drawn(rope_inv_freq<drawn_limbs>(pair, config)); }

/// q = (1, 0, 1, 0) at position 2, with frequencies 1 and 0.1.
constexpr rope worked_example{.base = 100, .rotary_dim = 4};

panel example_panel() {
  panel result = circle_panel("(1, 0, 1, 0) at position 2");
  for (int pair = 0; pair < 2; ++pair) {
    const plane_point at = turned(pair, 2, worked_example);
    add_points(result, fmt::format("pair {}: ({:.2f}, {:.2f})", pair, at.x, at.y), {at}, {""},
               {fmt::format("pair {}: ({:.6f}, {:.6f})", pair, at.x, at.y)}, pair);
  }
  return result;
}

plane_point wave_point(int position, int pair) {
  const sinusoidal_channels at = channels_of(pair, gpt_2_shape);
  return {drawn(sinusoidal_entry<drawn_limbs>(position, at.cosine, gpt_2_shape)),
          drawn(sinusoidal_entry<drawn_limbs>(position, at.sine, gpt_2_shape))};
}

/// PE(p) and PE(p + k) of the sinusoids: an offset k turns every position by the same angle.
panel shift_panel() {
  constexpr int pair = 1, step = 2;
  panel result = circle_panel("Sinusoids, pair 1: 2 tokens on");
  result.x.title = "cosine (channel 3)";
  result.y.title = "sine (channel 2)";
  int colour = 0;
  for (const int position : {0, 3}) {
    std::vector<std::string> labels, hints;
    for (const int at : {position, position + step}) {
      labels.push_back(std::to_string(at));
      hints.push_back(fmt::format("position {}", at));
    }
    add_points(result, fmt::format("positions {} and {}", position, position + step),
               {wave_point(position, pair), wave_point(position + step, pair)}, labels, hints, colour++);
  }
  return result;
}

/// A head of ones at each position: (1, 1) in every pair, turned.
panel head_panel(const rope& config) {
  constexpr int positions = 64;
  const int pairs = std::min(pair_count(config), 64);
  const auto shared = share<drawn_limbs>(config);
  panel result{.title = "A vector of ones, turned",
               .x = counting_axis("channel", 2 * static_cast<std::size_t>(pairs)),
               .y = counting_axis("position (tokens)", positions)};
  heat_map cells{.rows = positions,
                 .columns = 2 * static_cast<std::size_t>(pairs),
                 .values = std::vector<double>(positions * 2 * static_cast<std::size_t>(pairs)),
                 .title = "entry",
                 .least = -1.5,
                 .most = 1.5,
                 .is_diverging = true};
  for (int pair = 0; pair < pairs; ++pair) {
    const drawn_number turns = rope_turns<drawn_limbs>(pair, config, shared);
    for (int position = 0; position < positions; ++position) {
      const auto at = cos_sin_of_turns(drawn_number::of(position) * turns);
      const std::size_t cell =
          static_cast<std::size_t>(position) * cells.columns + 2 * static_cast<std::size_t>(pair);
      cells.values[cell] = drawn(at.cos - at.sin);
      cells.values[cell + 1] = drawn(at.sin + at.cos);
    }
  }
  result.cells = std::move(cells);
  return result;
}

}  // namespace

figure rotation(const subject& subject) {
  const rope& config = subject.model.encoding;
  const int pairs = pair_count(config);
  figure rotation{
      .name = "rotation",
      .title = fmt::format("Rotation of pairs by their position: {}", label_of(subject)),
      .sentence =
          "A position turns each pair, early pairs fast and late ones slowly, and keeps its length: "
          "all points stay on the circle.",
      .alt = {},
      .command = command_of("rotation", subject),
      .panels = {},
      .columns = 2};
  std::string angles;
  for (const int pair : {0, pairs / 8, pairs / 4}) {
    if (!rotation.panels.empty() && pair == 0) continue;  // few pairs only
    const double inv_freq = inv_freq_of(pair, config);
    rotation.panels.push_back(pair_panel(pair, config, inv_freq));
    angles += fmt::format("pair {} turns by {:.4g} rad per token, ", pair, inv_freq);
  }
  rotation.panels.insert(rotation.panels.end(), {example_panel(), shift_panel(), head_panel(config)});
  const plane_point first = turned(0, 2, worked_example), second = turned(1, 2, worked_example);
  rotation.alt = fmt::format(
      "{} Of {} pairs, {}the last by {:.4g}. The worked example turns (1, 0, 1, 0) at position 2 into "
      "({:.2f}, {:.2f}, {:.2f}, {:.2f}).",
      rotation.sentence, pairs, angles, inv_freq_of(pairs - 1, config), first.x, first.y, second.x, second.y);
  return rotation;
}

}  // namespace ropewalk::plot
