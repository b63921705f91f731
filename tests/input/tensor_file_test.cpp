// Headers of safetensors files, and the arrays of such files: by name, by layer, and no others.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/layered_arrays.hpp"
#include "input/safetensors.hpp"
#include "input/scratch_file.hpp"

namespace ropewalk::input::tensor_file_test {
namespace {

std::string why_not(std::string_view header) {
  try {
    safetensors_header_of(header);
  } catch (const bad_header& bad) {
    return bad.what();
  }
  return "read";
}

std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

template <class Action>
std::string refused(Action action) {
  try {
    action();
  } catch (const bad_input& error) {
    return error.what();
  }
  return "accepted";
}

std::string text_of(const whole_array& array) {
  return {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()};
}

constexpr const char* three = R"({"b": {"dtype": "BF16", "shape": [2], "data_offsets": [2, 6]},
                                  "a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                                  "c": {"dtype": "U8", "shape": [1], "data_offsets": [6, 7]}})";
constexpr const char* bytes_of_three = "xyABCDz";

TEST(SafetensorsHeader, TensorsFillTheBytesInAnyOrder) {
  const safetensors_header read = safetensors_header_of(three);
  ASSERT_EQ(read.tensors.size(), 3U);
  EXPECT_EQ(read.tensors[0].begin, 2U);
  EXPECT_EQ(read.data_bytes, 7U);
  EXPECT_EQ(safetensors_header_of(R"({"b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]},
                                      "a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}})")
                .data_bytes,
            3U);
  const std::string a = R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "b": )";
  EXPECT_EQ(why_not(a + R"({"dtype": "U8", "shape": [1], "data_offsets": [4, 5]}})"), "read");
  for (const std::string offsets : {"[5, 6]", "[3, 4]"})
    EXPECT_EQ(why_not(a + R"({"dtype": "U8", "shape": [1], "data_offsets": )" + offsets + "}}"),
              "its tensors overlap, or leave bytes out");
  // An element of a dtype that is not known here may have any size, but no tensor ends before it begins.
  EXPECT_EQ(why_not(a + R"({"dtype": "F4", "shape": [9], "data_offsets": [4, 6]}})"), "read");
  EXPECT_EQ(why_not(a + R"({"dtype": "F4", "shape": [9], "data_offsets": [4, 0]}})"),
            "b has data_offsets that do not fit its shape");
}

TEST(SafetensorsHeader, ShapesThatOverflowOrAreNegativeAreRefused) {
  const auto with_shape = [](const std::string& shape) {
    return why_not(R"({"a": {"dtype": "F32", "shape": )" + shape + R"(, "data_offsets": [0, 0]}})");
  };
  EXPECT_EQ(with_shape("[0]"), "read");
  EXPECT_EQ(with_shape("[-1, 0]"), "a has a shape or data_offsets with numbers that are not whole");
  EXPECT_EQ(with_shape("[4294967296, 4294967296]"), "a has too large a shape");
  EXPECT_EQ(with_shape("7"), "a has a shape or data_offsets that is not a list");
}

TEST(SafetensorsHeader, ElementsHaveTheSizeThatTheirNameSays) {
  for (const auto& [dtype, bytes] : std::vector<std::pair<const char*, std::size_t>>{{"F64", 8},
                                                                                     {"F32", 4},
                                                                                     {"F16", 2},
                                                                                     {"BF16", 2},
                                                                                     {"I64", 8},
                                                                                     {"I32", 4},
                                                                                     {"U16", 2},
                                                                                     {"BOOL", 1},
                                                                                     {"C128", 16}})
    EXPECT_EQ(safetensors_element_bytes(dtype), bytes) << dtype;
  EXPECT_EQ(safetensors_element_bytes("F4"), 0U);
}

