// Numbers, positions and names that users give: what is read, and what is refused.

#include "input/positions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "export/npy.hpp"
#include "input/axis_positions.hpp"
#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "input/npy.hpp"
#include "input/number.hpp"
#include "input/scratch_file.hpp"
#include "input/unknown_name.hpp"

namespace ropewalk::input::positions_test {
namespace {

/// What `action` throws as refused input.
template <class Action>
std::string refused(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

template <class Element>
std::string array_of(npy_dtype dtype, const std::vector<std::int64_t>& shape,
                     const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return tables::npy_header_bytes({dtype, shape}) + bytes;
}

TEST(Number, IsTheWholeTextAndInItsRange) {
  EXPECT_EQ(number_from<int>("12"), 12);
  EXPECT_EQ(number_from<int>("12x"), std::nullopt);
  EXPECT_EQ(number_from<int>(""), std::nullopt);
  EXPECT_EQ(whole_number("cases", "5", 1, 5), 5);
  EXPECT_EQ(refused([] { whole_number("cases", "6", 1, 5); }),
            "cases is 6; allowed: a whole number from 1 to 5");
  EXPECT_NE(refused([] { whole_number("cases", "0", 1, 5); }), "accepted");
  EXPECT_GE(usual_thread_count(), 1);
  EXPECT_LE(usual_thread_count(), most_threads);
}

TEST(Positions, RangesEndWhereThirtyTwoBitsDo) {
  EXPECT_EQ(positions_from("-2147483648:2147483648").range,
            (position_range{smallest_position, largest_position + 1}));
  EXPECT_EQ(positions_from("2k").range, (position_range{0, 2048}));
  for (const char* const text :
       {"0:2147483649", "-2147483649:0", "5:5", "5:4", "0", "1:", "3000000k", "k", "7:x"})
    EXPECT_TRUE(refused([&] { positions_from(text); }).starts_with("positions is ")) << text;
  EXPECT_EQ(position_number("2097152k"), std::int64_t{1} << 31);
  EXPECT_EQ(position_number("9007199254740992k"), std::nullopt);
  EXPECT_FALSE(looks_like_numbers("-"));
  EXPECT_FALSE(looks_like_numbers("k.npy"));
  EXPECT_TRUE(looks_like_numbers("1:2k"));
}

TEST(Positions, ListsAreOfEitherWidthAndInRange) {
  const scratch_file narrow(array_of<std::int32_t>(npy_dtype::i32, {3}, {7, -1, 2147483647}));
  EXPECT_EQ(positions_from(narrow.path()).listed, (std::vector<std::int32_t>{7, -1, 2147483647}));
  const scratch_file wide(array_of<std::int64_t>(npy_dtype::i64, {2}, {5, -2147483648}));
  EXPECT_EQ(positions_from(wide.path()).listed, (std::vector<std::int32_t>{5, -2147483647 - 1}));
  const scratch_file large(array_of<std::int64_t>(npy_dtype::i64, {2}, {5, 2147483648}));
  EXPECT_NE(refused([&] { positions_from(large.path()); }).find("entry 1 is 2147483648"), std::string::npos);
  const scratch_file small(array_of<std::int64_t>(npy_dtype::i64, {1}, {-2147483649}));
  EXPECT_NE(refused([&] { positions_from(small.path()); }).find("entry 0 is -2147483649"), std::string::npos);
  const scratch_file square(array_of<std::int32_t>(npy_dtype::i32, {1, 2}, {7, 8}));
  EXPECT_NE(refused([&] { positions_from(square.path()); }).find("not a list"), std::string::npos);
  const scratch_file empty(array_of<std::int32_t>(npy_dtype::i32, {0}, {}));
  EXPECT_NE(refused([&] { positions_from(empty.path()); }).find("not a list"), std::string::npos);
}

TEST(Positions, AListTooLongIsRefusedByItsHeader) {
  constexpr std::int64_t count = (std::int64_t{1} << 26) + 1;
  for (const npy_dtype dtype : {npy_dtype::i32, npy_dtype::f64}) {
    const scratch_file file(array_of<std::int32_t>(dtype, {count}, {}));
    std::filesystem::resize_file(  // takes no disk: what was not written is not stored
        file.path(), std::filesystem::file_size(file.path()) + size_of(dtype) * std::size_t{count});
    const std::string why = refused(
        [&] { dtype == npy_dtype::i32 ? positions_from(file.path()) : real_positions_from(file.path()); });
    EXPECT_NE(why.find("allowed: at most 67108864 elements"), std::string::npos) << why;
  }
}

TEST(Positions, RealOnesAreFiniteAndHaveNoNegativeZero) {
  const scratch_file file(array_of<double>(npy_dtype::f64, {3}, {-0.0, 0.5, -7}));
  const position_list read = real_positions_from(file.path());
  EXPECT_EQ(read.real, (std::vector<double>{0, 0.5, -7}));
  EXPECT_FALSE(std::signbit(read.real[0]));
  EXPECT_EQ(read.smallest_seq_len(), 2);
  for (const double bad : {HUGE_VAL, std::nan("")}) {
    const scratch_file other(array_of<double>(npy_dtype::f64, {2}, {1, bad}));
    EXPECT_NE(refused([&] { real_positions_from(other.path()); }).find("entry 1 is "), std::string::npos);
  }
}

TEST(Positions, TheShortestSequenceHoldsThemAll) {
  EXPECT_EQ(positions_from("5:9").smallest_seq_len(), 9);
  EXPECT_EQ(positions_from("-9:-5").smallest_seq_len(), 1);
  position_list listed;
  listed.is_listed = true;
  listed.listed = {3, 17, 4};
  EXPECT_EQ(listed.smallest_seq_len(), 18);
  EXPECT_EQ(listed.text_at(1), "17");
  EXPECT_EQ(positions_from("5:9").at(2), 7);
}

TEST(AxisPositions, AreOneRowForEachAxis) {
  const scratch_file file(array_of<std::int32_t>(npy_dtype::i32, {3, 2}, {1, 2, 10, 20, 100, 200}));
  const axis_positions read = axis_positions_from(file.path(), 3);
  EXPECT_EQ(read.tokens(), 2);
  EXPECT_EQ(read.at(1), (std::vector<std::int32_t>{2, 20, 200}));
  EXPECT_EQ(read.smallest_seq_len(), 201);
  EXPECT_NE(refused([&] { axis_positions_from(file.path(), 2); }).find("shape (3, 2)"), std::string::npos);
  const scratch_file none(array_of<std::int32_t>(npy_dtype::i32, {3, 0}, {}));
  EXPECT_NE(refused([&] { axis_positions_from(none.path(), 3); }), "accepted");
}

TEST(BadInput, StaysOnOneLineOfPlainText) {
  EXPECT_EQ(printable("a\x7f\x1b\n\xe9z"), "a\\x7f\\x1b\\n\\xe9z");
  EXPECT_EQ(printable("abcdefghij", 7), "ab...ij");
  EXPECT_EQ(printable("abcdefghij", 10), "abcdefghij");
  const std::string said = bad_input("f", std::string(500, 'v'), std::string(500, 'w')).what();
  EXPECT_TRUE(
      said.starts_with("f is " + std::string(19, 'v') + "..." + std::string(18, 'v') + "; allowed: w"))
      << said;
}

TEST(BadInput, SizesAreRoundedIntoTheNextUnit) {
  EXPECT_EQ(size_text(1), "1 byte");
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(size_text(1 << 24), "16 MiB");
}

TEST(KernelWords, BeginWithTheirField) {
  const auto said = [](const char* field, const char* text) {
    ropewalk_error error{};
    std::strcpy(error.field, field);
    std::strcpy(error.text, text);
    return words_of(error);
  };
  EXPECT_EQ(said("", ""), "no reason given");
  EXPECT_EQ(said("axes", "axes is 2"), "axes is 2");
  EXPECT_EQ(said("axes", "two\x1b[31m"), "axes: two\\x1b[31m");
}

TEST(NearestName, IsFewEditsAway) {
  const std::vector<std::string> names{"llama-2-7b", "llama-3.1-8b", "qwen2.5-7b", "ab"};
  EXPECT_EQ(nearest_name("lalma-2-7b", names), "llama-2-7b");
  EXPECT_EQ(nearest_name("Llama3", names), "llama-3.1-8b");
  EXPECT_EQ(nearest_name("gemma", names), std::nullopt);
  EXPECT_EQ(nearest_name("l", names), std::nullopt);
  EXPECT_EQ(nearest_name("ba", {"ab"}), std::nullopt);  // one edit of two letters
  EXPECT_EQ(nearest_name("bac", {"abc"}), "abc");       // one swap of three
  EXPECT_EQ(nearest_name("xbcy", {"abcd"}), std::nullopt);
}

TEST(NearestName, ALongListIsNotPrinted) {
  const std::vector<std::string> few{"one", "two"}, many(100, "name");
  EXPECT_EQ(std::string(unknown_name("law", "onn", few, "`l`").what()),
            "no law named 'onn'; did you mean 'one'? laws: one, two");
  EXPECT_EQ(std::string(unknown_name("law", "zz", many, "`l`").what()),
            "no law named 'zz'; `l` lists all 100");
}

}  // namespace
}  // namespace ropewalk::input::positions_test
