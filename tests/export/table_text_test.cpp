// Tables as text: a row's coordinates, entries without a number in JSON, and quoting.

#include "export/table_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "export/csv.hpp"
#include "export/json.hpp"

namespace ropewalk::tables::table_text_test {
namespace {

const row_labels planes{.index = {"plane", "position"},
                        .columns = {"channel_0", "channel_1"},
                        .entries = "cos_sin",
                        .is_scalar = false,
                        .is_quoted = false};
const row_labels digits{.index = {"pair"},
                        .columns = {"ggml_factors"},
                        .entries = "ggml_factors",
                        .is_scalar = true,
                        .is_quoted = true};

TEST(TableText, RowsNameEveryCoordinate) {
  const text_row row{.index = {"1", "-0.5"}, .entries = {"1", "0.25"}, .bits = {}};
  EXPECT_EQ(json_format(planes).row(row, 0), R"({"plane":1,"position":-0.5,"cos_sin":[1,0.25]})");
  EXPECT_EQ(csv_format(planes).begin("{}"), "# {}\nplane,position,channel_0,channel_1\n");
  EXPECT_EQ(csv_format(planes).row(row, 0), "1,-0.5,1,0.25\n");
}

TEST(TableText, WhatIsNoNumberIsNotQuoted) {
  const json_format json(digits);
  EXPECT_EQ(json.row({.index = {"0"}, .entries = {"1.00e+00"}, .bits = {}}, 0),
            R"({"pair":0,"ggml_factors":"1.00e+00"})");
  EXPECT_EQ(json.row({.index = {"1"}, .entries = {std::string(no_number)}, .bits = {}}, 1),
            ",\n"
            R"({"pair":1,"ggml_factors":null})");
}

TEST(TableText, BitsStandBesideTheOnlyEntryOfARow) {
  row_labels labels = digits;
  labels.is_quoted = false;
  const text_row row{.index = {"0"}, .entries = {"1"}, .bits = {"3f800000"}};
  EXPECT_EQ(csv_format(labels).begin("{}"), "# {}\npair,ggml_factors,bits\n");
  EXPECT_EQ(csv_format(labels).row(row, 0), "0,1,3f800000\n");
  EXPECT_EQ(json_format(labels).row(row, 0), R"({"pair":0,"ggml_factors":1,"bits":"3f800000"})");
}

}  // namespace
}  // namespace ropewalk::tables::table_text_test
