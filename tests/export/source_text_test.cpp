// Arrays as source code: literals at the edges of each format, and brackets.

#include "export/source_text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "output/literal.hpp"

namespace ropewalk::tables::source_text_test {
namespace {

TEST(Literal, CIsHexadecimalOrBits) {
  EXPECT_EQ(output::c_literal<float>(to_bits(1.0F)), "0x1p+0f");
  EXPECT_EQ(output::c_literal<float>(to_bits(-0.0F)), "-0x0p+0f");
  EXPECT_EQ(output::c_literal<float>(1), "0x1p-149f");
  EXPECT_EQ(output::c_literal<float>(0x7f7fffff), "0x1.fffffep+127f");
  EXPECT_EQ(output::c_literal<float>(0xff800000), "-HUGE_VALF");
  EXPECT_EQ(output::c_literal<double>(to_bits(0.1)), "0x1.999999999999ap-4");
  EXPECT_EQ(output::c_literal<double>(0x7ff0000000000000), "HUGE_VAL");
  EXPECT_EQ(output::c_literal<binary16>(0x3c00), "0x3c00");
  EXPECT_EQ(output::c_literal<bfloat16>(0x003f), "0x003f");
  EXPECT_EQ(output::word_literal(0x28be60db), "0x28be60dbu");
  EXPECT_EQ(output::word_literal(0), "0x00000000u");
}

TEST(Literal, GlslIsDecimalWithAPointOrAnExponent) {
  EXPECT_EQ(output::glsl_literal<float>(to_bits(1.0F)), "1.0");
  EXPECT_EQ(output::glsl_literal<float>(to_bits(-0.0F)), "-0.0");
  EXPECT_EQ(output::glsl_literal<float>(to_bits(1e-5F)), "1e-05");
  EXPECT_EQ(output::glsl_literal<float>(0x7f800000), "1.0 / 0.0");
  EXPECT_EQ(output::glsl_literal<double>(to_bits(0.1)), "0.1lf");
  EXPECT_EQ(output::glsl_literal<double>(to_bits(-2.0)), "-2.0lf");
  EXPECT_EQ(output::glsl_literal<double>(0xfff0000000000000), "-1.0lf / 0.0lf");
  // The digits of the float, not the fewest that identify the binary16: 0.1 is another float.
  EXPECT_EQ(output::glsl_literal<binary16>(0x2e66), "0.099975586");
  EXPECT_EQ(output::glsl_literal<bfloat16>(0x0001), "9.1835e-41");
}

TEST(Literal, PythonIsHexadecimalOfTheValue) {
  EXPECT_EQ(output::python_literal<float>(to_bits(-0.0F)), "float.fromhex('-0x0p+0')");
  EXPECT_EQ(output::python_literal<double>(to_bits(0.1)), "float.fromhex('0x1.999999999999ap-4')");
  EXPECT_EQ(output::python_literal<bfloat16>(0x0001), "float.fromhex('0x1p-133')");
  EXPECT_EQ(output::python_literal<float>(0xff800000), "float.fromhex('-inf')");
}

TEST(Literal, RustIsDecimalOrBits) {
  EXPECT_EQ(output::rust_literal<float>(to_bits(1.0F)), "1.0");
  EXPECT_EQ(output::rust_literal<float>(to_bits(1e-5F)), "1e-05");
  EXPECT_EQ(output::rust_literal<double>(0xfff0000000000000), "-f64::INFINITY");
  EXPECT_EQ(output::rust_literal<binary16>(0x3c00), "0x3c00");
  EXPECT_EQ(output::word_literal(0x28be60db, ""), "0x28be60db");
}

text_row row_of(std::initializer_list<const char*> entries) {
  text_row row;
  for (const char* entry : entries) row.entries.emplace_back(entry);
  return row;
}

TEST(SourceText, BracketsNest) {
  const source_array planes{.name = "both", .shape = {2, 2, 2}, .columns = 2, .remarks = {"a remark"}};
  const auto whole = [&](source_language language) {
    const source_format format(planes, std::move(language));
    return format.begin("{}") + format.row(row_of({"1", "2"}), 0) + format.row(row_of({"3", "4"}), 1) +
           format.row(row_of({"5", "6"}), 2) + format.row(row_of({"7", "8"}), 3) + format.end();
  };
  EXPECT_TRUE(whole(c_language(planes))
                  .ends_with("float both[2][2][2] = {\n    {{1, 2},\n    {3, 4}},\n    {{5, 6},\n    {7, "
                             "8}}};\n\n#endif\n"));
  EXPECT_EQ(whole(glsl_language(planes)),
            "// {}\n// a remark\n#ifndef BOTH_GLSL\n#define BOTH_GLSL\n\n"
            "const float both[2][2][2] = float[2][2][2](\n"
            "    float[2][2](float[2](1, 2),\n    float[2](3, 4)),\n"
            "    float[2][2](float[2](5, 6),\n    float[2](7, 8)));\n\n#endif\n");
}

TEST(SourceText, VectorsAreInnermost) {
  const source_array pairs{.name = "both", .shape = {1, 2, 2}, .columns = 4, .is_of_vectors = true};
  const source_format format(pairs, glsl_language(pairs));
  EXPECT_EQ(format.row(row_of({"1", "2", "3", "4"}), 0), "\n    vec2[2](vec2(1, 2), vec2(3, 4))");
}

TEST(SourceText, LinesAreShort) {
  const source_array array{.name = "a", .shape = {9}};
  const source_format format(array, c_language(array));
  EXPECT_EQ(format.row(row_of({"1"}), 0), "\n    1");
  EXPECT_EQ(format.row(row_of({"1"}), 7), ", 1");
  EXPECT_EQ(format.row(row_of({"1"}), 8), ",\n    1");
}

TEST(SourceText, HeadersIncludeOnlyWhatTheyNeed) {
  source_array array{.name = "a", .element = source_element::f32, .shape = {9}};
  EXPECT_EQ(c_language(array).declaration.find("include"), std::string::npos);
  array.is_infinite_somewhere = true;
  EXPECT_TRUE(c_language(array).declaration.starts_with("#include <math.h>\n"));
  array.element = source_element::narrow;
  EXPECT_TRUE(c_language(array).declaration.starts_with("#include <stdint.h>\n\n#if"));
}

}  // namespace
}  // namespace ropewalk::tables::source_text_test
