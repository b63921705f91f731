// Phases seen and not seen in training, per pair and scaling rule; and all encodings beyond their training
// length, compared.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/measure/beyond_training.hpp"

namespace ropewalk::plot {
namespace {

constexpr int seen_colour = 0, unseen_colour = 1, step_colour = 2;

std::string coverage_in_words(const compared_rule& compared, std::size_t pair) {
  const pair_coverage& coverage = compared.pairs[pair];
  return fmt::format(
      "pair {} with {}: {:.4g} % of the circle seen in training, {:.4g} % met; {:.4g} % of the met phases "
      "are "
      "new; neighbours are {:.4g} times as far apart",
      pair, compared.name(), 100 * coverage.trained, 100 * coverage.met, 100 * coverage.unseen,
      coverage.step);
}

/// Shares of every pair in percent; NaN for 0, which a logarithmic axis cannot show.
template <class Share>
std::vector<double> shares_of(const compared_rule& compared, Share share) {
  std::vector<double> numbers;
  for (const pair_coverage& pair : compared.pairs)
    numbers.push_back(share(pair) > 0 ? 100 * share(pair) : std::numeric_limits<double>::quiet_NaN());
  return numbers;
}

/// The power of ten below all shares of all rules, in percent.
double least_share(const std::vector<compared_rule>& rules) {
  double least = 1;
  for (const compared_rule& compared : rules)
    for (const pair_coverage& pair : compared.pairs)
      if (pair.trained > 0) least = std::min({least, pair.trained, pair.step});
  return std::pow(10, std::floor(std::log10(100 * least)));
}

panel rule_panel(const compared_rule& compared, double least) {
  panel result{
      .title =
          fmt::format("{}{}: {} of {} pairs meet new phases", compared.rule, compared.is_own ? " (own)" : "",
                      compared.summary.unseen_pairs, compared.summary.pairs),
      .x = counting_axis("pair", compared.pairs.size()),
      .y = {.title = "share of circle, or of step (%)", .scale = scale::log10, .least = least, .most = 150}};
  const std::vector<double> x = indices(compared.pairs.size());
  const auto trained = shares_of(compared, [](const pair_coverage& pair) { return pair.trained; });
  const auto met =
      shares_of(compared, [](const pair_coverage& pair) { return std::max(pair.trained, pair.met); });
  std::vector<std::string> hints;
  for (std::size_t pair = 0; pair < compared.pairs.size(); ++pair)
    hints.push_back(coverage_in_words(compared, pair));
  const std::map<std::string, std::string> tags{{"rule", std::string(compared.rule)}};
  result.series = {{.name = "never seen",
                    .mark = mark::band,
                    .x = x,
                    .y = trained,
                    .upper = met,

                    .colour = unseen_colour,
                    .tags = tags},
                   {.name = "seen in training",
                    .mark = mark::line,
                    .x = x,
                    .y = trained,
                    .hints = hints,
                    .colour = seen_colour,
                    .tags = tags},
                   {.name = "step, of training's",
                    .mark = mark::dashed_line,
                    .x = x,
                    .y = shares_of(compared, [](const pair_coverage& pair) { return pair.step; }),

                    .colour = step_colour,
                    .tags = tags}};
  return result;
}

std::string encoding_in_words(const beyond_training& length) {
  std::string encoding =
      fmt::format("{}: {:.4g} % of its {} are new", length.encoding, 100 * length.unseen, length.quantity);
  if (!length.setting.empty()) encoding += fmt::format(" ({})", length.setting);
  return length.serves ? encoding : encoding + "; refused: " + length.refusal;
}

/// Every encoding as a dot; encodings that refuse the last position form a separate series.
panel encodings_panel(const std::vector<beyond_training>& encodings, const length_pair& lengths) {
  panel result{
      .title = fmt::format("Every encoding at {} positions", grouped(lengths.target)),
      .x = {.title = "outputs not seen in training (%)",
            .least = -3,
            .most = 103,
            .ticks = {{0, "0"}, {50, "50"}, {100, "100"}}},
      .y = {.title = "encoding", .least = -0.7, .most = static_cast<double>(encodings.size()) - 0.3}};
  result.y.is_reversed = true;
  series served{
      .name = "serves the last position", .mark = mark::points, .x = {}, .y = {}, .colour = seen_colour};
  series refused{.name = "refuses it", .mark = mark::points, .x = {}, .y = {}, .colour = unseen_colour};
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    const auto row = static_cast<double>(i);
    result.y.ticks.push_back({row, std::string(encodings[i].encoding)});
    series& of_its_kind = encodings[i].serves ? served : refused;
    of_its_kind.x.push_back(100 * encodings[i].unseen);
    of_its_kind.y.push_back(row);
    of_its_kind.hints.push_back(encoding_in_words(encodings[i]));
  }
  result.series = {served, refused};
  return result;
}

std::string rule_in_words(const compared_rule& compared) {
  return fmt::format(
      "{}: {} of {} pairs meet new phases, {:.3g} % of a pair's on average, and the least angle between "
      "neighbours is {:.3g} of training's",
      compared.name(), compared.summary.unseen_pairs, compared.summary.pairs,
      100 * compared.summary.mean_unseen, compared.summary.least_step);
}

}  // namespace

figure extrapolation(const subject& subject) {
  const length_pair lengths = lengths_of(subject);
  const std::vector<compared_rule> rules = compared_rules(subject);
  figure extrapolation{.name = "extrapolation",
                       .title = fmt::format("{} at {} positions: phases never seen", label_of(subject),
                                            grouped(lengths.target)),
                       .sentence = {},
                       .alt = {},
                       .command = command_of("extrapolation", subject),
                       .panels = {},
                       .columns = 2};
  const double least = least_share(rules);
  for (const compared_rule& compared : rules) {
    extrapolation.panels.push_back(rule_panel(compared, least));
    extrapolation.alt += rule_in_words(compared) + ". ";
  }
  const auto encodings = measure_beyond_training(subject.model.encoding, lengths);
  extrapolation.panels.push_back(encodings_panel(encodings, lengths));
  for (const beyond_training& encoding : encodings) extrapolation.alt += encoding_in_words(encoding) + ". ";
  extrapolation.alt.pop_back();
  extrapolation.sentence = fmt::format(
      "Trained on {} positions and used at {}, {} of {} pairs meet phases not seen in training without "
      "a rule (the filled area); each rule trades them for a smaller step from token to token (the dashed "
      "line).",
      grouped(lengths.trained), grouped(lengths.target), rules.front().summary.unseen_pairs,
      rules.front().summary.pairs);
  return extrapolation;
}

}  // namespace ropewalk::plot
