// Number of tokens in which each pair turns once, before and after each scaling rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"

namespace ropewalk::plot {
namespace {

constexpr int plain_colour = 7;  // for no rule: the sheet's grey

/// Pairs that a rule keeps, divides fully, stops, or treats otherwise.
struct treated_pairs {
  int kept = 0;
  int divided = 0;
  int stopped = 0;
  int others = 0;
};

treated_pairs treated_by(const compared_rule& compared, double factor) {
  treated_pairs treated;
  for (const pair_coverage& pair : compared.pairs) {
    if (pair.step == 1)
      ++treated.kept;
    else if (pair.step == 0)
      ++treated.stopped;
    else
      ++(pair.step * factor == 1 ? treated.divided : treated.others);
  }
  return treated;
}

/// The effect of a rule on a pair, in words.
std::string pair_in_words(const compared_rule& compared, std::size_t pair, double before, double factor) {
  const double step = compared.pairs[pair].step;
  if (step == 0)
    return fmt::format("pair {} with {} does not turn; before, a turn in {:.6g} tokens", pair,
                       compared.name(), before);
  if (compared.rule == "none")
    return fmt::format("pair {} without a rule: a turn in {:.6g} tokens", pair, before);
  std::string text = fmt::format("pair {} with {}: a turn in {:.6g} tokens, before {:.6g}; inv_freq x {:.6g}",
                                 pair, compared.name(), before / step, before, step);
  if (step == 1) return text + ", kept";
  const double way = (1 - step) / (1 - 1 / factor);  // 0: kept; 1: divided by the factor
  if (way > 0 && way <= 1)
    text += fmt::format(", {:.3g} % of the way to dividing by {:.6g}", 100 * way, factor);
  return text;
}

/// The rule described by the sentence: the model's own, else YaRN.
const compared_rule& featured(const std::vector<compared_rule>& rules) {
  const auto own = std::find_if(rules.begin(), rules.end(), [](const auto& item) { return item.is_own; });
  if (own != rules.end()) return *own;
  const auto by_yarn =
      std::find_if(rules.begin(), rules.end(), [](const auto& item) { return item.rule == "yarn"; });
  return by_yarn == rules.end() ? rules.front() : *by_yarn;
}

/// The factor by which a rule may divide a frequency: its own, or the ratio of the lengths.
double whole_factor_of(const compared_rule& compared, const subject& subject) {
  const length_pair lengths = lengths_of(subject);
  const double configured = factor_of(subject.model.encoding.scaling);
  if (compared.is_own && configured > 1) return configured;
  return static_cast<double>(lengths.target) / static_cast<double>(lengths.trained);
}

series curve_of(const compared_rule& compared, int colour, const std::vector<double>& y,
                const std::vector<std::string>& hints) {
  const bool is_before = compared.rule == "none";
  return {.name = is_before ? "no rule" : compared.name(),
          .mark = compared.is_own ? mark::line_with_points : mark::line,
          .role = role::other,
          .x = indices(y.size()),
          .y = y,
          .upper = {},
          .hints = hints,
          .colour = is_before ? plain_colour : colour,
          .tags = {{"rule", std::string(compared.rule)}}};
}

/// A length as a line after its label.
series length_line(const std::string& name, std::int64_t length, std::size_t pairs) {
  constexpr double room_of_label = 0.17;
  const auto at = static_cast<double>(length), last = static_cast<double>(pairs) - 1;
  return {.name = "",
          .mark = mark::dashed_line,
          .role = role::reference,
          .x = {0, line_break, room_of_label * last, last},
          .y = {at, line_break, at, at},
          .labels = {fmt::format("{} {}", name, grouped(length)), "", "", ""}};
}

/// The effect of a rule on all pairs, in words.
std::string rule_in_few_words(const compared_rule& compared, double factor) {
  const treated_pairs treated = treated_by(compared, factor);
  const auto [least, most] =
      std::minmax_element(compared.pairs.begin(), compared.pairs.end(),
                          [](const auto& a, const auto& b) { return a.step < b.step; });
  if (treated.others == static_cast<int>(compared.pairs.size()))
    return fmt::format("{} divides each frequency by its own number, from {:.4g} to {:.4g}", compared.name(),
                       1 / most->step, 1 / least->step);
  std::string text = fmt::format("{} keeps the frequencies of {} pairs", compared.name(), treated.kept);
  if (treated.divided > 0) text += fmt::format(", divides those of {} by {:.6g}", treated.divided, factor);
  const bool is_less = least->step * factor >= 1;
  if (treated.others > 0)
    text += fmt::format("{} those of {} by {}", treated.divided > 0 ? " and" : ", divides", treated.others,
                        is_less ? "less" : "numbers of their own");
  if (treated.stopped > 0) text += fmt::format(", stops {}", treated.stopped);
  return text;
}

std::string sentence_of(const compared_rule& compared, const std::vector<double>& before,
                        const subject& subject) {
  const auto longer = std::count_if(before.begin(), before.end(), [&](double wavelength) {
    return wavelength > static_cast<double>(lengths_of(subject).trained);
  });
  return fmt::format("{} of {} pairs do not complete a turn within the {} positions of training; {}.", longer,
                     before.size(), grouped(lengths_of(subject).trained),
                     rule_in_few_words(compared, whole_factor_of(compared, subject)));
}

/// The pair used as an example in texts: 30, which users often ask about, or the last pair.
std::size_t example_of(const std::vector<double>& pairs) {
  return std::min<std::size_t>(30, pairs.size() - 1);
}

}  // namespace

figure wavelengths(const subject& subject) {
  const rope before = plain_encoding(subject);
  const std::vector<double> turns = wavelengths_of(before);
  const std::vector<compared_rule> rules = compared_rules(subject);
  const length_pair lengths = lengths_of(subject);
  panel all{.title = "Wavelength of each pair",
            .x = counting_axis("pair", turns.size()),
            .y = {.title = "wavelength (tokens per turn)", .scale = scale::log10}};
  panel change{.title = "Factor of each frequency by the rule",
               .x = counting_axis("pair", turns.size()),
               .y = {.title = "inv_freq after / before", .least = 0, .most = 1.05}};
  int colour = 0;
  for (const compared_rule& compared : rules) {
    std::vector<double> after, ratio;
    std::vector<std::string> hints, ratios;
    for (std::size_t pair = 0; pair < turns.size(); ++pair) {
      ratio.push_back(compared.pairs[pair].step);
      after.push_back(ratio.back() > 0 ? turns[pair] / ratio.back() : line_break);
      hints.push_back(pair_in_words(compared, pair, turns[pair], whole_factor_of(compared, subject)));
      ratios.push_back(fmt::format("pair {}, {}: x {:.6g}", pair, compared.rule, ratio.back()));
    }
    all.series.push_back(curve_of(compared, colour, after, hints));
    change.series.push_back(curve_of(compared, colour, ratio, ratios));
    if (compared.rule != "none") ++colour;
  }
  all.series.push_back(length_line("trained on", lengths.trained, turns.size()));
  if (lengths.target > lengths.trained)
    all.series.push_back(length_line("asked for", lengths.target, turns.size()));
  const compared_rule& compared = featured(rules);
  figure wavelengths{
      .name = "wavelengths",
      .title = fmt::format("Wavelengths of the pairs of {}, by scaling rule", label_of(subject)),
      .sentence = sentence_of(compared, turns, subject),
      .alt = {},
      .command = command_of("wavelengths", subject),
      .panels = {all, change}};
  const std::size_t pair = example_of(turns);
  wavelengths.alt =
      fmt::format("{} {}. Wavelengths grow from {:.4g} tokens at pair 0 to {:.6g} at pair {}. {}.",
                  wavelengths.sentence, summary(subject.model), turns.front(), turns.back(), turns.size() - 1,
                  pair_in_words(compared, pair, turns[pair], whole_factor_of(compared, subject)));
  return wavelengths;
}

}  // namespace ropewalk::plot
