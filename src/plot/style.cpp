#include "plot/style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ropewalk::plot {
namespace {

// The first eight after Okabe and Ito, "Color universal design", 2008; each dark value has the same hue and
// stands out on dark paper.
constexpr paint sheet[] = {
    {"blue", "#0072b2", "#5ab4f0"},   {"vermilion", "#d55e00", "#ff8f4a"}, {"green", "#008f68", "#2fcf9f"},
    {"purple", "#b0548c", "#e39ac6"}, {"amber", "#c98a00", "#f0b93a"},     {"sky", "#3a9bd0", "#8fd3ff"},
    {"wine", "#882255", "#d9779f"},   {"stone", "#5f6b76", "#a9b4bf"},     {"ink", "#1f2328", "#e8eaed"},
    {"soft", "#57606a", "#a5adb6"},   {"grid", "#dfe3e8", "#3a4048"},      {"paper", "#ffffff", "#15181c"},
};
constexpr int dashes[] = {1, 2, 4, 5};                      // solid, dashed, dash and dot, dash and two dots
constexpr int point_types[] = {7, 9, 5, 13, 11, 15, 6, 8};  // filled points first
constexpr double line_width = 1.8;

bool is_alike(const series& curve, const series& other) {
  return curve.role == other.role && curve.mark == other.mark && !curve.name.empty();
}

/// Number of series before `index` with its role and mark.
std::size_t ordinal_of(const panel& panel, std::size_t index) {
  std::size_t ordinal = 0;
  for (std::size_t i = 0; i < index; ++i) ordinal += is_alike(panel.series[i], panel.series[index]) ? 1 : 0;
  return ordinal;
}

/// Number of series of role `other` before `index` that have names but no colour of their own.
std::size_t colours_before(const panel& panel, std::size_t index) {
  std::size_t colours = 0;
  for (std::size_t i = 0; i < index; ++i)
    colours +=
        panel.series[i].role == role::other && panel.series[i].colour < 0 && !panel.series[i].name.empty()
            ? 1
            : 0;
  return colours;
}

const paint& colour_of(const panel& panel, std::size_t index) {
  const series& series = panel.series[index];
  if (series.colour >= 0) return sheet[static_cast<std::size_t>(series.colour) % series_paints];
  switch (series.role) {
    case role::canonical: return paint_named("blue");
    case role::recipe: return paint_named("vermilion");
    case role::given: return paint_named("green");
    case role::bound: return paint_named("purple");
    case role::reference: return paint_named("stone");
    case role::other: break;
  }
  return sheet[colours_before(panel, index) % series_paints];
}

int mark_of(const series& series, std::size_t ordinal) {
  switch (series.role) {
    case role::canonical: return 7;  // a disc
    case role::recipe: return 9;     // a triangle
    case role::given: return 13;     // a diamond
    case role::bound:
    case role::reference: return 1;  // a cross
    case role::other: break;
  }
  return point_types[ordinal % std::size(point_types)];
}

}  // namespace

const std::size_t series_paints = 8;

std::span<const paint> paints() { return sheet; }

const paint& paint_named(std::string_view name) {
  return *std::find_if(std::begin(sheet), std::end(sheet),
                       [&](const paint& colour) { return colour.name == name; });
}

look look_of(const panel& panel, std::size_t index) {
  const series& series = panel.series[index];
  const std::size_t ordinal = ordinal_of(panel, index);
  look result{.colour = &colour_of(panel, index), .width = line_width, .point = mark_of(series, ordinal)};
  if (series.mark == mark::dashed_line || series.role == role::reference) result.dash = 2;
  if ((series.mark == mark::line || series.mark == mark::line_with_points) && series.role == role::recipe)
    result.dash = dashes[ordinal % std::size(dashes)];
  if (series.role == role::canonical) result.width = 1.4 * line_width;
  if (series.role == role::reference || series.name.empty()) result.width = 1;
  return result;
}

std::string css_variables(std::string_view selector, bool is_dark) {
  std::string variables = fmt::format("{} {{", selector);
  for (const paint& colour : sheet)
    variables += fmt::format(" --figure-{}: {};", colour.name, is_dark ? colour.dark : colour.light);
  return variables + " }\n";
}

std::string css_classes() {
  std::string classes;
  for (const paint& colour : sheet)
    classes += fmt::format(
        ".figure-s-{0} {{ stroke: var(--figure-{0}, {1}); }} .figure-f-{0} {{ fill: var(--figure-{0}, {1}); "
        "}} "
        ".figure-c-{0} {{ color: var(--figure-{0}, {1}); }}\n",
        colour.name, colour.light);
  return classes;
}

}  // namespace ropewalk::plot
