// Laws of Transformer-XL's scores: they hold for the definition and for both shifts, and each fails on the
// matching fault.

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::transformer_xl_laws_test {
namespace {

using example::names;
using numbers = matrix<double>;

constexpr double none = -std::numeric_limits<double>::infinity();

names broken_by(const transformer_xl_source& source) {
  names law_names;
  for (int queries = 1; queries <= 5; ++queries)
    for (const int memory : {0, 1, 2, 5})
      law_names.merge(
          example::broken(transformer_xl_laws::all, checked_transformer_xl{source}, {queries, memory}));
  return law_names;
}

/// The products divided by sqrt(d_head) = 2, and masked but for the keys up to query + memory_length.
numbers finished(const numbers& products, int memory_length) {
  return matrix_of(products.rows(), products.columns(),
                   [&](int i, int j) { return j <= i + memory_length ? products.at(i, j) / 2 : none; });
}

int keys_of(const transformer_xl_example& example) { return example.head.keys.rows(); }

numbers by_definition(const transformer_xl_example& example) {
  return finished(terms_of(example.head, example.distances).sum(), memory_length_of(example.head));
}

numbers by_transformer_xl(const transformer_xl_example& example) {
  const auto rows = rows_between(example.distances, keys_of(example) - 1, 0);
  return finished(shifted_products(example.head, rows, shift_form::transformer_xl),
                  memory_length_of(example.head));
}

numbers by_xlnet(const transformer_xl_example& example) {
  return finished(shifted_products(example.head, example.distances, shift_form::xlnet),
                  memory_length_of(example.head));
}

numbers by_xlnet_one_sided(const transformer_xl_example& example) {
  const auto rows = rows_between(example.distances, keys_of(example), 0);
  return finished(shifted_products(example.head, rows, shift_form::xlnet), memory_length_of(example.head));
}

numbers plus(const numbers& queries, const numbers& bias) {
  return matrix_of(queries.rows(), queries.columns(),
                   [&](int i, int j) { return queries.at(i, j) + bias.at(0, j); });
}

/// Transformer-XL's products with another shift(products).
template <class Shift>
transformer_xl_source with_shift(Shift shift) {
  return [=](const transformer_xl_example& example) {
    const auto rows = rows_between(example.distances, keys_of(example) - 1, 0);
    const numbers products =
        times_transposed(plus(example.head.queries, example.head.content_bias), example.head.keys) +
        shift(times_transposed(plus(example.head.queries, example.head.position_bias), rows.rows));
    return finished(products, memory_length_of(example.head));
  };
}

/// The definition of an example changed by change(example).
template <class Change>
transformer_xl_source with_change(Change change) {
  return [=](const transformer_xl_example& example) {
    transformer_xl_example alone_example = example;
    change(alone_example);
    return by_definition(alone_example);
  };
}

TEST(TransformerXlLaws, HaveNamesOfTheirOwn) { example::expect_names_of_their_own(transformer_xl_laws::all); }

TEST(TransformerXlLaws, HoldForTheDefinitionAndBothShifts) {
  EXPECT_EQ(broken_by(by_definition), names{});
  EXPECT_EQ(broken_by(by_transformer_xl), names{});
  EXPECT_EQ(broken_by(by_xlnet), names{});
  EXPECT_EQ(broken_by(by_xlnet_one_sided), names{});
}

TEST(TransformerXlLaws, NoShiftBreaksDirectAndOwnDistance) {
  const auto unshifted = with_shift([](const numbers& x) { return x; });
  EXPECT_EQ(broken_by(unshifted), (names{"direct", "own-distance"}));
}

TEST(TransformerXlLaws, AShiftThatDropsOneNumberLessLeaksAnotherRow) {
  const auto leaking = with_shift([](const numbers& x) {
    return matrix_of(x.rows(), x.columns(), [&](int i, int j) {
      const int place = i * x.columns() + j + x.rows() - 1;  // queries - 1 in place of queries
      const int row = place / (x.columns() + 1), column = place % (x.columns() + 1);
      return column == 0 ? 0 : x.at(row, column - 1);
    });
  });
  EXPECT_TRUE(broken_by(leaking).contains("direct"));
  EXPECT_TRUE(broken_by(leaking).contains("own-distance"));
}

TEST(TransformerXlLaws, RowsReadTooFarLeakTheNextQuery) {
  const auto leaking = with_shift([](const numbers& x) {
    return matrix_of(x.rows(), x.columns(), [&](int i, int j) {
      const int place = i * x.columns() + j + x.rows();  // as if no column had been padded
      const int row = place / x.columns(), column = place % x.columns();
      return row < x.rows() ? x.at(row, column) : 0;
    });
  });
  EXPECT_TRUE(broken_by(leaking).contains("own-query"));
  EXPECT_TRUE(broken_by(leaking).contains("direct"));
}

TEST(TransformerXlLaws, AWrongMaskShowsWhatTheShiftLeaks) {
  const transformer_xl_source open = [](const transformer_xl_example& example) {
    const auto rows = rows_between(example.distances, keys_of(example) - 1, 0);
    return finished(shifted_products(example.head, rows, shift_form::transformer_xl), keys_of(example));
  };
  EXPECT_EQ(broken_by(open), names{"masked"});
  const transformer_xl_source forgetful = [](const transformer_xl_example& example) {  // key <= query
    return finished(terms_of(example.head, example.distances).sum(), 0);
  };
  EXPECT_TRUE(broken_by(forgetful).contains("masked"));
  EXPECT_TRUE(broken_by(forgetful).contains("memory"));
}

TEST(TransformerXlLaws, AForgottenMemoryBreaksDirectOwnDistanceAndMemory) {
  const transformer_xl_source forgetful =
      [](const transformer_xl_example& example) {  // distance = query - key
        numbers products =
            times_transposed(plus(example.head.queries, example.head.content_bias), example.head.keys);
        const numbers positioned =
            times_transposed(plus(example.head.queries, example.head.position_bias), example.distances.rows);
        for (int i = 0; i < products.rows(); ++i)
          for (int j = 0; j < products.columns(); ++j) {
            const int distance = i > j ? i - j : 0;
            products.at(i, j) += positioned.at(i, example.distances.first_distance - distance);
          }
        return finished(products, memory_length_of(example.head));
      };
  EXPECT_EQ(broken_by(forgetful), (names{"direct", "own-distance", "memory"}));
}

TEST(TransformerXlLaws, DistancesInRisingOrderBreakDirectAndOwnDistance) {
  const auto rising = with_change([](transformer_xl_example& example) {
    const numbers rows = example.distances.rows;
    const int first = example.distances.first_distance;  // distance d and keys - 1 - d change places
    for (int d = 0; d < first; ++d)
      for (int c = 0; c < rows.columns(); ++c) example.distances.rows.at(first - d, c) = rows.at(1 + d, c);
  });
  EXPECT_TRUE(broken_by(rising).contains("direct"));
  EXPECT_TRUE(broken_by(rising).contains("own-distance"));
}

TEST(TransformerXlLaws, ExchangedBiasesBreakDirectAndFourTerms) {
  const auto exchanged = with_change([](transformer_xl_example& example) {
    std::swap(example.head.content_bias, example.head.position_bias);
  });
  EXPECT_EQ(broken_by(exchanged), (names{"direct", "four-terms"}));
}

TEST(TransformerXlLaws, ABiasLeftOutBreaksDirect) {
  const auto without =
      with_change([](transformer_xl_example& example) { example.head.content_bias = numbers(1, 4); });
  EXPECT_EQ(broken_by(without), names{"direct"});
}

TEST(TransformerXlLaws, OneBiasForBothTermsBreaksFourTerms) {
  const auto same = with_change(
      [](transformer_xl_example& example) { example.head.position_bias = example.head.content_bias; });
  EXPECT_EQ(broken_by(same), (names{"direct", "four-terms"}));
}

TEST(TransformerXlLaws, AScaleLeftOutBreaksDirectAlone) {
  const transformer_xl_source unscaled = [](const transformer_xl_example& example) {
    const numbers halves = by_definition(example);
    return halves + halves;
  };
  EXPECT_EQ(broken_by(unscaled), names{"direct"});
}

TEST(TransformerXlLaws, XlnetsShiftOfTransformerXlsRowsBreaksDirect) {
  const auto mistaken = with_shift([](const numbers& x) {
    return matrix_of(x.rows(), x.columns(), [&](int i, int j) {
      const int column = x.rows() - i + j;  // XLNet's map, for rows with one more column in front
      return column < x.columns() ? x.at(i, column) : 0;
    });
  });
  EXPECT_EQ(broken_by(mistaken), (names{"direct", "own-distance"}));
}

TEST(TransformerXlLaws, WantAScoreForEveryKey) {
  const checked_transformer_xl empty{[](const transformer_xl_example&) { return numbers(1, 1); }};
  for (const auto& law : transformer_xl_laws::all)
    EXPECT_THROW(law.measure(empty, {2, 1}), std::invalid_argument) << law.name;
  EXPECT_THROW(transformer_xl_laws::masked.measure({by_definition}, {0, 1}), std::invalid_argument);
  EXPECT_THROW(transformer_xl_laws::masked.measure({by_definition}, {1, -1}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::transformer_xl_laws_test
