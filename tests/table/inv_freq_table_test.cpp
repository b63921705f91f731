// Tables of inverse frequencies: computed at compile time, at run time, and by MPFR.

#include "ropewalk/table/inv_freq_table.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

#include "oracle/models.hpp"
#include "oracle/rope_oracle.hpp"

namespace ropewalk {
namespace {

template <class Float>
class InvFreqTable : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(InvFreqTable, formats);

// One table in so many is made by the compiler; ./dev prove makes all.
#ifdef ROPEWALK_SAMPLED
template <class Float>
constexpr std::size_t one_in = std::is_same_v<Float, double> ? 6 : 12;
#else
template <class Float>
constexpr std::size_t one_in = 1;
#endif
template <class Float>
constexpr std::size_t made = (std::size(oracle::models) + one_in<Float> - 1) / one_in<Float>;

template <floating_format Float, std::size_t... Model>
auto constexpr_tables(std::index_sequence<Model...>) {
  const auto bits = []<std::size_t N>(const std::array<Float, N>& table) {
    std::vector<bits_of<Float>> result;
    for (Float value : table) result.push_back(to_bits(value));
    return result;
  };
  return std::vector<std::vector<bits_of<Float>>>{
      bits(inv_freq_table<Float, oracle::models[Model * one_in<Float>].config>)...};
}

TYPED_TEST(InvFreqTable, CompilerRunTimeAndMpfrAgree) {
  const auto made_by_compiler = constexpr_tables<TypeParam>(std::make_index_sequence<made<TypeParam>>{});
  for (std::size_t i = 0; i < std::size(oracle::models); ++i) {
    const oracle::model& model = oracle::models[i];
    const auto at_run_time = inv_freqs<TypeParam>(model.config);
    if (i % one_in<TypeParam> == 0) {
      EXPECT_EQ(made_by_compiler[i / one_in<TypeParam>], at_run_time) << model.name;
    }
    for (int pair = 0; pair < pair_count(model.config); ++pair)
      EXPECT_EQ(at_run_time[static_cast<std::size_t>(pair)],
                oracle::inv_freq_in_all_formats(pair, model.config).template in<TypeParam>())
          << model.name << " pair " << pair;
  }
}

TYPED_TEST(InvFreqTable, ThrowsForAConfigurationThatIsNone) {
  EXPECT_THROW(inv_freqs<TypeParam>({.base = 10000, .rotary_dim = 7}), std::invalid_argument);
  EXPECT_THROW(inv_freqs<TypeParam>({.base = 1, .rotary_dim = 8}), std::invalid_argument);
}

TEST(InvFreqTable, TenthPowersOfTen) {
  constexpr auto table = inv_freq_table<float, rope{.base = 10000, .rotary_dim = 128}>;
  static_assert(table.size() == 64);
  static_assert(table[0] == 1 && table[16] == 0.1f && table[32] == 0.01f && table[48] == 0.001f);
}

}  // namespace
}  // namespace ropewalk
