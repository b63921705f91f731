// Table laws on drawn configurations: this library's own tables keep every law in every case, and each law
// has a fault that it is the first to catch.

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

const std::atomic<bool> is_running{false};

const std::vector<example::table_fault>& every_fault() {
  static const std::vector<example::table_fault> all = [] {
    example::table_faults r;
    add_frequency_faults(r);
    add_cos_sin_faults(r);
    add_axes_faults(r);
    add_xpos_faults(r);
    add_sinusoid_faults(r);
    add_linear_bias_faults(r);
    add_bucket_faults(r);
    add_index_code_faults(r);
    add_query_scale_faults(r);
    add_learned_faults(r);
    add_transformer_xl_faults(r);
    add_attention_faults(r);
    return std::move(r.all);
  }();
  return all;
}

TEST(TableLaws, EachIsTheFirstToSeeItsFaultOnCasesOfEverySeed) {
  for (const example::table_fault& one : every_fault()) {
    std::cout << "  " << one.of << ", " << one.law << ": " << one.sentence << "\n";
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(one.first_to_fail(seed), one.law) << one.of << ", " << one.sentence << ", seed " << seed;
  }
}

template <class Laws>
void expect_a_fault_for_each(std::string_view of, const Laws& laws) {
  for (const auto& law : laws) {
    EXPECT_FALSE(law.catches.empty()) << of << ", " << law.name << " names no fault that it catches";
    const auto& all = every_fault();
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(),
                    [&](const example::table_fault& one) { return one.of == of && one.law == law.name; }))
        << of << ", " << law.name;
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
void expect_all_among(const std::set<std::string_view>& found, const Laws& laws) {
  for (const auto& law : laws) EXPECT_TRUE(found.contains(law.statement)) << law.name;
}

TEST(TableLaws, AreAllOfSomeTableOfOurs) {
  std::set<std::string_view> found;
  for (const judged_table& one : own_tables())
    for (const law_text& law : one.laws) found.insert(law.statement);
  expect_all_among(found, frequency_laws::all);
  expect_all_among(found, cos_sin_laws::all);
  expect_all_among(found, sinusoidal_laws::all);
  expect_all_among(found, slope_laws::all);
  expect_all_among(found, bias_laws::all);
  expect_all_among(found, bucket_laws::all);
  expect_all_among(found, index_code_laws::all);
  expect_all_among(found, query_scale_laws::all);
  expect_all_among(found, learned_laws::all);
  expect_all_among(found, axes_laws::all);
  expect_all_among(found, xpos_laws::all);
  expect_all_among(found, transformer_xl_laws::all);
  expect_all_among(found, attention_laws::all);
}

TEST(OwnTables, HoldEachLawOnTheCasesThatItWants) {
  const judged_tables found = judge(own_tables(), {.seed = 7, .threads = 2}, is_running);
  for (const result& one : found.lines) {
    EXPECT_EQ(finding_of(one), finding::holds) << one.model << ' ' << one.law.name;
    EXPECT_GE(one.found.asked(), one.found.wanted) << one.model << ' ' << one.law.name;
    EXPECT_GE(one.found.decided, table_cases) << one.model << ' ' << one.law.name;
  }
}

TEST(OwnTables, AreNotJudgedOnFewerCases) {
  constexpr std::int64_t cases = 40;
  const judged_tables found = judge(own_tables(), {.seed = 7, .threads = 2, .cases = cases}, is_running);
  for (const result& one : found.lines) {
    EXPECT_EQ(finding_of(one), finding::not_judged) << one.model << ' ' << one.law.name;
    EXPECT_EQ(one.found.decided, cases) << one.model << ' ' << one.law.name;
    EXPECT_EQ(one.found.wanted - one.found.asked(), table_cases - cases);
  }
}

/// The buckets of T5's decoder, 64 too high beyond distance 99, under the law within-table alone.
judged_table unclamped_buckets() {
  for (judged_table& one : own_tables())
    if (one.encoding == "t5, decoder") {
      const search::table_under_laws<search::bucket_case, checked_buckets> on{
          search::bucket_cases(false), [](const search::bucket_case& of) {
            return checked_buckets{[](std::int64_t relative, const t5_bias& config) {
                                     return t5_bucket(relative, config) + (relative < -99 ? 64 : 0);
                                   },
                                   of.config};
          }};
      one.laws = {bucket_laws::within_table.text()};
      one.go_on = [=](const std::vector<std::string_view>&, std::uint64_t seed, const search::limits& until,
                      const std::atomic<bool>& stopped, std::vector<search::outcome>& so_far) {
        search::search_tables({&bucket_laws::within_table}, on, seed, until, stopped, so_far);
      };
      one.shrink = [=](std::string_view, std::uint64_t seed, search::counterexample& found,
                       const std::atomic<bool>& stopped, search::clock::time_point deadline) {
        search::shrink_table(bucket_laws::within_table, on, seed, found, stopped, deadline);
      };
      return std::move(one);
    }
  return {};
}

TEST(OwnTables, AFailureNamesTheSmallestConfigurationAndTheCommandThatShowsItAgain) {
  const judged_tables found =
      judge({unclamped_buckets()}, {.seed = 3, .threads = 1, .cases = 50}, is_running);
  ASSERT_EQ(found.lines.size(), 1u);
  const result& line = found.lines[0];
  EXPECT_EQ(finding_of(line), finding::fails);
  EXPECT_EQ(line.found.failure->table, "2 buckets, max_distance 2, causal");
  EXPECT_EQ(line.reproduce, "ropewalk verify --law within-table --dtype f64 --seed 3 --cases 1 --allow-cut");
}

/// A search in several parts draws the same cases as one in a single call, whichever laws are asked for.
TEST(OwnTables, CasesDependOnTheSeedAlone) {
  const search::table_under_laws<search::slope_case, checked_slopes> on{
      search::slope_cases(alibi_form::causal), [](const search::slope_case& of) {
        return checked_slopes{alibi_slopes<double>, of.config};
      }};
  const std::vector<const law<checked_slopes>*> laws{&slope_laws::whole, &slope_laws::interlaced};
  std::vector<search::outcome> whole(2), parts(2), alone(1);
  search::search_tables(laws, on, 5, {0, 30, {}, {}}, is_running, whole);
  for (const std::int64_t cases : {1, 7, 30})
    search::search_tables(laws, on, 5, {0, cases, {}, {}}, is_running, parts);
  search::search_tables({&slope_laws::interlaced}, on, 5, {0, 30, {}, {}}, is_running, alone);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(whole[i].compared, parts[i].compared);
    EXPECT_EQ(whole[i].drawn, parts[i].drawn);
  }
  EXPECT_EQ(alone[0].compared, whole[1].compared);
}

}  // namespace
}  // namespace ropewalk::verify
