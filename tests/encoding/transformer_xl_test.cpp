// Transformer-XL as exact values: literal shifts, projected sinusoids, scores against Boost, refusals.

#include "ropewalk/encoding/transformer_xl.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "encoding/attention_case.hpp"
#include "numeric/boost_number.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/reference/transformer_xl.hpp"

namespace ropewalk::test {
namespace {

using wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<512, boost::multiprecision::digit_base_2, void, std::int64_t>,
    boost::multiprecision::et_off>;
using numbers = matrix<double>;

TEST(TransformerXlShift, ShiftsAsThePublishedCode) {
  // _rel_shift of arange(1, 7).view(2, 3), and of arange(1, 10).view(3, 3)
  EXPECT_EQ(shifted_as_transformer_xl(numbers(2, 3, {1, 2, 3, 4, 5, 6})), numbers(2, 3, {2, 3, 0, 4, 5, 6}));
  EXPECT_EQ(shifted_as_transformer_xl(numbers(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9})),
            numbers(3, 3, {3, 0, 4, 5, 6, 0, 7, 8, 9}));
}

TEST(TransformerXlShift, ShiftsAsXlnetDoes) {
  // reshape(4, 2)[1:], reshape(2, 3)[:, :2] of arange(1, 9).reshape(2, 4)
  EXPECT_EQ(shifted_as_xlnet(numbers(2, 4, {1, 2, 3, 4, 5, 6, 7, 8}), 2), numbers(2, 2, {3, 4, 6, 7}));
  // With keys + 1 columns, query 0 reads 4, a product of query 1, for a key that it does not see.
  EXPECT_EQ(shifted_as_xlnet(numbers(2, 3, {1, 2, 3, 4, 5, 6}), 2), numbers(2, 2, {3, 4, 5, 6}));
}

TEST(TransformerXlShift, EveryVisibleEntryComesFromItsOwnDistance) {
  for (const int queries : {1, 2, 7, 64, 65536})
    for (const int memory : {0, 1, 63, 1000000})
      for (int query = 0; query < queries; query += 1 + queries / 16)
        for (int key = 0; key <= query + memory; key += 1 + (query + memory) / 16) {
          const int keys = memory + queries, distance = transformer_xl_distance(query, key, memory);
          EXPECT_EQ(transformer_xl_shift(query, key, queries, keys),
                    (shifted_from{query, keys - 1 - distance}));
          EXPECT_EQ(xlnet_shift(query, key, queries, keys, keys + 1), (shifted_from{query, keys - distance}));
          EXPECT_EQ(xlnet_shift(query, key, queries, keys, keys + queries),
                    (shifted_from{query, keys - distance}));
        }
}

TEST(TransformerXlShift, IndicesBeyond32BitsAreWhole) {
  constexpr int largest = std::numeric_limits<int>::max();
  EXPECT_EQ(transformer_xl_shift(largest - 1, largest - 1, largest, largest),
            (shifted_from{largest - 1, largest - 1}));
  EXPECT_EQ(xlnet_shift(largest - 2, largest - 2, largest - 1, largest - 1, largest),
            (shifted_from{largest - 2, largest - 1}));
}

TEST(TransformerXlShift, RefusesWhatIsOutside) {
  EXPECT_EQ(refusal_of([] { transformer_xl_shift(2, 0, 2, 3); }),
            "query is 2; allowed: a number from 0 to queries - 1");
  EXPECT_EQ(refusal_of([] { transformer_xl_shift(0, 3, 2, 3); }),
            "key is 3; allowed: a number from 0 to keys - 1");
  EXPECT_EQ(refusal_of([] { transformer_xl_shift(0, 0, 2, 1); }),
            "keys is 1; allowed: a number not below the number of queries");
  EXPECT_EQ(refusal_of([] { xlnet_shift(0, 0, 0, 0, 1); }), "queries is 0; allowed: a number above 0");
  EXPECT_EQ(refusal_of([] { xlnet_shift(0, 0, 1, 2, 2); }),
            "columns is 2; allowed: a number above the number of keys");
}

TEST(TransformerXl, LearnsTwoVectorsAndAMatrix) {
  EXPECT_EQ(learned_parameters(transformer_xl{.d_model = 410, .d_head = 41}),
            2 * 41 + 410 * 41);  // WikiText-103
}

numbers identity(int size) {
  return matrix_of(size, size, [](int i, int j) { return i == j ? 1.0 : 0.0; });
}

TEST(TransformerXl, RowsAreSinesThenCosinesOfTheDistance) {
  const auto rows =
      projected_distances(2, -1, enclosed<limb_count>(identity(4)), {.d_model = 4, .d_head = 4});
  EXPECT_EQ(rows.rows.rows(), 4);
  const double expected[] = {0.8414709848078965, 0.009999833334166664, 0.5403023058681398,
                             0.9999500004166653};
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(from_bits<double>(round<double>(rows.rows.at(1, c)).bits), expected[c]);  // distance 1
    EXPECT_EQ(round<double>(rows.rows.at(2, c)).bits, to_bits(c < 2 ? 0.0 : 1.0));      // distance 0
    const double sign = c < 2 ? -1 : 1;
    EXPECT_EQ(from_bits<double>(round<double>(rows.rows.at(3, c)).bits), sign * expected[c]);  // distance -1
  }
}

