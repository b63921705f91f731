// Claims about trained models, or in words that name no quantity. No computation decides them; each witness
// shows what can be computed.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "ropewalk/encoding/index_code.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::claim {
namespace {

using table_entries = std::vector<std::uint32_t>;

constexpr sinusoidal sixteen_channels{.d_model = 16};
constexpr learned sixty_four_rows{.max_position_embeddings = 64, .d_model = 16};
constexpr position_range every_row{0, sixty_four_rows.max_position_embeddings};

// Uniform importance.

/// Four tokens, one with the key (4, 4, 4, 4), the others with 0. Every query is (1, 1, 1, 1).
attention_example one_token_matters(int place) {
  attention_example sample = four_tokens();
  sample.queries = matrix_of(four, four, [](int, int) { return 1.0; });
  sample.keys = matrix_of(four, four, [&](int token, int) { return token == place ? 4.0 : 0.0; });
  return sample;
}

evidence one_token_dominates() {
  const scalar uniform = scalar::of(1) / scalar::of(four);
  scalar least = scalar::of(1), without = scalar::of(0);
  for (int place = 0; place < four; ++place) {
    const attention_example sample = one_token_matters(place);
    const auto with_rows = [&](const matrix<double>& x) {
      return with_sinusoids(exact(x), sample.positions, four_sinusoids);
    };
    const attention_rows weights =
        attention(with_rows(sample.queries), with_rows(sample.keys), exact(sample.values)).weights;
    for (int query = 0; query < four; ++query)
      if (is_below(weights.at(query, place), least)) least = weights.at(query, place);
    without = attention(exact(sample.queries), exact(sample.keys), exact(sample.values)).weights.at(0, place);
  }
  return {is_below(scalar::of(3) * uniform, least),
          fmt::format("4 tokens with sinusoids added, one of which has a key of norm 8 and the others none: "
                      "wherever it stands it has at least {:.5f} of every query's attention ({:.5f} without "
                      "sinusoids); uniform weights would be {}",
                      nearest(least), nearest(without), nearest(uniform))};
}

// Learned tables compared with sinusoidal ones.

table_entries sinusoidal_table(const sinusoidal& config) {
  return sinusoidal_encodings<float>(every_row, config);
}

bool is_refused(const learned_table<float>& table, std::int64_t position) {
  try {
    (void)table.row(position);
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

evidence learned_table_of_sinusoids() {
  const table_entries sinusoids = sinusoidal_table(sixteen_channels);
  const learned_table<float> table(sixty_four_rows, sinusoids);
  const sinusoidal_rows rows(sixteen_channels);
  std::int64_t same = 0;
  table_entries row(16);
  for (std::int64_t position = 0; position < every_row.end; ++position) {
    rows.row<float>(static_cast<double>(position), row.data());
    for (std::size_t i = 0; i < row.size(); ++i) same += row[i] == table.row(position)[i];
  }
  const bool ends = is_refused(table, every_row.end);
  return {
      same == 1024 && ends,
      fmt::format(
          "a learned table of 64 rows of 16 channels can hold {} of 1024 entries of the sinusoidal one, bit "
          "for bit, so that both give a model the same numbers up to position 63; position 64 is {} by it",
          same, ends ? "refused" : "served")};
}

/// Row 0 of a sinusoidal table is (0, 1, 0, 1, ...) for every base. A table with another row 0 is not
/// sinusoidal.
bool begins_like_sinusoids(const learned_table<float>& table) {
  const auto row = table.row(0);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] != to_bits(i % 2 == 0 ? 0.0f : 1.0f)) return false;
  return true;
}

evidence tables_that_only_learned_rows_hold() {
  int held = 0;
  const double bases[] = {2, 100, 10000, 500000};
  for (const double base : bases) {
    const table_entries entries = sinusoidal_table({.base = base, .d_model = 16});
    held += begins_like_sinusoids(learned_table<float>(sixty_four_rows, entries));
  }
  table_entries exchanged = sinusoidal_table(sixteen_channels);
  std::swap_ranges(exchanged.begin(), exchanged.begin() + 16, exchanged.begin() + 16);
  const learned_table<float> other(sixty_four_rows, exchanged);
  const bool is_other = !begins_like_sinusoids(other), ends = is_refused(other, every_row.end);
  return {held == 4 && is_other && ends,
          fmt::format("64 rows: sinusoidal tables of bases 2, 100, 10000 and 500000 are learned tables, too, "
                      "and {} of 4 begin with the row (0, 1, 0, 1, ...); a learned table with rows 0 and 1 "
                      "exchanged {}; position 64 is {} by it",
                      held, is_other ? "begins with another, as no base does" : "begins so, too",
                      ends ? "refused" : "served")};
}

// Steps between neighbours.

scalar step_of_sinusoids(int position) {
  scalar squares = scalar::of(0);
  for (int channel = 0; channel < sixteen_channels.d_model; ++channel) {
    const scalar step = sinusoidal_entry<attention_limbs>(position + 1, channel, sixteen_channels) -
                        sinusoidal_entry<attention_limbs>(position, channel, sixteen_channels);
    squares = squares + step * step;
  }
  return square_root(squares);
}

int step_of_bits(std::int64_t position, const index_code& config) {
  int changed = 0;
  for (int column = 0; column < config.width; ++column)
    changed += exact_index_code(position, column, config) != exact_index_code(position + 1, column, config);
  return changed;
}

evidence steps_between_neighbours() {
  const index_code bits{.kind = index_code_kind::binary, .width = 10}, index{};
  const scalar first = step_of_sinusoids(0);
  bool is_constant = true;
  int least = bits.width, most = 0;
  for (int position = 0; position < 1023; ++position) {
    if (position % 73 == 0) is_constant = is_constant && agree(step_of_sinusoids(position), first);
    least = std::min(least, step_of_bits(position, bits));
    most = std::max(most, step_of_bits(position, bits));
  }
  const double largest_index = nearest(index_code_entry<attention_limbs>(1023, 0, index));
  return {is_constant && least == 1 && most == bits.width && largest_index == 1023,
          fmt::format("1024 positions: a step of one position moves 16 sinusoidal channels by {:.4f} "
                      "everywhere, {} to {} of 10 bits, and an index by 1, up to {}",
                      nearest(first), least, most, largest_index)};
}

}  // namespace

