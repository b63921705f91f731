// The documents' comparison table with every cell measured, and the calls that the documents name.

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "claim/claims.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/kernel/apply_rope.hpp"
#include "ropewalk/law/table/attention_laws.hpp"
#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/rotary_embedding.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/t5_bias_table.hpp"

namespace ropewalk::claim {
namespace {

constexpr int compared_heads = 8;
constexpr length_pair fourfold{2048, 8192};

/// Number of tokens of a sequence and of channels of a token, for counting.
struct shape {
  int length = 64;
  int channels = 16;
};

sinusoidal sinusoids_of(const shape& shape) { return {.d_model = shape.channels}; }
learned learned_of(const shape& shape) {
  return {.max_position_embeddings = shape.length, .d_model = shape.channels};
}
rope rope_of(const shape& shape) { return {.rotary_dim = shape.channels}; }
constexpr t5_bias compared_buckets{};
constexpr alibi slopes{.heads = compared_heads};

// Learned numbers: inputs of a table in addition to its settings.

template <class Construct>
bool is_accepted(const Construct& construct) {
  try {
    construct();
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// The smallest number of learned numbers that constructs a table: none if its settings suffice.
template <class Table, class Number, class... Settings>
std::int64_t learned_numbers(const Settings&... settings) {
  if constexpr (std::constructible_from<Table, const Settings&...>) {
    return 0;
  } else {
    constexpr std::size_t most = 1 << 16;
    std::vector<Number> items;
    while (items.size() < most &&
           !is_accepted([&] { (void)Table(settings..., std::span<const Number>(items)); }))
      items.emplace_back();
    return static_cast<std::int64_t>(items.size());
  }
}

std::int64_t learned_by_sinusoids(const shape& shape) {
  return learned_numbers<sinusoidal_rows, std::uint32_t>(sinusoids_of(shape));
}
std::int64_t learned_by_rows(const shape& shape) {
  return learned_numbers<learned_table<float>, std::uint32_t>(learned_of(shape));
}
std::int64_t learned_by_t5(const shape&) {
  return learned_numbers<t5_bias_view<double>, double>(compared_buckets, compared_heads);
}
std::int64_t learned_by_alibi(const shape&) { return learned_numbers<alibi_biases, std::uint32_t>(slopes); }
std::int64_t learned_by_rope(const shape& shape) {
  return learned_numbers<rope_rows, std::uint32_t>(rope_of(shape));
}

// Numbers kept for serving a sequence: learned ones, or frequencies and slopes.

std::int64_t kept_by_sinusoids(const shape& shape) {
  return pair_count(sinusoidal_rows(sinusoids_of(shape)).config());
}
std::int64_t kept_by_alibi(const shape&) {
  return static_cast<std::int64_t>(alibi_slopes<float>(slopes).size());
}
std::int64_t kept_by_rope(const shape& shape) { return rope_rows(rope_of(shape)).pairs(); }

// Numbers computed for a sequence: rows to add or to rotate by, biases to add to scores.

std::int64_t formed_by_sinusoids(const shape& shape) {
  return static_cast<std::int64_t>(sinusoidal_encoding(shape.length, shape.channels).size());
}
std::int64_t formed_by_rows(const shape& shape) {
  const std::vector<std::uint32_t> weights(static_cast<std::size_t>(learned_by_rows(shape)));
  const learned_table<float> table(learned_of(shape), weights);
  std::int64_t count = 0;
  for (std::int64_t position = 0; position < shape.length; ++position)
    count += static_cast<std::int64_t>(table.row(position).size());
  return count;
}
/// Adds biases of 1 to scores of 0, and counts the changed scores.
std::int64_t formed_by_t5(const shape& shape) {
  const std::vector<std::uint32_t> ones(static_cast<std::size_t>(learned_by_t5(shape)), to_bits(1.0f));
  std::vector<std::uint32_t> scores(static_cast<std::size_t>(compared_heads * shape.length * shape.length));
  add_t5_bias<float>({compared_buckets, compared_heads, ones}, shape.length, shape.length, scores);
  return static_cast<std::int64_t>(scores.size()) - std::count(scores.begin(), scores.end(), 0u);
}
std::int64_t formed_by_alibi(const shape& shape) {
  return static_cast<std::int64_t>(alibi_bias(shape.length, compared_heads).size());
}
std::int64_t formed_by_rope(const shape& shape) {
  const cos_sin_rows rows = rotary_embedding(shape.length, rope_of(shape));
  return static_cast<std::int64_t>(rows.cos.size() + rows.sin.size());
}

using count_of_numbers = std::int64_t (*)(const shape&);

/// Growth of a count if first the length and then the channels double: "O(1)", "O(d)", "O(L d)", "O(L^2)".
std::string growth(count_of_numbers count) {
  const shape shape;
  const std::int64_t once = count(shape);
  const std::int64_t longer = count({2 * shape.length, shape.channels}) / once;
  const std::int64_t wider = count({shape.length, 2 * shape.channels}) / once;
  const auto factor = [](std::int64_t number, std::string_view letter) -> std::string {
    if (number == 1) return "";
    return fmt::format("{}{}", letter, number == 2 ? "" : number == 4 ? "^2" : "^?");
  };
  const std::string by_length = factor(longer, "L"), by_channels = factor(wider, "d");
  if (by_length.empty() && by_channels.empty()) return "O(1)";
  return fmt::format("O({}{}{})", by_length, by_length.empty() || by_channels.empty() ? "" : " ",
                     by_channels);
}

// Relative: the score or bias is unchanged if query and key move by the same distance.

using exact_score = attention_real (*)(int query, int key);

const matrix<attention_real> query_token = enclosed<attention_limbs>(matrix<double>(1, 4, {3, -1, 4, 1}));
const matrix<attention_real> key_token = enclosed<attention_limbs>(matrix<double>(1, 4, {2, 7, -1, 8}));
constexpr shape four_channels_each{64, 4};

attention_real score_of(const matrix<attention_real>& query, const matrix<attention_real>& key) {
  return times_transposed(query, key).at(0, 0);
}
matrix<attention_real> with_sinusoid(const matrix<attention_real>& token, int position) {
  const double at[] = {static_cast<double>(position)};
  return with_sinusoids(token, at, sinusoids_of(four_channels_each));
}
attention_real score_with_sinusoids(int query, int key) {
  return score_of(with_sinusoid(query_token, query), with_sinusoid(key_token, key));
}
/// Score with random rows, which stand for learned ones: any rows that are not sinusoids would do.
attention_real score_with_learned_rows(int query, int key) {
  std::vector<std::uint32_t> weights;
  for (int i = 0; i < 64 * 4; ++i) weights.push_back(to_bits(static_cast<float>((7 * i * i + 3) % 31 - 15)));
  const learned_table<float> table(learned_of(four_channels_each), weights);
  const auto with_row = [&](const matrix<attention_real>& token, int position) {
    return matrix_of(1, 4, [&](int, int channel) {
      return token.at(0, channel) + table.added_to<attention_limbs>(0, position, channel);
    });
  };
  return score_of(with_row(query_token, query), with_row(key_token, key));
}
attention_real bias_of_t5(int query, int key) {
  std::vector<double> weights;
  for (int i = 0; i < compared_buckets.buckets; ++i) weights.push_back(0.25 * ((5 * i * i + 1) % 17));
  return attention_real::of(t5_bias_view<double>(compared_buckets, 1, weights).at(0, query, key));
}
attention_real bias_of_alibi(int query, int key) {
  const double queries[] = {static_cast<double>(query)}, keys[] = {static_cast<double>(key)};
  return linear_biases<attention_limbs>(queries, keys, 0, slopes).at(0, 0);
}
attention_real score_with_rotation(int query, int key) {
  const double at_query[] = {static_cast<double>(query)}, at_key[] = {static_cast<double>(key)};
  return score_of(rotated_rows(query_token, at_query, rope_of(four_channels_each)),
                  rotated_rows(key_token, at_key, rope_of(four_channels_each)));
}

/// "relative": the score depends on the distance, and moving both tokens does not change it. "absolute":
/// moving both certainly changes it. "constant": nothing changes it.
std::string_view dependence(exact_score score) {
  bool stays = true, changes = false;
  for (const int query : {3, 9, 20})
    for (const int key : {2, 5, 17})
      for (const int move : {1, 4, 40}) {
        const attention_real here = score(query, key), there = score(query + move, key + move);
        if (!may_be_zero(here - there)) return "absolute";
        stays = stays && ropewalk::agree(here, there);
        changes = changes || !may_be_zero(here - score(query, key + move));
      }
  if (!stays) return "undecided";
  return changes ? "relative" : "constant";
}

// The table.

/// One row of the documents' table. Its column on extrapolation has grades, which name no quantity.
struct stated_row {
  std::string_view method;
  bool is_learnable;
  bool is_relative;
  std::string_view memory;
};

/// Functions that measure the row of one method.
struct measures {
  stated_row stated;
  std::string_view encoding;  // in measure_beyond_training
  count_of_numbers learned, kept, formed;
  exact_score score;
};

constexpr measures rows_of_the_table[] = {
    {{"Sinusoidal", false, false, "O(L d)"},
     "sinusoidal",
     learned_by_sinusoids,
     kept_by_sinusoids,
     formed_by_sinusoids,
     score_with_sinusoids},
    {{"Learned", true, false, "O(L d)"},
     "learned",
     learned_by_rows,
     learned_by_rows,
     formed_by_rows,
     score_with_learned_rows},
    {{"T5 Bias", true, true, "O(L^2)"}, "t5", learned_by_t5, learned_by_t5, formed_by_t5, bias_of_t5},
    {{"ALiBi", false, true, "O(1)"},
     "alibi",
     learned_by_alibi,
     kept_by_alibi,
     formed_by_alibi,
     bias_of_alibi},
    {{"RoPE", false, true, "O(L d)"},
     "rope",
     learned_by_rope,
     kept_by_rope,
     formed_by_rope,
     score_with_rotation},
};

beyond_training beyond(std::string_view encoding) {
  for (const beyond_training& length : measure_beyond_training(rope_of({fourfold.trained, 64}), fourfold))
    if (length.encoding == encoding) return length;
  throw std::invalid_argument("an encoding that is not measured");
}

/// Numbers of cells of each column that the measurement confirms.
struct confirmed {
  int learnable = 0, relative = 0, kept = 0, formed = 0, served = 0;
};

void measure_row(const measures& row, confirmed& cells, std::string& text) {
  const shape shape;
  const std::string kept = growth(row.kept), formed = growth(row.formed);
  const std::string_view depends = dependence(row.score);
  const beyond_training longer = beyond(row.encoding);
  cells.learnable += (row.learned(shape) > 0) == row.stated.is_learnable;
  cells.relative += depends == (row.stated.is_relative ? "relative" : "absolute");
  cells.kept += kept == row.stated.memory;
  cells.formed += formed == row.stated.memory;
  cells.served += longer.serves;
  text += fmt::format(
      "\n{}: {} learned; {}; keeps {}, {}; forms {}, {}; position {} {}, unseen {:.1f} % ({})",
      row.stated.method, row.learned(shape), depends, row.kept(shape), kept, row.formed(shape), formed,
      fourfold.target - 1, longer.serves ? "served" : "refused", 100 * longer.unseen, longer.quantity);
}

evidence comparison_measured() {
  const shape shape;
  std::string text = fmt::format(
      "numbers for {} tokens of {} channels and {} heads, and how they grow where length and channels "
      "double; trained on {} positions:",
      shape.length, shape.channels, compared_heads, fourfold.trained);
  confirmed cells;
  for (const measures& row : rows_of_the_table) measure_row(row, cells, text);
  text += fmt::format(
      "\ncells of the documents' table that this confirms, of 5: learnable {}, relative {}; memory {} as "
      "what is kept, {} as what is formed",
      cells.learnable, cells.relative, cells.kept, cells.formed);
  const bool shown = cells.learnable == 5 && cells.relative == 5 && cells.kept == 2 && cells.formed == 4 &&
                     cells.served == 4 && !beyond("learned").serves && beyond("t5").unseen == 0 &&
                     beyond("sinusoidal").unseen > 0 && beyond("alibi").unseen > 0 &&
                     beyond("rope").unseen > 0;
  return {shown, text};
}

evidence parameters_and_cost() {
  const shape shape;
  std::string text = fmt::format(
      "{} tokens of {} channels, {} heads: learned numbers, and numbers to be added:", shape.length,
      shape.channels, compared_heads);
  for (const measures& row : rows_of_the_table)
    if (row.encoding != "rope")
      text += fmt::format(" {} {}, {};", row.stated.method, row.learned(shape), row.formed(shape));
  text.back() = '.';
  return {learned_by_sinusoids(shape) == 0 && learned_by_rows(shape) > 0 &&
              formed_by_sinusoids(shape) == formed_by_rows(shape) && learned_by_alibi(shape) == 0 &&
              formed_by_alibi(shape) > formed_by_rows(shape),
          text};
}

evidence calls_of_the_documents() {
  const std::vector<float> encoding = sinusoidal_encoding(100, 64), bias = alibi_bias(100, 8);
  const std::vector<float> x{1, 0, 1, 0};
  const std::vector<std::int32_t> position{2};
  const cos_sin_rows rows = rotary_embedding(3, {.rotary_dim = 4});
  const std::vector<float> turned = apply_rope(x, position, 4);
  const bool shown = encoding.size() == 6400 && bias.size() == 80000 && turned[0] == rows.cos[4] &&
                     turned[1] == rows.sin[4] && turned[2] == rows.cos[5] && turned[3] == rows.sin[5] &&
                     bias[1] == -0.5f;
  return {
      shown,
      fmt::format(
          "sinusoidal_encoding(100, 64): {} numbers; alibi_bias(100, 8): {} numbers, head 1 at distance 1: "
          "{}; apply_rope([1, 0, 1, 0], 2) = [{:.3f}, {:.3f}, {:.3f}, {:.3f}], the row of rotary_embedding",
          encoding.size(), bias.size(), bias[1], turned[0], turned[1], turned[2], turned[3])};
}

}  // namespace

std::vector<claim> comparison_claims() {
  return {
      {.number = 26,
       .documents = {document::attn_tensors},
       .statement = "a table: learnable, extrapolation, relative, memory O(L d), O(L^2), O(1)",
       .decided = verdict::corrected,
       .correction = "learnable and relative hold; beyond the trained length learned rows alone are refused, "
                     "and how well the others extrapolate is no property of a type (`ropewalk explain "
                     "extrapolation` measures what is unseen there). Memory counts two things: formed are "
                     "O(L d) rows or O(L^2) biases, ALiBi's included; kept are O(L d) learned rows, O(d) "
                     "frequencies of sinusoids and RoPE, O(1) buckets or slopes",
       .witness = "comparison_measured",
       .run = comparison_measured},
      {.number = 27,
       .documents = {document::attn_tensors},
       .statement = "the calls sinusoidal_encoding, rotary_embedding, apply_rope and alibi_bias exist with "
                    "those meanings",
       .decided = verdict::holds,
       .correction = "",
       .witness = "calls_of_the_documents; DocumentExample in tests/kernel",
       .run = calls_of_the_documents},
      {.number = 81,
       .documents = {document::study_notes},
       .statement = "sinusoids have no parameters, hence a low computational cost",
       .decided = verdict::refuted,
       .correction =
           "the cost does not follow from the number of parameters: a learned row costs the same d additions "
           "per token as a sinusoidal one, and ALiBi, which has no parameters either, adds L^2 numbers per "
           "head",
       .witness = "parameters_and_cost",
       .run = parameters_and_cost}};
}

}  // namespace ropewalk::claim