wide midpoint_of(const real& x) {
  const wide size = ldexp(wide(to_boost(x.midpoint.significand)), x.midpoint.exponent);
  return x.midpoint.negative ? wide(-size) : size;
}

numbers random_rows(std::mt19937& next, int count, int channels) {
  return matrix_of(count, channels,
                   [&](int, int) { return (static_cast<double>(next() % 2049) - 1024) / 512; });
}

std::vector<wide> as_list(const numbers& x, int row) { return {x.row(row).begin(), x.row(row).end()}; }

TEST(TransformerXl, ScoresHoldTheReference) {
  constexpr int queries = 3, memory = 2, keys = queries + memory;
  // The reference does fewer than 2^10 operations on numbers below 2^10, which bounds its error.
  const wide reference_error = ldexp(std::numeric_limits<wide>::epsilon(), 20);
  std::mt19937 next(3);
  for (const transformer_xl& config : {transformer_xl{.d_model = 6, .d_head = 4},
                                       transformer_xl{.base = 500000, .d_model = 4, .d_head = 3}}) {
    const numbers q = random_rows(next, queries, config.d_head), k = random_rows(next, keys, config.d_head),
                  u = random_rows(next, 1, config.d_head), v = random_rows(next, 1, config.d_head),
                  weights = random_rows(next, config.d_head, config.d_model);
    const auto exact = [](const numbers& x) { return enclosed<limb_count>(x); };
    const auto rows = projected_distances(keys - 1, 0, exact(weights), config);
    const auto scores = transformer_xl_scores<limb_count>({exact(q), exact(k), exact(u), exact(v)}, rows);
    std::vector<std::vector<wide>> weight_rows;
    for (int c = 0; c < config.d_head; ++c) weight_rows.push_back(as_list(weights, c));
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j <= i + memory; ++j) {
        const auto row = reference::transformer_xl_row<wide>(memory + i - j, weight_rows, config);
        const wide truth =
            reference::transformer_xl_score(as_list(q, i), as_list(k, j), row, as_list(u, 0), as_list(v, 0));
        const wide error = ldexp(wide(scores.at(i, j).error.significand), scores.at(i, j).error.exponent);
        EXPECT_LE(abs(wide(midpoint_of(scores.at(i, j)) - truth)), error + reference_error) << i << ", " << j;
        EXPECT_LT(scores.at(i, j).error, (radius{std::uint32_t{1} << 31, -181})) << i << ", " << j;
      }
  }
}

