// Codes of an index: its binary digits beside sinusoids of doubling wavelengths, and its share of a length.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "plot/waves.hpp"
#include "ropewalk/encoding/index_code.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk::plot {
namespace {

constexpr int bits_drawn = 5;
constexpr std::int64_t codes_drawn = 32;
constexpr index_code five_bits{.kind = index_code_kind::binary, .width = bits_drawn};
// base^(2 i / d_model) = 2^i: each wavelength is twice the one before, as for bits.
constexpr sinusoidal doubling_waves{.base = 32, .d_model = 2 * bits_drawn};
constexpr double spacing = 2.6;  // between stacked curves

double bit_at(std::int64_t position, int bit, const index_code& config) {
  return drawn(index_code_entry<drawn_limbs>(position, bit, config));
}

double sine_at(double position, int pair) {
  return drawn(
      sinusoidal_entry<drawn_limbs>(position, channels_of(pair, doubling_waves).sine, doubling_waves));
}

/// [positions, bits] as a heat map.
template <class Entry>
panel codes_panel(std::string title, std::string column, double least, Entry entry) {
  panel result{.title = std::move(title),
               .x = {.title = std::move(column)},
               .y = counting_axis("position (tokens)", codes_drawn)};
  result.cells = heat_map{.rows = codes_drawn,
                          .columns = bits_drawn,
                          .values = {},
                          .title = "entry",
                          .least = least,
                          .most = 1,
                          .is_diverging = least < 0};
  for (int k = 0; k < bits_drawn; ++k) result.x.ticks.push_back({static_cast<double>(k), std::to_string(k)});
  for (std::int64_t position = 0; position < codes_drawn; ++position)
    for (int column_at = 0; column_at < bits_drawn; ++column_at)
      result.cells->values.push_back(entry(position, column_at));
  return result;
}

panel curves_panel(std::string title, std::string_view noun) {
  panel result{.title = std::move(title),
               .x = counting_axis("position (tokens)", codes_drawn),
               .y = {.title = fmt::format("entry, one {} above the other", noun),
                     .least = -1.3,
                     .most = spacing * (bits_drawn - 1) + 1.3}};
  for (int k = 0; k < bits_drawn; ++k) result.y.ticks.push_back({spacing * k, fmt::format("{} {}", noun, k)});
  return result;
}

panel bit_curves() {
  panel curves = curves_panel("Bits jump", "bit");
  for (int bit = 0; bit < bits_drawn; ++bit) {
    series series{.name = fmt::format("k = {}", bit), .mark = mark::line, .x = {}, .y = {}, .colour = bit};
    for (std::int64_t position = 0; position < codes_drawn; ++position) {
      const double height = spacing * bit + bit_at(position, bit, five_bits);
      series.x.insert(series.x.end(), {static_cast<double>(position), static_cast<double>(position + 1)});
      series.y.insert(series.y.end(), {height, height});
    }
    curves.series.push_back(series);
  }
  return curves;
}

panel sine_curves() {
  constexpr int between = 8;  // points from one position to the next
  panel curves = curves_panel("Sines glide", "sine");
  for (int pair = 0; pair < bits_drawn; ++pair) {
    series series{.name = fmt::format("k = {}", pair), .mark = mark::line, .x = {}, .y = {}, .colour = pair};
    for (int at = 0; at <= static_cast<int>(codes_drawn - 1) * between; ++at) {
      const double position = static_cast<double>(at) / between;  // exact: eighths
      series.x.push_back(position);
      series.y.push_back(spacing * pair + sine_at(position, pair));
    }
    curves.series.push_back(series);
  }
  return curves;
}

/// Four positions as points in a plane: corners of a square, and a path along a circle.
panel plane_panel() {
  const index_code two{.kind = index_code_kind::binary, .width = 2, .order = bit_order::msb};
  panel result{
      .title = "Four positions in a plane",
      .x = {.title = "first number", .least = -1.2, .most = 1.2, .ticks = {{-1, "-1"}, {0, "0"}, {1, "1"}}},
      .y = {.title = "second number", .least = -1.2, .most = 1.2, .ticks = {{-1, "-1"}, {0, "0"}, {1, "1"}}}};
  result.is_square = true;
  series jumps{.name = "two bits", .mark = mark::line_with_points, .x = {}, .y = {}, .colour = 1},
      glides{
          .name = "sine and cosine of pair 0", .mark = mark::line_with_points, .x = {}, .y = {}, .colour = 0};
  for (std::int64_t position = 0; position < 4; ++position) {
    jumps.x.push_back(bit_at(position, 0, two));
    jumps.y.push_back(bit_at(position, 1, two));
    glides.x.push_back(sine_at(static_cast<double>(position), 0));
    glides.y.push_back(drawn(sinusoidal_entry<drawn_limbs>(
        static_cast<double>(position), channels_of(0, doubling_waves).cosine, doubling_waves)));
    for (series* series : {&jumps, &glides}) {
      // Both series are at (0, 1) where the sines begin; only the bits have a label there.
      series->labels.push_back(series == &glides && position == 0 ? "" : std::to_string(position));
      series->hints.push_back(
          fmt::format("position {}: ({:.4g}, {:.4g})", position, series->x.back(), series->y.back()));
    }
  }
  result.series = {unit_circle(), jumps, glides};
  return result;
}

/// The index over length - 1: the code of a position depends on the length.
panel normalised_panel() {
  panel result{.title = "Index / (length - 1) depends on the length",
               .x = counting_axis("position (tokens)", codes_drawn),
               .y = {.title = "code", .least = 0, .most = 1.05}};
  int colour = 0;
  for (const std::int64_t length : {5, 20, 100}) {
    const index_code config{.kind = index_code_kind::normalised, .length = length};
    series series{.name = fmt::format("{} positions", length),
                  .mark = mark::line_with_points,
                  .x = {},
                  .y = {},
                  .colour = colour++};
    for (std::int64_t position = 0; position < std::min(length, codes_drawn); ++position) {
      series.x.push_back(static_cast<double>(position));
      series.y.push_back(bit_at(position, 0, config));
      series.hints.push_back(fmt::format("position {} of {}: {:.4g}", position, length, series.y.back()));
    }
    result.series.push_back(series);
  }
  return result;
}

double normalised_at(std::int64_t position, std::int64_t length) {
  return bit_at(position, 0, {.kind = index_code_kind::normalised, .length = length});
}

}  // namespace

