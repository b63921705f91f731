// The bound of scores at growing distances, and scores that depend only on the distance.

#include "ropewalk/measure/long_term_decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::plot {
namespace {

constexpr int decay_limbs = 2;
constexpr std::int64_t nearest_distances = 256;  // as in figure 2 of RoFormer
constexpr std::int64_t scored_positions = 64;

/// An encoding with a curve.
struct decaying {
  std::string name;
  rope config;
  plot::role role = role::other;
  int colour = -1;
};

/// The model as configured, without its rule, if it has one, and the paper's encoding.
std::vector<decaying> decaying_of(const subject& subject) {
  const rope own = subject.model.encoding, plain = plain_encoding(subject);
  const rope paper{.base = 10000, .rotary_dim = 128};
  std::vector<decaying> decayings{{label_of(subject), own, role::canonical}};
  if (has_own_rule(subject))
    decayings.push_back({fmt::format("{} without its rule", label_of(subject)), plain, role::other, 1});
  const bool is_paper = plain.base == paper.base && plain.rotary_dim == paper.rotary_dim;
  if (!is_paper) decayings.push_back({"base 10000, rotary_dim 128", paper, role::reference});
  return decayings;
}

double bound_at(std::int64_t distance, const rope& config) {
  return drawn(long_term_decay<decay_limbs>(static_cast<double>(distance), config));
}

series decay_of(const decaying& decaying, const std::vector<std::int64_t>& distances) {
  series decay{.name = decaying.name,
               .mark = mark::line,
               .role = decaying.role,
               .x = {},
               .y = {},
               .colour = decaying.colour};
  for (const std::int64_t distance : distances) {
    const double bound = bound_at(distance, decaying.config);
    decay.x.push_back(static_cast<double>(distance));
    decay.y.push_back(bound);
  }
  return decay;
}

std::vector<std::int64_t> near_distances(bool is_quick) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t at = 0; at <= nearest_distances; at += is_quick ? 4 : 1) numbers.push_back(at);
  return numbers;
}

/// Distances from 1 to `last` at equal ratios.
std::vector<std::int64_t> far_distances(std::int64_t last, int per_doubling) {
  std::vector<std::int64_t> distances;
  const double ratio = std::exp2(1.0 / per_doubling);
  for (double at = 1; at < static_cast<double>(last); at *= ratio)
    if (const auto whole = static_cast<std::int64_t>(std::round(at));
        distances.empty() || distances.back() != whole)
      distances.push_back(whole);
  if (distances.empty() || distances.back() != last) distances.push_back(last);
  return distances;
}

/// Scores of equal queries and keys, (1, 0) in every pair, computed from the rows of their positions: 1 at
/// distance 0.
///
/// shape   [positions, positions]
std::vector<double> scores_of_equals(const rope& config) {
  const rope_rows rows(config);
  const auto width = static_cast<std::size_t>(rows.pairs()), count = std::size_t{scored_positions};
  std::vector<std::uint64_t> cos(width * count), sin(width * count);
  rows.rows<double>({0, scored_positions}, true, cos.data(), sin.data());
  std::vector<double> scores;
  for (std::size_t query = 0; query < count; ++query)
    for (std::size_t key = 0; key < count; ++key) {
      double score = 0;
      for (std::size_t pair = 0; pair < width; ++pair) {
        const std::size_t q = query * width + pair, k = key * width + pair;
        score += from_bits<double>(cos[q]) * from_bits<double>(cos[k]) +
                 from_bits<double>(sin[q]) * from_bits<double>(sin[k]);
      }
      scores.push_back(score / static_cast<double>(width));
    }
  return scores;
}

/// The largest difference between two scores at the same distance.
double spread_at_one_distance(const std::vector<double>& scores) {
  constexpr auto count = std::size_t{scored_positions};
  double value = 0;
  for (std::size_t query = 0; query < count; ++query)
    for (std::size_t key = 0; key < count; ++key) {
      const std::size_t distance = query > key ? query - key : key - query;
      value = std::max(value, std::abs(scores[query * count + key] - scores[distance]));
    }
  return value;
}

