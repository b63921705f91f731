#include "sweep/file_subject.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include "export/npy.hpp"
#include "export/tables.hpp"
#include "input/bad_input.hpp"
#include "input/positions.hpp"
#include "judged.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::sweep {
namespace {

using tables::array_layout, tables::cos_sin_layout, tables::table_dtype, tables::table_kind;

constexpr position_range rows{40, 540};

/// A table of the program in a .npy file, which is removed.
class written_table {
 public:
  written_table(const array_layout& layout, table_dtype dtype)
      : path_(testing::TempDir() + "ropewalk_swept_" + std::to_string(::getpid()) + ".npy") {
    input::position_list positions;
    positions.range = rows;
    const auto table = tables::rope_table_of(layout, small_model(), positions);
    const auto made = table->make_rows(dtype);
    header_ = tables::npy_header_bytes(
        npy_header{tables::array_dtype(table->about().elements, dtype), table->about().shape});
    std::vector<std::byte> bytes(static_cast<std::size_t>(made->rows()) * made->row_bytes());
    made->fill(0, made->rows(), bytes.data());
    elements_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    write();
  }
  ~written_table() { std::filesystem::remove(path_); }
  written_table(const written_table&) = delete;
  written_table& operator=(const written_table&) = delete;

  const std::string& path() const { return path_; }
  void flip_bit(std::size_t byte) {
    elements_[byte] = static_cast<char>(elements_[byte] ^ 1);
    write();
  }
  void cut(std::size_t bytes) {
    elements_.resize(elements_.size() - bytes);
    write();
  }

 private:
  void write() const { std::ofstream(path_, std::ios::binary) << header_ << elements_; }

  std::string path_;
  std::string header_;
  std::string elements_;
};

format_tally judged_file(const written_table& file, const array_layout& layout,
                         position_range positions = rows) {
  const given_table table(file.path(), layout, rows.begin);
  EXPECT_EQ(table.positions(), rows);
  return judged(small_model(), table.dtype(), positions, table).front();
}

array_layout both(cos_sin_layout arrangement, pairing duplicated = pairing::half_split) {
  return {.kind = table_kind::cos_sin, .arrangement = arrangement, .duplicated = duplicated};
}

TEST(FileSubject, TablesOfTheProgramAreRightInEveryLayout) {
  const std::int64_t index = 500 * 8;
  for (const auto& [layout, dtype, entries] :
       {std::tuple{array_layout{.kind = table_kind::cos}, table_dtype::f32, index},
        {array_layout{.kind = table_kind::sin}, table_dtype::f16, index},
        {array_layout{.kind = table_kind::sin}, table_dtype::f64, index},
        {both(cos_sin_layout::vllm), table_dtype::bf16, 2 * index},
        {both(cos_sin_layout::complex), table_dtype::f32, 2 * index},
        {both(cos_sin_layout::hf), table_dtype::f32, 4 * index},
        {both(cos_sin_layout::hf, pairing::interleaved), table_dtype::f16, 4 * index}}) {
    const format_tally tally = judged_file(written_table(layout, dtype), layout);
    EXPECT_EQ(tally.entries, entries);
    EXPECT_EQ(tally.wrong, 0);
    EXPECT_EQ(tally.by_steps[0], entries);
  }
}

TEST(FileSubject, OneChangedBitIsOneWrongEntryAtItsPlace) {
  written_table cosines({.kind = table_kind::cos}, table_dtype::f32);
  cosines.flip_bit((123 * 8 + 5) * sizeof(float));
  const format_tally tally = judged_file(cosines, {.kind = table_kind::cos});
  EXPECT_EQ(tally.wrong, 1);
  EXPECT_EQ(tally.by_steps[1], 1);
  ASSERT_TRUE(tally.largest_in_steps);
  EXPECT_EQ(tally.largest_in_steps->place, (entry_place{40 + 123, 5, false}));
  EXPECT_EQ(tally.largest_in_steps->bits ^ tally.largest_in_steps->correct, 1U);
  EXPECT_EQ(judged_file(cosines, {.kind = table_kind::cos}, {164, 500}).wrong, 0);  // rows after it

  // The second plane, and there the second copy: row 7, channel 8 + 3.
  written_table doubled(both(cos_sin_layout::hf), table_dtype::f16);
  doubled.flip_bit(((500 + 7) * 16 + 8 + 3) * sizeof(std::uint16_t));
  const format_tally copy = judged_file(doubled, both(cos_sin_layout::hf));
  EXPECT_EQ(copy.wrong, 1);
  ASSERT_TRUE(copy.largest_error);
  EXPECT_EQ(copy.largest_error->place, (entry_place{47, 3, true}));
}

TEST(FileSubject, AChangedFileHasOtherContent) {
  written_table file({.kind = table_kind::sin}, table_dtype::f32);
  const std::string before = given_table(file.path(), {.kind = table_kind::sin}).content();
  EXPECT_EQ(given_table(file.path(), {.kind = table_kind::sin}).content(), before);
  file.flip_bit(0);
  EXPECT_NE(given_table(file.path(), {.kind = table_kind::sin}).content(), before);
}

TEST(FileSubject, WhatAFileDoesNotHoldIsRefused) {
  written_table file({.kind = table_kind::cos}, table_dtype::f32);
  const auto refused = [&](const array_layout& layout, ropewalk_dtype dtype, position_range positions) {
    return refusal_of<bad_input>([&] {
      given_table(file.path(), layout, rows.begin)
          .require_serves(work_range_of(small_model(), {dtype}, positions));
    });
  };
  const array_layout cos{.kind = table_kind::cos};
  EXPECT_EQ(refused(cos, ROPEWALK_F32, rows), "");
  EXPECT_NE(refused(cos, ROPEWALK_F16, rows).find("dtype is f16; allowed: f32"), std::string::npos);
  EXPECT_NE(refused(cos, ROPEWALK_F32, {0, 100}).find("positions is 0:100; allowed: positions in 40:540"),
            std::string::npos);
  EXPECT_NE(refused(both(cos_sin_layout::vllm), ROPEWALK_F32, rows).find("shape (500, 16)"),
            std::string::npos);
  EXPECT_NE(refused(both(cos_sin_layout::complex), ROPEWALK_F32, rows).find("c8"), std::string::npos);
  file.cut(1);
  EXPECT_NE(refused(cos, ROPEWALK_F32, rows), "");
  EXPECT_NE(refusal_of<bad_input>([] {
              given_table("/nonexistent.npy", {.kind = table_kind::cos});
            }).find("table is /nonexistent.npy"),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::sweep
