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
constexpr int point_types[] = {7, 9, 5, 13, 11, 15, 6, 8};  // filled ones first
constexpr double line_width = 1.8;

bool is_alike(const series& one, const series& other) {
  return one.role == other.role && one.mark == other.mark && !one.name.empty();
}

/// How many series before `index` have its role and mark.
std::size_t ordinal_of(const panel& of, std::size_t index) {
  std::size_t r = 0;
  for (std::size_t i = 0; i < index; ++i) r += is_alike(of.series[i], of.series[index]) ? 1 : 0;
  return r;
}

/// How many series of role `other` before `index` have names and no colour of their own.
std::size_t colours_before(const panel& of, std::size_t index) {
  std::size_t r = 0;
  for (std::size_t i = 0; i < index; ++i)
    r += of.series[i].role == role::other && of.series[i].colour < 0 && !of.series[i].name.empty() ? 1 : 0;
  return r;
}

const paint& colour_of(const panel& of, std::size_t index) {
  const series& one = of.series[index];
  if (one.colour >= 0) return sheet[static_cast<std::size_t>(one.colour) % series_paints];
  switch (one.role) {
    case role::canonical: return paint_named("blue");
    case role::recipe: return paint_named("vermilion");
    case role::given: return paint_named("green");
    case role::bound: return paint_named("purple");
    case role::reference: return paint_named("stone");
    case role::other: break;
  }
  return sheet[colours_before(of, index) % series_paints];
}

int mark_of(const series& of, std::size_t ordinal) {
  switch (of.role) {
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
                       [&](const paint& one) { return one.name == name; });
}

look look_of(const panel& of, std::size_t index) {
  const series& one = of.series[index];
  const std::size_t ordinal = ordinal_of(of, index);
  look r{.colour = &colour_of(of, index), .width = line_width, .point = mark_of(one, ordinal)};
  if (one.mark == mark::dashed_line || one.role == role::reference) r.dash = 2;
  if ((one.mark == mark::line || one.mark == mark::line_with_points) && one.role == role::recipe)
    r.dash = dashes[ordinal % std::size(dashes)];
  if (one.role == role::canonical) r.width = 1.4 * line_width;
  if (one.role == role::reference || one.name.empty()) r.width = 1;
  return r;
}

std::string css_variables(std::string_view selector, bool is_dark) {
  std::string r = fmt::format("{} {{", selector);
  for (const paint& one : sheet)
    r += fmt::format(" --figure-{}: {};", one.name, is_dark ? one.dark : one.light);
  return r + " }\n";
}

std::string css_classes() {
  std::string r;
  for (const paint& one : sheet)
    r += fmt::format(
        ".figure-s-{0} {{ stroke: var(--figure-{0}, {1}); }} .figure-f-{0} {{ fill: var(--figure-{0}, {1}); "
        "}} "
        ".figure-c-{0} {{ color: var(--figure-{0}, {1}); }}\n",
        one.name, one.light);
  return r;
}

}  // namespace ropewalk::plot