panel scores_panel(const std::vector<double>& scores) {
  panel result{.title = "Scores of equal vectors: one number per diagonal",
               .x = counting_axis("key's position (tokens)", scored_positions),
               .y = counting_axis("query's position (tokens)", scored_positions)};
  result.cells = heat_map{.rows = scored_positions,
                          .columns = scored_positions,
                          .values = scores,
                          .title = "score / score at distance 0",
                          .least = -1,
                          .most = 1,
                          .is_diverging = true};
  result.is_square = true;
  return result;
}

panel score_by_distance(const std::vector<double>& scores) {
  panel score{.title = "The same scores by distance",
              .x = counting_axis("distance (tokens)", scored_positions),
              .y = {.title = "score / score at distance 0"}};
  const std::vector<double> first(scores.begin(), scores.begin() + scored_positions);
  std::vector<std::string> hints;
  for (std::size_t distance = 0; distance < first.size(); ++distance)
    hints.push_back(fmt::format("distance {}: {:.4g}", distance, first[distance]));
  score.series = {{.name = "equal vectors",
                   .mark = mark::line_with_points,
                   .role = role::canonical,
                   .x = indices(first.size()),
                   .y = first,
                   .hints = hints}};
  return score;
}

/// The first distance whose bound is above the previous one; 0 if there is none in the figure.
std::int64_t first_rise(const series& near) {
  for (std::size_t i = 1; i < near.y.size(); ++i)
    if (near.y[i] > near.y[i - 1]) return static_cast<std::int64_t>(near.x[i]);
  return 0;
}

}  // namespace

figure long_term_decay(const subject& subject) {
  const std::int64_t target = lengths_of(subject).target;
  panel near{.title = "Distances up to 256",
             .x = {.title = "distance (tokens)"},
             .y = {.title = "bound of the score (mean |S_j|)", .least = 0}};
  panel far{.title = fmt::format("Distances up to {}", grouped(target)),
            .x = {.title = "distance (tokens)", .scale = scale::log2},
            .y = {.title = "bound of the score (mean |S_j|)", .least = 0}};
  for (const decaying& decaying : decaying_of(subject)) {
    near.series.push_back(decay_of(decaying, near_distances(subject.is_quick)));
    far.series.push_back(decay_of(decaying, far_distances(target, subject.is_quick ? 4 : 12)));
  }
  const std::vector<double> scores = scores_of_equals(subject.model.encoding);
  const series& first = near.series.front();
  const std::int64_t rise = first_rise(first);
  figure decay{
      .name = "long-term-decay",
      .title = fmt::format("Scores of {} at growing distances", label_of(subject)),
      .sentence = fmt::format("The bound of a score falls overall, from {:.4g} at distance 0 to {:.4g} "
                              "at {}, but not steadily{}; the score itself depends on the distance alone.",
                              first.y.front(), first.y.back(), nearest_distances,
                              rise > 0 ? fmt::format(": it first rises at {}", rise) : ""),
      .alt = {},
      .command = command_of("long-term-decay", subject),
      .panels = {near, far, scores_panel(scores), score_by_distance(scores)},
      .columns = 2};
  decay.alt = fmt::format(
      "{} At distance {} the bound is {:.4g}. Scores of equal vectors at {} x {} positions: those at one "
      "distance differ by at most {:.2g}, which is the rounding of binary64; at distance 1 the score is "
      "{:.4g} of that at 0, at distance {} it is {:.4g}.",
      decay.sentence, grouped(target), far.series.front().y.back(), scored_positions, scored_positions,
      spread_at_one_distance(scores), scores[1], scored_positions - 1, scores[scored_positions - 1]);
  return decay;
}

}  // namespace ropewalk::plot
