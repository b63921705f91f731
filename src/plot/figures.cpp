#include "plot/figures.hpp"

#include "input/unknown_name.hpp"

namespace ropewalk::plot {
namespace {

constexpr description every_figure[] = {
    {"frontier", "precision against speed: one point per kernel and dtype", true, frontier},
    {"error-by-position", "the error of each recipe from position 1 to 2^31, with its promise's bound", false,
     error_by_position, true},
    {"time-by-tokens", "the time per token against the number of tokens", true, time_by_tokens},
    {"roofline", "bytes per second of each kernel and the machine's ceilings", true, roofline},
    {"extrapolation", "phases seen and not seen in training, per pair and scaling rule", false,
     extrapolation},
    {"wavelengths", "tokens in which each pair turns once, before and after each scaling rule", false,
     wavelengths},
    {"long-term-decay", "the bound of scores at growing distances", false, long_term_decay},
    {"sinusoids", "the sinusoidal encoding of 1024 positions x 768 channels", false, sinusoids},
    {"oscillations", "sinusoidal channels at i = 1, 50, 150, and wavelengths for other bases", false,
     oscillations},
    {"binary-codes", "binary digits of a position compared with sinusoids", false, binary_codes},
    {"rotation", "pairs turned by their position", false, rotation},
    {"biases", "ALiBi's biases and T5's buckets as matrices", false, biases},
    {"image-engines", "errors of engines' tables for images and videos, at their largest grids", false,
     image_engines},
    {"table-bits", "entries that 16-bit tables get wrong, by pair and position", false, table_bits},
};

}  // namespace

std::span<const description> figures() { return every_figure; }

const description& figure_named(std::string_view name) {
  for (const description& description : every_figure)
    if (description.name == name) return description;
  throw input::unknown_name("figure", name, input::names_in(every_figure), "`ropewalk plot --list`");
}

}  // namespace ropewalk::plot