std::vector<claim> trained_models_claims() {
  return {
      {.number = 77,
       .documents = {document::study_notes},
       .statement = "sinusoids require uniform token importance across the sequence",
       .decided = verdict::undecidable,
       .correction = "it names no quantity. Read as a statement about attention weights it is false: with "
                     "sinusoids added one token can have nearly all of every query's attention, at any place",
       .witness = "one_token_dominates",
       .run = one_token_dominates},
      {.number = 78,
       .documents = {document::study_notes},
       .statement = "sinusoids empirically performed as well as learned positions",
       .decided = verdict::undecidable,
       .correction = "it is an empirical statement about trained models. Up to its length a learned table "
                     "can hold the sinusoids themselves; whether training finds rows as good or better is no "
                     "property of an encoding",
       .witness = "learned_table_of_sinusoids",
       .run = learned_table_of_sinusoids},
      {.number = 79,
       .documents = {document::attn_tensors},
       .statement = "learned positions are more flexible than sinusoids",
       .decided = verdict::undecidable,
       .correction = "it names no quantity. As sets of tables, learned ones hold every sinusoidal one of "
                     "their length and others; beyond that length they hold nothing",
       .witness = "tables_that_only_learned_rows_hold",
       .run = tables_that_only_learned_rows_hold},
      {.number = 80,
       .documents = {document::lecture, document::blog_post},
       .statement = "smooth codes make training stable; codes that jump and large indices make it unstable",
       .decided = verdict::undecidable,
       .correction =
           "it is an empirical statement about training. What can be computed is the size of a code and of "
           "its steps: constant for sinusoids, up to all bits of a binary code, without bound for the index",
       .witness = "steps_between_neighbours",
       .run = steps_between_neighbours}};
}

}  // namespace ropewalk::claim
