// A key cache that outlives a change of seq_len: keys rotated with one table meet queries rotated with
// another, and a score no longer depends on the distance alone. With one table it does, within the proved
// bound.

#include <gtest/gtest.h>

#include <cstdint>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"
#include "oracle/models.hpp"
#include "ropewalk/law/kernel/score.hpp"

namespace ropewalk::frequency_cache_test {
namespace {

using number = float;

/// One head of a query or key, the same in every pair, rotated to one position by the canonical kernel.
head_pairs<number> turned_to(std::int32_t position, const rope& config) {
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, config, {config.rotary_dim});
  law_case test_case = example::single_head(ROPEWALK_F32, config.rotary_dim, position);
  for (auto& element : test_case.query) element = to_bits(0.5f);
  return output_pairs<number>(kernel, test_case, kernel.turned(test_case), place{});
}

/// Difference of two scores at one distance, relative to its bound. Above 1, the scores depend on more than
/// the distance.
struct invariance {
  double ratio = 0;
  bool holds = true;
};

/// Scores of keys rotated under `with_keys` and queries rotated under `with_queries`.
invariance of_two_scores(const rope& with_keys, const rope& with_queries) {
  constexpr std::int32_t distance = 100, first = 200, second = 3900;
  const auto add_score = [&](exact_sum<number>& sum, std::int32_t position, bool subtract) {
    const auto query = turned_to(position, with_queries), key = turned_to(position - distance, with_keys);
    if (subtract) return subtract_dot(sum, query, key);
    add_dot(sum, query, key);
  };
  exact_sum<number> difference;
  add_score(difference, first, false);
  add_score(difference, second, true);
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, with_queries,
                                {with_queries.rotary_dim});
  const pair_bound bound = score_difference_bound(kernel.accuracy_at<number>(second, false));
  const verdict verdict = judge(bound.relative, [&]<int N>() -> error_and_bound<N> {
    const enclosure<N> a = kernel.attention<N>(false);
    const enclosure<N> size = a * square_root(enclosure<N>::of(0.25 * with_queries.rotary_dim));
    return {difference.value<N>(),
            allowed_score_error(bound, kernel.pairs(), size * size, size + size, true)};
  });
  return {verdict.ratio, verdict.holds};
}

TEST(FrequencyCache, OneTableKeepsScoresToTheirDistance) {
  for (const rope& config : {oracle::phi_35_mini(4096), oracle::phi_35_mini(4097), oracle::internlm_25(32768),
                             oracle::internlm_25(65536)})
    EXPECT_TRUE(of_two_scores(config, config).holds) << config.seq_len;
}

TEST(FrequencyCache, KeysThatOutliveTheSwitchOfLongropeBreakInvariance) {
  const invariance stale = of_two_scores(oracle::phi_35_mini(4096), oracle::phi_35_mini(4097));
  EXPECT_FALSE(stale.holds);
  EXPECT_GT(stale.ratio, 1);
}

TEST(FrequencyCache, KeysThatOutliveTheGrowthOfDynamicBreakInvariance) {
  EXPECT_FALSE(of_two_scores(oracle::internlm_25(32768), oracle::internlm_25(65536)).holds);
  // One more token.
  EXPECT_FALSE(of_two_scores(oracle::internlm_25(65536), oracle::internlm_25(65537)).holds);
  // Both lengths still have the same table.
  EXPECT_TRUE(of_two_scores(oracle::internlm_25(1), oracle::internlm_25(32768)).holds);
}

}  // namespace
}  // namespace ropewalk::frequency_cache_test
