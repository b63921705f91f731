// Streams of rows: in order, the same bits for any number of threads; the sink's exceptions pass through.

#include "ropewalk/table/row_stream.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "oracle/models.hpp"

namespace ropewalk {
namespace {

struct streamed {
  std::vector<std::uint32_t> cos;
  std::vector<std::uint32_t> sin;
  friend bool operator==(const streamed&, const streamed&) = default;
};

streamed stream(const rope_rows& rows, position_range positions, int threads) {
  streamed stream;
  std::int64_t next = positions.begin;
  stream_rows<float>(rows, positions, threads, [&](const row_block<float>& block) {
    EXPECT_EQ(block.positions.begin, next);
    EXPECT_EQ(block.cos.size(), static_cast<std::size_t>(size(block.positions) * rows.pairs()));
    next = block.positions.end;
    stream.cos.insert(stream.cos.end(), block.cos.begin(), block.cos.end());
    stream.sin.insert(stream.sin.end(), block.sin.begin(), block.sin.end());
  });
  EXPECT_EQ(next, positions.end);
  return stream;
}

TEST(RowStream, AnyNumberOfThreadsGivesTheSameBits) {
  const rope_rows rows(oracle::gpt_neox);
  const position_range positions{-700, 3001};
  const streamed streamed = stream(rows, positions, 1);
  for (int threads : {2, 3, 7}) EXPECT_EQ(stream(rows, positions, threads), streamed);
  std::vector<std::uint32_t> cos(12), sin(12);
  rows.row<float>(3000, false, cos.data(), sin.data());
  EXPECT_TRUE(std::equal(cos.begin(), cos.end(), streamed.cos.end() - 12));
  EXPECT_TRUE(std::equal(sin.begin(), sin.end(), streamed.sin.end() - 12));
}

TEST(RowStream, WhatTheSinkThrowsComesThrough) {
  const rope_rows rows(oracle::gpt_neox);
  int blocks = 0;
  const auto full = [&](const row_block<float>&) {
    if (++blocks == 2) throw std::length_error("full");
  };
  EXPECT_THROW(stream_rows<float>(rows, {0, 5000}, 2, full), std::length_error);
  EXPECT_EQ(blocks, 2);
}

TEST(RowStream, RefusesBadRangesAndThreadCounts) {
  const rope_rows rows(oracle::gpt_neox);
  const auto nothing = [](const row_block<float>&) {};
  EXPECT_THROW(stream_rows<float>(rows, {5, 5}, 1, nothing), std::invalid_argument);
  EXPECT_THROW(stream_rows<float>(rows, {0, largest_position + 2}, 1, nothing), std::invalid_argument);
  EXPECT_THROW(stream_rows<float>(rows, {smallest_position - 1, 0}, 1, nothing), std::invalid_argument);
  EXPECT_THROW(stream_rows<float>(rows, {0, 5}, 0, nothing), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
