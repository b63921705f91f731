// The sinusoidal encoding in GPT-2's shape as a heat map.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "plot/waves.hpp"

namespace ropewalk::plot {
namespace {

/// The first rows and channels as a heat map.
panel rows_panel(const wave_rows& waves, std::size_t positions, std::size_t channels, std::string title) {
  panel result{.title = std::move(title),
               .x = counting_axis("channel", channels),
               .y = counting_axis("position (tokens)", positions)};
  heat_map cells{.rows = positions,
                 .columns = channels,
                 .values = {},
                 .title = "entry",
                 .least = -1,
                 .most = 1,
                 .is_diverging = true};
  cells.values.reserve(positions * channels);
  for (std::size_t position = 0; position < positions; ++position)
    for (std::size_t channel = 0; channel < channels; ++channel)
      cells.values.push_back(waves.at(position, channel));
  result.cells = std::move(cells);
  return result;
}

/// Pairs that do not complete a turn within the positions.
int unfinished_pairs(const sinusoidal& config) {
  int pairs = 0;
  for (int pair = 0; pair < pair_count(config); ++pair)
    pairs += wavelength_of(pair, config) > static_cast<double>(gpt_2_positions);
  return pairs;
}

}  // namespace

figure sinusoids(const subject& /*of*/) {
  const wave_rows waves(gpt_2_shape, gpt_2_positions);
  const int last = pair_count(gpt_2_shape) - 1, unfinished = unfinished_pairs(gpt_2_shape);
  figure sinusoids{
      .name = "sinusoids",
      .title = "The sinusoidal encoding, 1024 positions x 768 channels, base 10000",
      .sentence = fmt::format("Channels on the left repeat every {:.3g} tokens, those on the right barely "
                              "change: {} of {} pairs do not complete a turn within {} positions.",
                              wavelength_of(0, gpt_2_shape), unfinished, last + 1, gpt_2_positions),
      .alt = {},
      .command = command_of("sinusoids"),
      .panels = {rows_panel(waves, waves.count(), waves.width, "All rows"),
                 rows_panel(waves, 64, 128, "The first 64 rows and 128 channels")}};
  sinusoids.alt = fmt::format(
      "{} Even channels are sines and odd ones cosines. Row 0 is 0, 1, 0, 1 and so on; every row has the "
      "norm {:.4g}, the square root of 384. The wavelength grows to {:.5g} tokens at pair {}; with base "
      "100000, as one document prints it, to {:.6g}. The product of two rows depends only on their "
      "distance: {:.4g} at distance 0, {:.4g} at distance 10.",
      sinusoids.sentence, std::sqrt(waves.product(0, 0)), wavelength_of(last, gpt_2_shape), last,
      wavelength_of(last, {.base = 100000, .d_model = gpt_2_shape.d_model}), waves.product(0, 0),
      waves.product(500, 510));
  return sinusoids;
}

}  // namespace ropewalk::plot
