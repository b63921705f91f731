#include "plot/figures.hpp"

#include "input/unknown_name.hpp"

namespace ropewalk::plot {
namespace {

constexpr description every_figure[] = {
    {"frontier", "precision against speed: a point a kernel and dtype", true, frontier},
    {"error-by-position", "the error of each recipe from position 1 to 2^31, with its proved bound", false,
     error_by_position},
    {"time-by-tokens", "the time of a token against the number of tokens", true, time_by_tokens},
    {"roofline", "bytes a second of each kernel beside the machine's own ceilings", true, roofline},
};

}  // namespace

std::span<const description> figures() { return every_figure; }

const description& figure_named(std::string_view name) {
  for (const description& one : every_figure)
    if (one.name == name) return one;
  throw input::unknown_name("figure", name, input::names_in(every_figure), "`ropewalk plot --list`");
}

}  // namespace ropewalk::plot
