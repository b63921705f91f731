// Array files: what is read, and what is refused before anything is allocated.

#include "input/array_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "export/npy.hpp"
#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "input/scratch_file.hpp"

namespace ropewalk::input::npy_test {
namespace {

/// An array file with this dictionary, as version `major`.
std::string file_with(const std::string& dictionary, const std::string& elements, char major = 1) {
  std::string bytes = std::string("\x93NUMPY", 6) + major + '\0';
  bytes += static_cast<char>(dictionary.size() & 255);
  bytes += static_cast<char>(dictionary.size() >> 8);
  if (major != 1) bytes += std::string(2, '\0');
  return bytes + dictionary + elements;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }   \n";
}

std::string refusal(const std::string& bytes) {
  const scratch_file file(bytes);
  try {
    read_array("input", file.path());
  } catch (const bad_input& error) {
    const std::string what = error.what();
    const std::string start = "input is " + file.path() + " (";
    EXPECT_TRUE(what.starts_with(start)) << what;
    EXPECT_NE(what.find("; allowed: "), std::string::npos) << what;
    return what.substr(start.size());
  }
  return "accepted";
}

TEST(Npy, EveryTypeOfElementComesBackAsItWasWritten) {
  for (const npy_dtype dtype :
       {npy_dtype::f64, npy_dtype::f32, npy_dtype::f16, npy_dtype::u16, npy_dtype::u32, npy_dtype::i32,
        npy_dtype::i64, npy_dtype::c64, npy_dtype::c128}) {
    const npy_header header{dtype, {2, 3}};
    std::string elements;
    for (std::size_t i = 0; i < 6 * size_of(dtype); ++i) elements += static_cast<char>(i * 37);
    const scratch_file file(tables::npy_header_bytes(header) + elements);
    const whole_array read = read_array("input", file.path());
    EXPECT_EQ(read.header.dtype, dtype);
    EXPECT_EQ(read.header.shape, header.shape);
    ASSERT_EQ(read.bytes.size(), elements.size());
    EXPECT_EQ(std::memcmp(read.bytes.data(), elements.data(), elements.size()), 0);
  }
}

TEST(Npy, HeaderIsWhatNumpyWrites) {
  // numpy.save of numpy.zeros(3, '<f4') in NumPy 1.24
  const std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" +
                               std::string(60, ' ') + "\n";
  EXPECT_EQ(tables::npy_header_bytes({npy_dtype::f32, {3}}), expected);
}

TEST(Npy, ComplexNumbersAreSpeltAsNumpyDoes) {
  EXPECT_EQ(descr_of(npy_dtype::c64), "<c8");
  EXPECT_EQ(descr_of(npy_dtype::c128), "<c16");
}

TEST(Npy, ElementsBeginAtAMultipleOf64) {
  for (std::int64_t extent = 1; extent < 1000000000000000000; extent *= 10) {
    EXPECT_EQ(tables::npy_header_bytes({npy_dtype::f64, {extent}}).size() % 64, 0U);
    EXPECT_EQ(tables::npy_header_bytes({npy_dtype::f64, {extent, 1}}).size() % 64, 0U);
    EXPECT_EQ(tables::npy_header_bytes({npy_dtype::f64, {}}).size() % 64, 0U);
  }
}

TEST(Npy, VersionTwoIsRead) {
  const scratch_file file(file_with(dictionary("<i4", "(1,)"), std::string(4, '\1'), 2));
  EXPECT_EQ(read_array("input", file.path()).bytes.size(), 4U);
}

TEST(Npy, ScalarHasOneElementAndEmptyArrayNone) {
  EXPECT_EQ(element_count({npy_dtype::f32, {}}), 1);
  const scratch_file file(file_with(dictionary("<f4", "(0, 9000000000000000000)"), ""));
  EXPECT_TRUE(read_array("input", file.path()).bytes.empty());
}

TEST(Npy, KeysMayComeInAnyOrder) {
  const scratch_file file(file_with("{\"shape\": (1, 1), 'fortran_order':False, 'descr':'<f2'}", "ab"));
  EXPECT_EQ(read_array("input", file.path()).header.shape, (std::vector<std::int64_t>{1, 1}));
}

struct refused_file {
  std::string bytes;
  const char* start;
};

TEST(Npy, MalformedFilesAreRefused) {
  const std::string whole = file_with(dictionary("<f4", "(2, 2)"), std::string(16, 'x'));
  const refused_file files[] = {
      {"", "no .npy magic"},
      {"\x93NUMP", "no .npy magic"},
      {"PK\x03\x04 this is an npz", "Not a zip archive"},
      {whole.substr(0, 9), "ends inside its header"},
      {whole.substr(0, 40), "ends inside its header"},
      {whole.substr(0, whole.size() - 1), "ends after 15 of 16 bytes"},
      {whole + "y", "goes on after its last element"},
      {file_with(dictionary("<f4", "(1,)"), "xxxx", 3), "version 3.0"},
      {std::string("\x93NUMPY\x01\x01\x00\x00", 10), "version 1.1"},
      {file_with(dictionary("<f4", "(1,)") + "x", "xxxx"), "a malformed header"},
      {file_with(dictionary(">f4", "(1,)"), "xxxx"), "descr >f4"},
      {file_with(dictionary("|O", "(1,)"), "xxxx"), "descr |O"},
      {file_with(dictionary("<c32", "(1,)"), std::string(32, 'x')), "descr <c32"},
      {file_with(dictionary("<f4", "(1, 1)", "True"), "xxxx"), "fortran_order True"},
      {file_with(dictionary("<f4", "(1, 1)", "Maybe"), "xxxx"), "a malformed header"},
      {file_with(dictionary("<f4", "(-1,)"), "xxxx"), "a negative shape"},
      {file_with(dictionary("<f4", "(1.5,)"), "xxxx"), "a malformed header"},
      {file_with(dictionary("<f4", "1"), "xxxx"), "a malformed header"},
      {file_with(dictionary("<f4", "(4611686018427387904, 4)"), "xxxx"), "a shape beyond 2^62 bytes"},
      {file_with(dictionary("<f4", "(4294967296, 4294967296)"), "xxxx"), "a shape beyond 2^62 bytes"},
      {file_with(dictionary("<f4", "(99999999999999999999,)"), "xxxx"), "a shape beyond 64 bits"},
      {file_with(dictionary("<f4", "(1000000000000,)"), "xxxx"), "ends after 4 of 4000000000000 bytes"},
      {file_with(dictionary("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "xxxx"), "more than 8 dimensions"},
      {file_with("{'descr': '<f4', 'shape': (1,)}", "xxxx"), "a malformed header"},
      {file_with("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "xxxx"),
       "a malformed header"},
      {file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': (1,)}", "xxxx"),
       "a malformed header"},
      {file_with("{'descr': '<f4", "xxxx"), "a malformed header"},
      {file_with("{", ""), "a malformed header"},
      {file_with("", ""), "a malformed header"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14), "a header of 4294967295 bytes"},
  };
  for (const auto& file : files)
    EXPECT_TRUE(refusal(file.bytes).starts_with(file.start)) << file.start << "\n" << refusal(file.bytes);
}

TEST(Npy, MissingFileAndDirectoryAreRefused) {
  EXPECT_THROW(read_array("input", "/nonexistent.npy"), bad_input);
  EXPECT_THROW(read_array("input", "/tmp"), bad_input);
}

TEST(Npy, OnesAreDroppedDownToTheAxesWanted) {
  using shape = std::vector<std::int64_t>;
  EXPECT_EQ(without_ones({1, 1, 3, 1}, 2), (shape{3, 1}));
  EXPECT_EQ(without_ones({1, 1, 1}, 2), (shape{1, 1}));
  EXPECT_EQ(without_ones({2, 1, 3}, 1), (shape{2, 1, 3}));
  EXPECT_EQ(without_ones({1, 240, 1, 128}, 2), (shape{240, 128}));  // Wan's in diffusers
  EXPECT_EQ(without_ones({3, 1}, 2), (shape{3, 1}));
}

TEST(InputFile, KnowsWhatItHasOpened) {
  const scratch_file file("0123456789");
  input_file opened("config", file.path());
  EXPECT_TRUE(is_input(file.path()));
  EXPECT_TRUE(is_input("/tmp/../" + file.path()));
  EXPECT_FALSE(is_input(ROPEWALK_SOURCE "/README.md"));
  EXPECT_FALSE(is_input("/nonexistent"));
  char bytes[4] = {};
  EXPECT_EQ(opened.first_bytes(2), "01");
  EXPECT_EQ(opened.read(bytes, 2), 2U);
  opened.skip(3);
  EXPECT_EQ(opened.read(bytes, 4), 4U);
  EXPECT_EQ(std::string(bytes, 4), "5678");
  opened.go_to(1);
  EXPECT_EQ(opened.read(bytes, 1), 1U);
  EXPECT_EQ(bytes[0], '1');
  EXPECT_EQ(opened.size(), 10);
}

TEST(InputFile, TextOverTheLimitIsRefusedBeforeItIsRead) {
  const scratch_file file("0123456789");
  EXPECT_EQ(read_text("config", file.path(), 10), "0123456789");
  EXPECT_THROW(read_text("config", file.path(), 9), bad_input);
  EXPECT_THROW(read_text("config", "/dev/zero", 1 << 20), bad_input);
}

}  // namespace
}  // namespace ropewalk::input::npy_test
