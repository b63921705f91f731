// Table laws on drawn configurations: this library's own tables pass every law in every case, and for each
// law there is a fault that it is the first to catch.

#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "verify/faults_of_rotations.hpp"
#include "verify/faults_of_tables.hpp"
#include "verify/tables.hpp"

namespace ropewalk::verify {
namespace {

const std::atomic<bool> not_stopped{false};

const std::vector<example::table_fault>& every_fault() {
  static const std::vector<example::table_fault> all = [] {
    example::table_faults faults;
    add_frequency_faults(faults);
    add_cos_sin_faults(faults);
    add_axes_faults(faults);
    add_xpos_faults(faults);
    add_sinusoid_faults(faults);
    add_linear_bias_faults(faults);
    add_bucket_faults(faults);
    add_index_code_faults(faults);
    add_query_scale_faults(faults);
    add_learned_faults(faults);
    add_transformer_xl_faults(faults);
    add_attention_faults(faults);
    return std::move(faults.all);
  }();
  return all;
}

TEST(TableLaws, EachIsTheFirstToCatchItsFaultWithEverySeed) {
  for (const example::table_fault& fault : every_fault()) {
    std::cout << "  " << fault.name << ", " << fault.law << ": " << fault.sentence << "\n";
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(fault.first_to_fail(seed), fault.law)
          << fault.name << ", " << fault.sentence << ", seed " << seed;
  }
}

template <class Laws>
void expect_a_fault_for_each(std::string_view name, const Laws& laws) {
  for (const auto& law : laws) {
    EXPECT_FALSE(law.catches.empty()) << name << ", " << law.name << " names no fault that it catches";
    const auto& all = every_fault();
    EXPECT_TRUE(std::any_of(
        all.begin(), all.end(),
        [&](const example::table_fault& fault) { return fault.name == name && fault.law == law.name; }))
        << name << ", " << law.name;
  }
}

TEST(TableLaws, EachHasAFault) {
  expect_a_fault_for_each("frequency", frequency_laws::all);
  expect_a_fault_for_each("cos_sin", cos_sin_laws::all);
  expect_a_fault_for_each("sinusoidal", sinusoidal_laws::all);
  expect_a_fault_for_each("slope", slope_laws::all);
  expect_a_fault_for_each("bias", bias_laws::all);
  expect_a_fault_for_each("bucket", bucket_laws::all);
  expect_a_fault_for_each("index_code", index_code_laws::all);
  expect_a_fault_for_each("query_scale", query_scale_laws::all);
  expect_a_fault_for_each("learned", learned_laws::all);
  expect_a_fault_for_each("axes", axes_laws::all);
  expect_a_fault_for_each("xpos", xpos_laws::all);
  expect_a_fault_for_each("transformer_xl", transformer_xl_laws::all);
  expect_a_fault_for_each("attention", attention_laws::all);
}

template <class Laws>
void expect_all_among(const std::set<std::string_view>& names, const Laws& laws) {
  for (const auto& law : laws) EXPECT_TRUE(names.contains(law.statement)) << law.name;
}

TEST(TableLaws, EachAppliesToOneOfOurTables) {
  std::set<std::string_view> names;
  for (const judged_table& table : own_tables())
    for (const law_text& law : table.laws) names.insert(law.statement);
  expect_all_among(names, frequency_laws::all);
  expect_all_among(names, cos_sin_laws::all);
  expect_all_among(names, sinusoidal_laws::all);
  expect_all_among(names, slope_laws::all);
  expect_all_among(names, bias_laws::all);
  expect_all_among(names, bucket_laws::all);
  expect_all_among(names, index_code_laws::all);
  expect_all_among(names, query_scale_laws::all);
  expect_all_among(names, learned_laws::all);
  expect_all_among(names, axes_laws::all);
  expect_all_among(names, xpos_laws::all);
  expect_all_among(names, transformer_xl_laws::all);
  expect_all_among(names, attention_laws::all);
}

TEST(OwnTables, PassEachLawOnTheRequiredNumberOfCases) {
  const judged_tables tables = judge(own_tables(), {.seed = 7, .threads = 2}, not_stopped);
  for (const result& line : tables.lines) {
    EXPECT_EQ(finding_of(line), finding::holds) << line.model << ' ' << line.law.name;
    EXPECT_GE(line.outcome.asked(), line.outcome.count) << line.model << ' ' << line.law.name;
    EXPECT_GE(line.outcome.decided, table_cases) << line.model << ' ' << line.law.name;
  }
}

TEST(OwnTables, AreNotJudgedOnFewerCases) {
  constexpr std::int64_t cases = 40;
  const judged_tables tables = judge(own_tables(), {.seed = 7, .threads = 2, .cases = cases}, not_stopped);
  for (const result& line : tables.lines) {
    EXPECT_EQ(finding_of(line), finding::not_judged) << line.model << ' ' << line.law.name;
    EXPECT_EQ(line.outcome.decided, cases) << line.model << ' ' << line.law.name;
    EXPECT_EQ(line.outcome.count - line.outcome.asked(), table_cases - cases);
  }
}

/// The buckets of T5's decoder, 64 too high beyond distance 99. Only the law within-table is checked.
judged_table unclamped_buckets() {
  for (judged_table& table : own_tables())
    if (table.encoding == "t5, decoder") {
      const search::table_under_laws<search::bucket_case, checked_buckets> subject{
          search::bucket_cases(false), [](const search::bucket_case& test_case) {
            return checked_buckets{[](std::int64_t relative, const t5_bias& config) {
                                     return t5_bucket(relative, config) + (relative < -99 ? 64 : 0);
                                   },
                                   test_case.config};
          }};
      table.laws = {bucket_laws::within_table.text()};
      table.go_on = [=](const std::vector<std::string_view>&, std::uint64_t seed, const search::limits& until,
                        const std::atomic<bool>& stopped, std::vector<search::outcome>& so_far) {
        search::search_tables({&bucket_laws::within_table}, subject, seed, until, stopped, so_far);
      };
      table.shrink = [=](std::string_view, std::uint64_t seed, search::counterexample& counterexample,
                         const std::atomic<bool>& stopped, search::clock::time_point deadline) {
        search::shrink_table(bucket_laws::within_table, subject, seed, counterexample, stopped, deadline);
      };
      return std::move(table);
    }
  return {};
}

TEST(OwnTables, AFailureNamesTheSmallestConfigurationAndTheCommandThatReproducesIt) {
  const judged_tables tables =
      judge({unclamped_buckets()}, {.seed = 3, .threads = 1, .cases = 50}, not_stopped);
  ASSERT_EQ(tables.lines.size(), 1u);
  const result& line = tables.lines[0];
  EXPECT_EQ(finding_of(line), finding::fails);
  EXPECT_EQ(line.outcome.failure->table, "2 buckets, max_distance 2, causal");
  EXPECT_EQ(line.reproduce, "ropewalk verify --law within-table --dtype f64 --seed 3 --cases 1 --allow-cut");
}

/// A search in several calls draws the same cases as a search in one call, for any selection of laws.
TEST(OwnTables, CasesDependOnTheSeedAlone) {
  const search::table_under_laws<search::slope_case, checked_slopes> subject{
      search::slope_cases(alibi_form::causal), [](const search::slope_case& test_case) {
        return checked_slopes{alibi_slopes<double>, test_case.config};
      }};
  const std::vector<const law<checked_slopes>*> laws{&slope_laws::whole, &slope_laws::interlaced};
  std::vector<search::outcome> whole(2), parts(2), alone(1);
  search::search_tables(laws, subject, 5, {0, 30, {}, {}}, not_stopped, whole);
  for (const std::int64_t cases : {1, 7, 30})
    search::search_tables(laws, subject, 5, {0, cases, {}, {}}, not_stopped, parts);
  search::search_tables({&slope_laws::interlaced}, subject, 5, {0, 30, {}, {}}, not_stopped, alone);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(whole[i].compared, parts[i].compared);
    EXPECT_EQ(whole[i].drawn, parts[i].drawn);
  }
  EXPECT_EQ(alone[0].compared, whole[1].compared);
}

}  // namespace
}  // namespace ropewalk::verify
