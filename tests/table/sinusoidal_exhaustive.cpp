// Every entry of sinusoidal tables that models use, positions 0 .. 131071, in every format, against MPFR.
// Takes minutes on all cores. Layouts only permute channels; at least one case uses each.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "oracle/every_core.hpp"
#include "oracle/sinusoidal_oracle.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::walked_sinusoids {
namespace {

constexpr std::int64_t table_length = 131072;
constexpr std::int64_t block_length = 256;

template <floating_format Float>
std::vector<bits_of<Float>> walked(const sinusoidal_rows& rows, position_range positions) {
  std::vector<bits_of<Float>> r(static_cast<std::size_t>(size(positions)) *
                                static_cast<std::size_t>(rows.width()));
  rows.rows<Float>(positions, r.data());
  return r;
}

std::int64_t wrong_in_block(std::int64_t begin, const sinusoidal_rows& rows,
                            const oracle::sinusoidal_oracle& oracle) {
  const position_range block{begin, begin + block_length};
  const auto f64 = walked<double>(rows, block);
  const auto f32 = walked<float>(rows, block);
  const auto f16 = walked<binary16>(rows, block);
  const auto bf16 = walked<bfloat16>(rows, block);
  std::int64_t wrong = 0;
  for (std::int64_t n = 0; n < block_length; ++n) {
    const auto truth = oracle.row(static_cast<double>(begin + n));
    const std::size_t at = static_cast<std::size_t>(n) * truth.size();
    wrong += oracle::wrong_entries_of<double>(&f64[at], truth);
    wrong += oracle::wrong_entries_of<float>(&f32[at], truth);
    wrong += oracle::wrong_entries_of<binary16>(&f16[at], truth);
    wrong += oracle::wrong_entries_of<bfloat16>(&bf16[at], truth);
  }
  return wrong;
}

void expect_none_wrong(const sinusoidal& config) {
  const sinusoidal_rows rows(config);
  const oracle::sinusoidal_oracle oracle(config);
  const std::int64_t wrong = oracle::on_every_core(table_length / block_length, [&](std::int64_t index) {
    return wrong_in_block(index * block_length, rows, oracle);
  });
  EXPECT_EQ(wrong, 0);
  std::cout << table_length * config.d_model << " entries in four formats, " << wrong << " wrong\n";
}

TEST(SinusoidalExhaustive, PaperOf1024Channels) { expect_none_wrong({.d_model = 1024}); }

TEST(SinusoidalExhaustive, ShapeOfGpt2) { expect_none_wrong({.d_model = 768}); }

TEST(SinusoidalExhaustive, Tensor2TensorOf1024Channels) {
  expect_none_wrong({.d_model = 1024, .shift = 1, .layout = sinusoidal_layout::sin_cos});
}

TEST(SinusoidalExhaustive, MusicGenOf512Channels) {
  expect_none_wrong({.d_model = 512, .shift = 1, .layout = sinusoidal_layout::cos_sin});
}

TEST(SinusoidalExhaustive, FairseqOf513Channels) {
  expect_none_wrong({.d_model = 513,
                     .shift = 1,
                     .layout = sinusoidal_layout::sin_cos,
                     .odd = odd_width::zero,
                     .padding_idx = 1});
}

TEST(SinusoidalExhaustive, Base100000Of512Channels) { expect_none_wrong({.base = 100000, .d_model = 512}); }

}  // namespace
}  // namespace ropewalk::walked_sinusoids