figure binary_codes(const subject& /*of*/) {
  const auto bit = [](std::int64_t position, int column) { return bit_at(position, column, five_bits); };
  const auto sine = [](std::int64_t position, int column) {
    return sine_at(static_cast<double>(position), column);
  };
  figure codes{.name = "binary-codes",
               .title = "Binary digits of a position beside sinusoids whose wavelengths double",
               .sentence =
                   "Bit k changes every 2^k positions, and sines slow down likewise, from left to right; but "
                   "bits jump where sines glide.",
               .alt = {},
               .command = command_of("binary-codes"),
               .panels = {codes_panel("Binary digits", "bit", 0, bit), codes_panel("Sines", "pair", -1, sine),
                          plane_panel(), bit_curves(), sine_curves(), normalised_panel()},
               .columns = 2};
  codes.alt = fmt::format(
      "{} Positions 0 to {}; {} bits, the least significant first; sines of base {} and {} channels, whose "
      "wavelengths are {:.4g}, {:.4g}, {:.4g} tokens and so on. From position {} to {}, all {} bits change. "
      "Two bits put positions 0 to 3 at (0, 0), (0, 1), (1, 0), (1, 1). The index over length - 1 gives "
      "position 2 the code {:.4g} of 5 positions and {:.4g} of 100.",
      codes.sentence, codes_drawn - 1, bits_drawn, doubling_waves.base, doubling_waves.d_model,
      wavelength_of(0, doubling_waves), wavelength_of(1, doubling_waves), wavelength_of(2, doubling_waves),
      codes_drawn / 2 - 1, codes_drawn / 2, bits_drawn, normalised_at(2, 5), normalised_at(2, 100));
  return codes;
}

}  // namespace ropewalk::plot
