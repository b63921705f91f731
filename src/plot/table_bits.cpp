// 16-bit tables of cosines against exact ones: the share of entries that engines get wrong.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "array/recipe_entries.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::plot {
namespace {

constexpr int first_doubling = 3, last_doubling = 20;  // windows end below 2^3 ... 2^20
constexpr double none_drawn = 0.003;                   // place of a share of 0 on the logarithmic axis, in %

/// A way to make a table in a format.
struct table_way {
  std::string name;
  std::string_view recipe;  // empty: correctly rounded, as in this library
  bool is_bf16 = true;
  plot::role role = plot::role::recipe;
  int colour = -1;
};

std::vector<table_way> table_ways() {
  return {{"bf16, angle in bf16", "recipe-bf16-angle", true, role::recipe, 1},
          {"bf16, angle in f32", "recipe-bf16-cache", true, role::recipe, 2},
          {"f16, angle in f32", "recipe-hf-f32", false, role::recipe, 3},
          {"bf16 and f16, correctly rounded", "", true, role::canonical, -1}};
}

/// Shares of entries that differ from the correctly rounded ones, in percent.
///
/// shape   [windows, pairs]
struct wrong_shares {
  std::size_t pairs = 0;
  std::vector<double> shares;

  double of_window(std::size_t window) const {
    const auto first = shares.begin() + static_cast<std::ptrdiff_t>(window * pairs);
    double sum = 0;
    for (auto at = first; at != first + static_cast<std::ptrdiff_t>(pairs); ++at) sum += *at;
    return sum / static_cast<double>(pairs);
  }
};

/// The last positions below 2^doubling.
std::vector<std::int64_t> window_of(int doubling, bool is_quick) {
  const std::int64_t end = std::int64_t{1} << doubling, longest = is_quick ? 16 : 64;
  std::vector<std::int64_t> window;
  for (std::int64_t at = std::max(end / 2, end - longest); at < end; ++at) window.push_back(at);
  return window;
}

template <floating_format Float>
bits_of<Float> nearest_bits(float value) {
  return round<Float>(enclosure<2>::of(double{value})).bits;
}

/// Adds the shares of one window for one recipe.
template <floating_format Float>
void add_shares(wrong_shares& to, const rope_rows& exact, const std::vector<std::int64_t>& positions,
                const array::recipe_rows& rows) {
  const std::size_t pairs = to.pairs;
  std::vector<int> wrong(pairs);
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto right = exact.entry<Float>(static_cast<int>(pair), positions[i], false);
      wrong[pair] += nearest_bits<Float>(rows.cos[i * pairs + pair]) != right.cos;
      wrong[pair] += nearest_bits<Float>(rows.sin[i * pairs + pair]) != right.sin;
    }
  for (const int count : wrong) to.shares.push_back(50.0 * count / static_cast<double>(positions.size()));
}

wrong_shares wrong_of(const table_way& way, const rope& config, bool is_quick) {
  const rope_rows exact(config);
  wrong_shares wrong{.pairs = static_cast<std::size_t>(exact.pairs()), .shares = {}};
  for (int doubling = first_doubling; doubling <= last_doubling; ++doubling) {
    const auto positions = window_of(doubling, is_quick);
    for (const array::recipe_rows& rows : array::rows_of_recipes(config, positions))
      if (rows.recipe == way.recipe)
        way.is_bf16 ? add_shares<bfloat16>(wrong, exact, positions, rows)
                    : add_shares<binary16>(wrong, exact, positions, rows);
  }
  if (way.recipe.empty()) wrong.shares.assign(wrong.pairs * (last_doubling - first_doubling + 1), 0);
  return wrong;
}

series share_series(const table_way& way, const wrong_shares& wrong) {
  series result{.name = way.name,
                .mark = mark::line_with_points,
                .role = way.role,
                .x = {},
                .y = {},
                .colour = way.colour};
  for (int doubling = first_doubling; doubling <= last_doubling; ++doubling) {
    const double share = wrong.of_window(static_cast<std::size_t>(doubling - first_doubling));
    result.x.push_back(static_cast<double>(std::int64_t{1} << doubling));
    result.y.push_back(std::max(share, none_drawn));
    result.hints.push_back(fmt::format("{}, just below {}: {:.3g} % of the entries differ", way.name,
                                       grouped(std::int64_t{1} << doubling), share));
  }
  return result;
}

/// Pairs from left to right, positions from top to bottom.
panel cells_panel(const table_way& way, const wrong_shares& wrong) {
  panel result{
      .title = way.name, .x = counting_axis("pair", wrong.pairs), .y = {.title = "positions just below"}};
  for (int doubling = first_doubling; doubling <= last_doubling; ++doubling)
    if (doubling % 2 == 1)
      result.y.ticks.push_back(
          {static_cast<double>(doubling - first_doubling), grouped(std::int64_t{1} << doubling)});
  result.cells = heat_map{.rows = wrong.shares.size() / wrong.pairs,
                          .columns = wrong.pairs,
                          .values = wrong.shares,
                          .title = "wrong entries (%)",
                          .least = 0,
                          .most = 100};
  return result;
}

panel shares_panel() {
  panel result{
      .title = "All pairs",
      .x = {.title = "positions just below (tokens)", .scale = scale::log2},
      .y = {.title = "wrong entries (%)", .scale = scale::log10, .least = none_drawn / 1.5, .most = 150}};
  result.y.ticks = {{none_drawn, "none"}};
  for (const char* share : {"0.01", "0.1", "1", "10", "100"})
    result.y.ticks.push_back({std::stod(share), share});
  return result;
}

}  // namespace

figure table_bits(const subject& subject) {
  constexpr std::size_t at_131072 = 17 - first_doubling, at_2048 = 11 - first_doubling;
  const rope& config = subject.model.encoding;
  figure bits{
      .name = "table-bits",
      .title = fmt::format("16-bit tables of cosines and sines against exact ones: {}", label_of(subject)),
      .sentence = {},
      .alt = {},
      .command = command_of("table-bits", subject),
      .panels = {shares_panel()},
      .columns = 2};
  for (const table_way& way : table_ways()) {
    const wrong_shares wrong = wrong_of(way, config, subject.is_quick);
    bits.panels.front().series.push_back(share_series(way, wrong));
    if (!way.recipe.empty()) bits.panels.push_back(cells_panel(way, wrong));
    bits.alt += fmt::format(" {}: {:.3g} % just below 2,048, {:.3g} % just below 131,072.", way.name,
                            wrong.of_window(at_2048), wrong.of_window(at_131072));
    if (way.recipe == "recipe-bf16-cache")
      bits.sentence = fmt::format(
          "A bfloat16 table whose angles are formed in binary32 has {:.3g} % of its entries wrong near "
          "position 131,072 and {:.3g} % near 1,048,576; a correctly rounded table has none, at any "
          "position.",
          wrong.of_window(at_131072), wrong.of_window(last_doubling - first_doubling));
    if (subject.progress) subject.progress(static_cast<double>(bits.panels.size()) / 4);
  }
  bits.alt =
      bits.sentence + " Share of cosines and sines that differ from the correctly rounded ones." + bits.alt;
  return bits;
}

}  // namespace ropewalk::plot
