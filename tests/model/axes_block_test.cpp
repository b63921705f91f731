// Sections of M-RoPE: beside any rule, in chunks or in strides, and refusals.

#include "model/axes_block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "input/bad_input.hpp"
#include "model/model.hpp"

namespace ropewalk::model::axes_block_test {
namespace {

rope_axes read(const std::string& block, int pairs) {
  return read_axes(input::json::parse(block), "rope_scaling.", {.pairs = pairs});
}

TEST(AxesBlock, SectionsAreChunksUnlessInterleaved) {
  const rope_axes chunks = read(R"({"type": "mrope", "mrope_section": [16, 24, 24]})", 64);
  EXPECT_EQ(name_of(chunks), "mrope");
  EXPECT_EQ(sections_of(chunks), (std::array{16, 24, 24}));
  const rope_axes strides =
      read(R"({"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": true})", 64);
  EXPECT_EQ(name_of(strides), "mrope-interleaved");
  EXPECT_TRUE(is_text(read("{}", 64)));
  EXPECT_TRUE(is_text(read("null", 64)));
  EXPECT_TRUE(is_text(read(R"({"mrope_section": null})", 64)));
}

TEST(AxesBlock, SectionsStandBesideARule) {
  const model qwen = parse_model(
      R"({"model_type": "qwen2_5_vl", "rope_theta": 1000000, "hidden_size": 128, "num_attention_heads": 1,
          "max_position_embeddings": 131072,
          "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32768,
                           "mrope_section": [16, 24, 24]}})",
      "qwen");
  EXPECT_TRUE(qwen.encoding.scaling.is<yarn>());
  EXPECT_EQ(name_of(qwen.axes), "mrope");
  for (const std::string& line : qwen.warnings) EXPECT_EQ(line.find("mrope_section"), line.npos) << line;
}

TEST(AxesBlock, ModelsOfTheCatalogueHaveTheirs) {
  for (const char* name : {"qwen2-vl-7b", "qwen2.5-vl-7b"}) {
    EXPECT_EQ(name_of(catalogue_model(name).axes), "mrope") << name;
    EXPECT_EQ(sections_of(catalogue_model(name).axes), (std::array{16, 24, 24})) << name;
  }
  EXPECT_TRUE(is_text(catalogue_model("llama-2-7b").axes));
}

TEST(AxesBlock, ATypeDecidesTheOrderAndTheMissingSections) {
  const auto read_as = [](const std::string& block, axis_order by_type, std::array<int, 3> missing) {
    return read_axes(input::json::parse(block), "rope_scaling.", {64, by_type, missing});
  };
  const rope_axes own = read_as("{}", axis_order::modulo, {24, 20, 20});
  EXPECT_EQ(name_of(own), "mrope-interleaved");
  EXPECT_EQ(sections_of(own), (std::array{24, 20, 20}));
  const std::string chunks = R"({"mrope_section": [16, 24, 24], "mrope_interleaved": true})";
  EXPECT_EQ(name_of(read_as(chunks, axis_order::runs, {})), "mrope");
  EXPECT_THROW(read_as("{}", axis_order::runs, {}), bad_input);
  // Every third pair from 1 on is height's: 21 of 64; time has what is left.
  const std::string many = R"({"mrope_section": [1, 30, 30]})";
  EXPECT_EQ(sections_of(read_as(many, axis_order::modulo, {})), (std::array{22, 21, 21}));
  const std::string few = R"({"mrope_section": [1, 2, 3]})";
  EXPECT_EQ(sections_of(read_as(few, axis_order::modulo, {})), (std::array{59, 2, 3}));
  EXPECT_THROW(read_as(few, axis_order::runs, {}), bad_input);
}

TEST(AxesBlock, RefusalNamesFieldAndValue) {
  const auto refusal = [](const std::string& block, int pairs) -> std::string {
    try {
      read(block, pairs);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(
      refusal(R"({"mrope_section": [1, 1]})", 2),
      "rope_scaling.mrope_section is [1,1]; allowed: three whole numbers whose sum is rotary_dim / 2: 2");
  EXPECT_EQ(
      refusal(R"({"mrope_section": [1, -1, 2]})", 2),
      "rope_scaling.mrope_section is [1,-1,2]; allowed: three whole numbers whose sum is rotary_dim / 2: 2");
  EXPECT_EQ(refusal(R"({"mrope_section": [0, 4, 0], "mrope_interleaved": true})", 4),
            "rope_scaling.mrope_section is [0,4,0]; allowed: height and width sections that fit in "
            "every third pair");
  EXPECT_EQ(refusal(R"({"mrope_section": [0, 4, 0]})", 4), "accepted");
  EXPECT_EQ(refusal(R"({"mrope_section": [16, 24, 24]})", 0), "accepted");
  EXPECT_EQ(refusal(R"({"mrope_interleaved": 1})", 2),
            "rope_scaling.mrope_interleaved is 1; allowed: true or false");
}

}  // namespace
}  // namespace ropewalk::model::axes_block_test
