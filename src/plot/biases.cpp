// Biases added to scores, as matrices of queries and keys: ALiBi's, and T5's buckets.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/table/alibi_table.hpp"

namespace ropewalk::plot {
namespace {

constexpr alibi slopes_drawn{.heads = 8};
constexpr t5_bias encoder_buckets{}, decoder_buckets{.bidirectional = false};
constexpr int heads_drawn[] = {0, 3, 7};
constexpr int bias_positions = 64;

/// A matrix of queries and keys as a heat map.
template <class Entry>
panel matrix_panel(std::string title, heat_map cells, Entry entry) {
  panel result{.title = std::move(title),
               .x = counting_axis("key's position (tokens)", bias_positions),
               .y = counting_axis("query's position (tokens)", bias_positions)};
  cells.rows = cells.columns = bias_positions;
  for (int query = 0; query < bias_positions; ++query)
    for (int key = 0; key < bias_positions; ++key) cells.values.push_back(entry(query, key));
  result.cells = std::move(cells);
  result.is_square = true;
  return result;
}

double slope_of(int head) { return drawn(alibi_slope<drawn_limbs>(head, slopes_drawn)); }

/// One head's biases; cells of keys after the query are empty.
panel alibi_panel(int head) {
  const alibi_biases biases(slopes_drawn);
  return matrix_panel(
      fmt::format("ALiBi, head {} of {}: slope {:.4g}", head + 1, slopes_drawn.heads, slope_of(head)),
      {.rows = 0,
       .columns = 0,
       .values = {},
       .title = "bias (score)",
       .least = -bias_positions / 2,
       .most = 0},
      [&](int query, int key) {
        if (key > query) return std::numeric_limits<double>::quiet_NaN();
        return from_bits<double>(biases.entry<double>(head, query - key));
      });
}

panel bucket_panel(const t5_bias& config, std::string title) {
  return matrix_panel(
      std::move(title),
      {.rows = 0, .columns = 0, .values = {}, .title = "bucket", .least = 0, .most = config.buckets - 1},
      [&](int query, int key) { return static_cast<double>(t5_bucket(key - query, config)); });
}

/// The bucket of each distance.
panel buckets_by_distance() {
  constexpr int farthest = 256;
  panel buckets{.title = "T5's bucket of a key behind the query",
                .x = {.title = "distance (tokens)", .scale = scale::log2},
                .y = {.title = "bucket"}};
  int colour = 0;
  for (const t5_bias& config : {decoder_buckets, encoder_buckets}) {
    series series{.name = config.bidirectional ? "encoder (both directions)" : "decoder (causal)",
                  .mark = mark::steps,
                  .x = {},
                  .y = {},
                  .colour = colour++};
    for (int distance = 1; distance <= farthest; ++distance) {
      const bool is_edge = t5_bucket(-distance, config) != t5_bucket(1 - distance, config);
      if (!is_edge && distance < farthest) continue;  // drawn as steps between edges
      series.x.push_back(distance);
      series.y.push_back(t5_bucket(-distance, config));
      series.hints.push_back(fmt::format("from distance {} on: bucket {}", distance, series.y.back()));
    }
    buckets.series.push_back(series);
  }
  return buckets;
}

/// Share of a head's attention at a distance or farther, for equal contents.
panel attention_panel(const length_pair& lengths) {
  constexpr double least = 1e-6;
  panel result{.title = "ALiBi: attention at that distance or farther",
               .x = {.title = "distance (tokens)", .scale = scale::log2},
               .y = {.title = "share of the attention", .scale = scale::log10, .least = least, .most = 1.5}};
  for (const int head : heads_drawn) {
    series series{.name = fmt::format("head {}", head + 1),
                  .mark = mark::line,
                  .x = {},
                  .y = {},
                  .colour = 2 + static_cast<int>(result.series.size())};
    for (std::int64_t distance = 1; distance < lengths.target;
         distance += std::max<std::int64_t>(1, distance / 8)) {
      const double share = alibi_attention_beyond(head, slopes_drawn, {distance, lengths.target});
      if (share < least) break;
      series.x.push_back(static_cast<double>(distance));
      series.y.push_back(share);
      series.hints.push_back(
          fmt::format("head {}, slope {:.4g}: {:.3g} of the attention at distance {} or more", head + 1,
                      slope_of(head), share, grouped(distance)));
    }
    result.series.push_back(series);
  }
  return result;
}

/// The distance from which all distances share the last bucket.
int last_bucket_from(const t5_bias& config) {
  const int last = t5_bucket(-config.max_distance, config);
  int distance = 0;
  while (t5_bucket(-distance, config) != last) ++distance;
  return distance;
}

}  // namespace

figure biases(const subject& subject) {
  const int last = slopes_drawn.heads - 1;
  const length_pair lengths = lengths_of(subject);
  const std::int64_t far = std::min<std::int64_t>(512, lengths.target);
  figure biases{
      .name = "biases",
      .title = "Biases of scores: ALiBi with 8 heads, and the buckets of T5",
      .sentence =
          "ALiBi's first head attends only to its nearest keys, its last head to all keys nearly equally. T5 "
          "distinguishes near distances one by one, and far ones more and more coarsely.",
      .alt = {},
      .command = command_of("biases", subject),
      .panels = {alibi_panel(heads_drawn[0]), alibi_panel(heads_drawn[1]), alibi_panel(heads_drawn[2]),
                 bucket_panel(encoder_buckets, "T5's encoder: 32 buckets"), buckets_by_distance(),
                 attention_panel(lengths)},
      .columns = 2};
  biases.alt = fmt::format(
      "{} {} x {} positions. ALiBi's slopes fall from {:.4g} to {:.4g}: at distance {} the biases are {:.4g} "
      "and {:.4g}. T5's encoder has one bucket per distance below {}, and one for all from {} on; its "
      "decoder {} and {}. Of {} tokens with equal contents, ALiBi's last head gives {:.3g} of its attention "
      "to those {} or more away.",
      biases.sentence, bias_positions, bias_positions, slope_of(0), slope_of(last), bias_positions - 1,
      -slope_of(0) * (bias_positions - 1), -slope_of(last) * (bias_positions - 1),
      exact_buckets(encoder_buckets), last_bucket_from(encoder_buckets), exact_buckets(decoder_buckets),
      last_bucket_from(decoder_buckets), grouped(lengths.target),
      alibi_attention_beyond(last, slopes_drawn, {far, lengths.target}), far);
  return biases;
}

}  // namespace ropewalk::plot