TEST(TransformerXl, AttendsToItsMemory) {
  const transformer_xl_head<real> head{matrix<real>(2, 1), matrix<real>(4, 1), matrix<real>(1, 1),
                                       matrix<real>(1, 1)};
  const distance_rows<real> rows{matrix<real>(4, 1), 3};
  const attention_mask mask{visible_keys::causal, memory_length_of(head)};
  const auto result = attention_of_scores(transformer_xl_scores<limb_count>(head, rows),
                                          enclosed<limb_count>(numbers(4, 1, {1, 2, 4, 9})), mask);
  EXPECT_EQ(compare(result.outputs.at(1, 0), real::of(4)), order::equal);  // mean of all four
  EXPECT_EQ(round<double>(result.outputs.at(0, 0)).bits, to_bits(7.0 / 3));
}

TEST(TransformerXl, RefusesWhatDoesNotFit) {
  const transformer_xl_head<double> head{numbers(2, 3), numbers(4, 3), numbers(1, 3), numbers(1, 3)};
  const distance_rows<double> near{numbers(4, 3), 3}, farther{numbers(5, 3), 4};
  EXPECT_EQ(refusal_of([&] { shifted_products(head, near, shift_form::transformer_xl); }), "");
  EXPECT_EQ(refusal_of([&] { shifted_products(head, farther, shift_form::xlnet); }), "");
  EXPECT_NE(refusal_of([&] { shifted_products(head, farther, shift_form::transformer_xl); }), "");
  EXPECT_NE(refusal_of([&] { shifted_products(head, near, shift_form::xlnet); }), "");
  EXPECT_NE(refusal_of([&] { terms_of(head, {numbers(4, 2), 3}); }), "");
  EXPECT_NE(refusal_of([&] {
              terms_of<double>({numbers(2, 3), numbers(1, 3), numbers(1, 3), numbers(1, 3)}, near);
            }),
            "");
  EXPECT_NE(refusal_of([&] {
              terms_of<double>({numbers(2, 3), numbers(4, 2), numbers(1, 3), numbers(1, 3)}, near);
            }),
            "");
  EXPECT_NE(refusal_of([&] {
              terms_of<double>({numbers(2, 3), numbers(4, 3), numbers(1, 2), numbers(1, 3)}, near);
            }),
            "");
  EXPECT_NE(refusal_of([&] {
              terms_of<double>({numbers(2, 3), numbers(4, 3), numbers(1, 3), numbers(2, 3)}, near);
            }),
            "");
  EXPECT_NE(refusal_of([&] { rows_between(near, 4, 0); }), "");
  EXPECT_NE(refusal_of([&] { rows_between(near, 0, 1); }), "");
  const auto weights = enclosed<limb_count>(identity(4));
  EXPECT_NE(refusal_of([&] { projected_distances(0, 1, weights, {.d_model = 4, .d_head = 4}); }), "");
  EXPECT_NE(refusal_of([&] { projected_distances(1, 0, weights, {.d_model = 6, .d_head = 4}); }), "");
  EXPECT_NE(refusal_of([&] { projected_distances(1, 0, weights, {.d_model = 4, .d_head = 3}); }), "");
  EXPECT_NE(refusal_of([] { validate(transformer_xl{.d_model = 4}); }).find("d_head is 0"),
            std::string::npos);
  EXPECT_NE(refusal_of([] { validate(transformer_xl{.d_model = 5, .d_head = 1}); }).find("d_model is 5"),
            std::string::npos);
}

TEST(ReferenceTransformerXl, RefusesWhatDoesNotFit) {
  const std::vector<wide> two{1, 2}, wides{1};
  EXPECT_THROW(reference::transformer_xl_score(two, two, two, two, wides), std::invalid_argument);
  EXPECT_THROW(reference::transformer_xl_score<wide>({}, {}, {}, {}, {}), std::invalid_argument);
  EXPECT_THROW(reference::transformer_xl_row<wide>(1, {two}, {.d_model = 2, .d_head = 2}),
               std::invalid_argument);
  EXPECT_THROW(reference::transformer_xl_row<wide>(1, {wides}, {.d_model = 2, .d_head = 1}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::test