TEST(TensorFile, ATensorIsReadByItsName) {
  const scratch_file file(file_of(three, bytes_of_three));
  const whole_array read = read_array("table", file.path() + "#b");
  EXPECT_EQ(read.header.dtype, npy_dtype::u16);
  EXPECT_EQ(read.header.shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(text_of(read), "ABCD");
  EXPECT_NE(refused([&] { read_array("table", file.path() + "#d"); }).find("#NAME with a NAME of b, a, c"),
            std::string::npos);
  EXPECT_NE(refused([&] { read_array("table", file.path() + "#a"); }).find("dtype U8"), std::string::npos);
  EXPECT_NE(refused([&] { read_array("table", file.path()); }).find("#NAME"), std::string::npos);
  EXPECT_EQ(array_locations("table", file.path() + "#*").size(), 3U);
}

TEST(TensorFile, IsAsLongAsItsHeaderSays) {
  for (const std::string data : {"xyABCD", "xyABCDzz"}) {
    const scratch_file file(file_of(three, data));
    EXPECT_NE(refused([&] { read_array("table", file.path() + "#b"); }).find("bytes where its header needs"),
              std::string::npos)
        << data;
  }
}

TEST(TensorFile, PartsAreSkippedAndTheEndIsKnown) {
  const scratch_file file(file_of(three, bytes_of_three));
  array_file open("table", {file.path(), "b"});
  std::byte bytes[2] = {};
  open.skip(2);
  open.read(bytes);
  EXPECT_EQ(std::memcmp(bytes, "CD", 2), 0);
  EXPECT_NO_THROW(open.require_end());
  EXPECT_THROW(open.read(bytes), bad_input);
  array_file first("table", {file.path(), "b"});
  EXPECT_THROW(first.require_end(), bad_input);
}

TEST(TensorFile, TheLongestPathThatExistsIsTheFile) {
  const scratch_file file("x");
  const array_location inside = array_location_of(file.path() + "#y#z");
  EXPECT_EQ(inside.path, file.path());
  EXPECT_EQ(inside.name, "y#z");
  const std::string odd = file.path() + "#y";
  std::ofstream(odd) << "x";
  EXPECT_EQ(array_location_of(odd).path, odd);
  EXPECT_FALSE(array_location_of(odd).name);
  EXPECT_EQ(array_location_of(odd + "#z").path, odd);
  std::filesystem::remove(odd);
  EXPECT_EQ(array_location_of("/nonexistent#a").name, "a");
}

/// A header of tensors of one byte each.
std::string tensors_named(const std::vector<std::string>& names) {
  std::string named = "{";
  for (std::size_t i = 0; i < names.size(); ++i)
    named += (i == 0 ? "\"" : ", \"") + names[i] + R"(": {"dtype": "U8", "shape": [1], "data_offsets": [)" +
             std::to_string(i) + ", " + std::to_string(i + 1) + "]}";
  return file_of(named + "}", std::string(names.size(), 'x'));
}

TEST(LayeredArrays, AreThoseOfEveryNumberInTheirOrder) {
  const scratch_file file(
      tensors_named({"a[10].q", "a[2].q", "a[-1].q", "a[x].q", "a1.q", "a[2].k", "b[0].q"}));
  std::vector<std::int64_t> layers;
  for (const layered_array& array : layered_arrays("table", file.path() + "#a[{layer}].q")) {
    layers.push_back(array.layer);
    EXPECT_EQ(array.place.name, "a[" + std::to_string(array.layer) + "].q");
  }
  EXPECT_EQ(layers, (std::vector<std::int64_t>{2, 10}));
}

TEST(LayeredArrays, TwoOfOneLayerAndNoneAreRefused) {
  const scratch_file file(tensors_named({"a.1", "a.01"}));
  EXPECT_NE(
      refused([&] { layered_arrays("table", file.path() + "#a.{layer}"); }).find("one array for each layer"),
      std::string::npos);
  EXPECT_NE(refused([&] { layered_arrays("table", file.path() + "#b.{layer}"); }), "accepted");
  EXPECT_NE(refused([&] { layered_arrays("table", file.path() + "#{layer}.{layer}"); }).find("one {layer}"),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::input::tensor_file_test
