// Single channels of the sinusoidal encoding at every position: i = 1, 50, 150 of GPT-2's shape; products of
// its rows; and wavelengths for other bases.

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "plot/waves.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk::plot {
namespace {

constexpr int drawn_indices[] = {1, 50, 150};

constexpr std::size_t close_positions = 64;

series channel_series(const wave_rows& waves, int channel, std::size_t positions, mark how, int colour) {
  const bool is_sine = content_of(channel, gpt_2_shape).holds == wave::sine;
  series result{.name = is_sine ? "sine, channel 2i" : "cosine, channel 2i + 1",
                .mark = how,
                .x = indices(positions),
                .y = waves.channel(static_cast<std::size_t>(channel)),
                .colour = colour};
  result.y.resize(positions);
  if (how == mark::line) return result;  // too dense for tooltips
  for (std::size_t position = 0; position < positions; ++position)
    result.hints.push_back(
        fmt::format("position {}, channel {}: {:.4f}", position, channel, result.y[position]));
  return result;
}

panel channels_panel(std::string title, std::size_t positions) {
  return {.title = std::move(title),
          .x = counting_axis("position (tokens)", positions),
          .y = {.title = "entry", .least = -1.1, .most = 1.1}};
}

/// i counts pairs, as in the paper: the sine of pair i is channel 2i, its cosine channel 2i + 1.
panel all_positions(const wave_rows& waves, int i) {
  panel positions = channels_panel(
      fmt::format("i = {}: a turn in {:.4g} tokens", i, wavelength_of(i, gpt_2_shape)), waves.count());
  positions.series = {channel_series(waves, channels_of(i, gpt_2_shape).sine, waves.count(), mark::line, 0)};
  return positions;
}

panel first_positions(const wave_rows& waves, int i) {
  const sinusoidal_channels at = channels_of(i, gpt_2_shape);
  panel positions =
      channels_panel(fmt::format("i = {}: the first {} positions", i, close_positions), close_positions);
  positions.series = {channel_series(waves, at.sine, close_positions, mark::line_with_points, 0),
                      channel_series(waves, at.cosine, close_positions, mark::line_with_points, 1)};
  return positions;
}

/// Products of one row with later rows; they are the same from every row.
panel shifts_panel(const wave_rows& waves) {
  constexpr std::size_t longest = 200;
  panel result{.title = "Product of row p and a later row",
               .x = {.title = "distance between the rows (tokens)"},
               .y = {.title = "PE(p) . PE(p + distance)", .least = 0}};
  constexpr std::size_t starts[] = {0, 300, 800};
  constexpr mark marks[] = {mark::line, mark::dashed_line, mark::points};
  for (std::size_t i = 0; i < std::size(starts); ++i) {
    series series{.name = fmt::format("p = {}", starts[i]),
                  .mark = marks[i],
                  .x = {},
                  .y = {},
                  .colour = 2 + static_cast<int>(i)};
    for (std::size_t distance = 0; distance <= longest; distance += marks[i] == mark::points ? 10 : 1) {
      series.x.push_back(static_cast<double>(distance));
      series.y.push_back(waves.product(starts[i], starts[i] + distance));
    }
    result.series.push_back(series);
  }
  return result;
}

/// Tokens in which the last pair turns once.
double slowest_of(double base) {
  const sinusoidal config{.base = base, .d_model = gpt_2_shape.d_model};
  return wavelength_of(pair_count(config) - 1, config);
}

/// Wavelengths for several bases: the base sets how slowly the last pairs turn.
panel bases_panel() {
  panel result{.title = "Wavelengths for other bases",
               .x = counting_axis("pair", static_cast<std::size_t>(pair_count(gpt_2_shape))),
               .y = {.title = "wavelength (tokens per turn)", .scale = scale::log10}};
  int colour = 5;  // other curves of this figure have the sheet's earlier colours
  for (const double base : {100.0, 10000.0, 100000.0}) {
    const sinusoidal config{.base = base, .d_model = gpt_2_shape.d_model};
    series series{
        .name = fmt::format("base {}", base), .mark = mark::line, .x = {}, .y = {}, .colour = colour++};
    for (int pair = 0; pair < pair_count(config); pair += 8) {
      series.x.push_back(pair);
      series.y.push_back(wavelength_of(pair, config));
      series.hints.push_back(fmt::format("base {}, pair {}: {:.6g} tokens", base, pair, series.y.back()));
    }
    result.series.push_back(series);
  }
  result.series.push_back(
      {.name = "1024 positions",
       .mark = mark::dashed_line,
       .role = role::reference,
       .x = {0, static_cast<double>(pair_count(gpt_2_shape) - 1)},
       .y = {static_cast<double>(gpt_2_positions), static_cast<double>(gpt_2_positions)}});
  return result;
}

}  // namespace

figure oscillations(const subject& /*of*/) {
  const wave_rows waves(gpt_2_shape, gpt_2_positions);
  figure oscillations{.name = "oscillations",
                      .title = "Oscillations of the sinusoidal encoding at i = 1, 50, 150 of 768 channels",
                      .sentence = {},
                      .alt = {},
                      .command = command_of("oscillations"),
                      .panels = {},
                      .columns = 2};
  std::string pairs, channels;
  for (const int i : drawn_indices) {
    oscillations.panels.push_back(all_positions(waves, i));
    oscillations.panels.push_back(first_positions(waves, i));
    pairs += fmt::format("{}{:.4g}", pairs.empty() ? "" : ", ", wavelength_of(i, gpt_2_shape));
    channels += fmt::format("{}{:.4g}", channels.empty() ? "" : ", ",
                            wavelength_of(content_of(i, gpt_2_shape).pair, gpt_2_shape));
  }
  oscillations.panels.push_back(shifts_panel(waves));
  oscillations.panels.push_back(bases_panel());
  oscillations.sentence = fmt::format(
      "The larger the index, the slower the oscillation: i = 1, 50, 150 turn once in {} tokens where i "
      "counts pairs, as in the formula and here, and in {} where it counts channels.",
      pairs, channels);
  oscillations.alt = fmt::format(
      "{} {} positions of a table of 768 channels; every entry lies between -1 and 1. The product of two "
      "rows depends only on their distance: {:.4g} at distance 0, {:.4g} at 10 and {:.4g} at 200, wherever "
      "they begin. The slowest pair takes {:.5g} tokens per turn; with base 100 it takes {:.4g}, with base "
      "100000 {:.6g}.",
      oscillations.sentence, gpt_2_positions, waves.product(0, 0), waves.product(300, 310),
      waves.product(800, 1000), slowest_of(10000), slowest_of(100), slowest_of(100000));
  return oscillations;
}

}  // namespace ropewalk::plot
