#include "plot/drawing.hpp"

#include <stdexcept>
#include <string_view>

#include "plot/gnuplot.hpp"
#include "plot/svg_markup.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::string_view png_begin = "\x89PNG\r\n\x1a\n";
constexpr std::string_view png_end = "IEND\xae\x42\x60\x82";

/// The figure's name with underscores only, as gnuplot requires for ids.
std::string id_of(const figure& figure) {
  std::string text = "figure_";
  for (const char letter : figure.name) {
    const bool is_kept = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= '0' && letter <= '9');
    text += is_kept ? letter : '_';
  }
  return text;
}

}  // namespace

std::string svg_of(const figure& figure, place where) {
  const std::string id = id_of(figure);
  const script drawn = script_of(figure, canvas::svg, where, id);
  return marked_up(run_gnuplot(drawn.text), figure, drawn, where, id);
}

std::string png_of(const figure& figure) {
  std::string text = run_gnuplot(script_of(figure, canvas::png, place::alone, id_of(figure)).text);
  if (!text.starts_with(png_begin) || !text.ends_with(png_end))
    throw std::runtime_error("gnuplot wrote an incomplete PNG");
  return text;
}

}  // namespace ropewalk::plot
