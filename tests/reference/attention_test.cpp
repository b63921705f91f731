// Attention as enclosures against Boost's numbers: scores, weights, outputs, rotated rows, the decay curve.

#include "ropewalk/reference/attention.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "numeric/boost_number.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/measure/long_term_decay.hpp"

namespace ropewalk {
namespace {

using wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<512, boost::multiprecision::digit_base_2, void, std::int64_t>,
    boost::multiprecision::et_off>;
using rows = reference::row_list<wide>;

constexpr int limb_count = 3;
using real = enclosure<limb_count>;

wide midpoint_of(const real& x) {
  const wide size = ldexp(wide(to_boost(x.midpoint.significand)), x.midpoint.exponent);
  return x.midpoint.negative ? wide(-size) : size;
}

/// Bounds the reference's own error: fewer than 2^10 operations on numbers below 2^10.
const wide reference_error = ldexp(std::numeric_limits<wide>::epsilon(), 20);

bool contains(const real& x, const wide& truth) {
  const wide error = ldexp(wide(x.error.significand), x.error.exponent);
  return error < reference_error * ldexp(wide(1), 420) &&
         abs(wide(midpoint_of(x) - truth)) <= error + reference_error;
}

matrix<double> random_rows(std::mt19937& next, int count, int channels) {
  return matrix_of(count, channels,
                   [&](int, int) { return (static_cast<double>(next() % 2049) - 1024) / 512; });
}

rows as_lists(const matrix<double>& x) {
  rows result;
  for (int i = 0; i < x.rows(); ++i) result.emplace_back(x.row(i).begin(), x.row(i).end());
  return result;
}

void expect_row(const matrix<real>& got, int row, const std::vector<wide>& expected) {
  for (int j = 0; j < got.columns(); ++j)
    EXPECT_TRUE(contains(got.at(row, j), expected[static_cast<std::size_t>(j)])) << row << ", " << j;
}

TEST(ReferenceAttention, EnclosuresHoldIt) {
  std::mt19937 next(1);
  for (int channels = 1; channels <= 9; ++channels)
    for (const bool is_causal : {false, true}) {
      const auto q = random_rows(next, 4, channels), k = random_rows(next, 6, channels),
                 v = random_rows(next, 6, 3);
      const attention_mask mask{is_causal ? visible_keys::causal : visible_keys::all, 2};
      const auto got =
          attention(enclosed<limb_count>(q), enclosed<limb_count>(k), enclosed<limb_count>(v), mask);
      for (int i = 0; i < 4; ++i) {
        const auto scores = reference::scores_of(as_lists(q)[static_cast<std::size_t>(i)], as_lists(k));
        const auto weights = reference::weights_of(scores, is_causal ? i + 2 : 5);
        expect_row(got.scores, i, scores);
        expect_row(got.weights, i, weights);
        expect_row(got.outputs, i, reference::output_of(weights, as_lists(v)));
      }
    }
}

TEST(ReferenceAttention, EnclosuresHoldTurnedRows) {
  std::mt19937 next(2);
  for (const rope& config : {rope{.base = 10000, .rotary_dim = 8}, rope{.base = 500000, .rotary_dim = 6}}) {
    const auto x = random_rows(next, 3, 8);
    const std::vector<double> positions{0, 4095, -1000000.5};
    const auto got = rotated_rows(enclosed<limb_count>(x), positions, config);
    for (std::size_t i = 0; i < 3; ++i)
      expect_row(got, static_cast<int>(i), reference::rotated_row(as_lists(x)[i], positions[i], config));
  }
}

TEST(ReferenceAttention, EnclosuresHoldTheDecayCurve) {
  for (const double distance : {0.0, 1.0, 2.0, 100.0, 4096.0, 131072.0})
    for (const rope& config : {rope{.base = 10000, .rotary_dim = 16}, rope{.base = 1e6, .rotary_dim = 6}})
      EXPECT_TRUE(contains(long_term_decay<limb_count>(distance, config),
                           reference::long_term_decay<wide>(distance, config)))
          << distance;
}

TEST(ReferenceAttention, RefusesWhatDoesNotFit) {
  const std::vector<wide> two{1, 2};
  EXPECT_THROW(reference::scores_of<wide>({}, {}), std::invalid_argument);
  EXPECT_THROW(reference::scores_of<wide>(two, {{1}}), std::invalid_argument);
  EXPECT_THROW(reference::weights_of<wide>(two, 2), std::invalid_argument);
  EXPECT_THROW(reference::weights_of<wide>(two, -1), std::invalid_argument);
  EXPECT_THROW(reference::output_of<wide>(two, {{1}}), std::invalid_argument);
  EXPECT_THROW(reference::output_of<wide>(two, {{1}, {1, 2}}), std::invalid_argument);
  EXPECT_THROW(reference::rotated_row<wide>(two, 1, {.base = 10000, .rotary_dim = 4}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
