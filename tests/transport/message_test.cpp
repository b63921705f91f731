// Messages of the transport: what is written is read again, and what is no message is refused with a reason.

#include "transport/message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "transport/described_kernel.hpp"

namespace ropewalk::transport {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

/// The message of a whole image.
message read(const std::vector<std::byte>& image) {
  const std::span<const std::byte> all(image);
  const std::size_t length = header_bytes(all.first(8));
  return message_of(header_from(all.subspan(8, length)), all.subspan(8 + length));
}

std::string why_not(std::string_view header) {
  try {
    header_from(bytes_of(header));
  } catch (const bad_message& bad) {
    return bad.what();
  }
  return "read";
}

TEST(Message, IsReadAsItWasWritten) {
  const message request{.words = {{"request", "apply"}, {"text", "a \"quoted\" line\n"}},
                        .tensors = {{"query", "BF16", {2, 1, 3}, bytes_of("abcdefghijkl")},
                                    {"positions", "I32", {2, 1}, bytes_of("12345678")},
                                    {"empty", "F64", {0, 5}, {}}}};
  const message came = read(image_of(request));
  EXPECT_EQ(came.words, request.words);
  ASSERT_EQ(came.tensors.size(), 3U);
  for (const message_tensor& sent : request.tensors) {
    const message_tensor* tensor = came.find(sent.name);
    ASSERT_NE(tensor, nullptr) << sent.name;
    EXPECT_EQ(tensor->dtype, sent.dtype);
    EXPECT_EQ(tensor->shape, sent.shape);
    EXPECT_EQ(tensor->bytes, sent.bytes);
  }
  EXPECT_EQ(came.find("key"), nullptr);
  EXPECT_EQ(came.word("absent"), "");
}

TEST(Message, HeadersThatAreNoneAreRefused) {
  EXPECT_EQ(why_not(R"({"__metadata__": {"status": "ok"}})"), "read");
  for (const std::string_view header :
       {"", "[]", "null", "{", R"({"query": 3})", R"({"query": {"dtype": "F32"}})",
        R"({"__metadata__": {"status": 1}})",
        R"({"query": {"dtype": "F8", "shape": [1], "data_offsets": [0, 1]}})",
        R"({"query": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})",
        R"({"query": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})",
        R"({"query": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}})",
        R"({"query": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}})",
        R"({"query": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}})",
        R"({"query": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]}})"})
    EXPECT_NE(why_not(header), "read") << header;
  const std::string name = R"({"a": {"dtype": "I32", "shape": [2], "data_offsets": [0, 8]}, "b": )";
  EXPECT_EQ(why_not(name + R"({"dtype": "I32", "shape": [1], "data_offsets": [8, 12]}})"), "read");
  for (const std::string offsets : {"[0, 4]", "[4, 8]", "[12, 16]"})
    EXPECT_NE(why_not(name + R"({"dtype": "I32", "shape": [1], "data_offsets": )" + offsets + "}}"), "read")
        << offsets;
  const std::string deep(100000, '[');
  EXPECT_NE(why_not("{\"a\": " + deep), "read");
}

TEST(Message, ALengthThatIsNoneIsRefused) {
  EXPECT_THROW(header_bytes(bytes_of("Loading ")), bad_message);
  EXPECT_EQ(header_bytes(bytes_of(std::string_view("\2\1\0\0\0\0\0\0", 8))), 258U);
}

TEST(Message, ImagesThatFollowOneAnotherAreSplit) {
  const message message{.words = {{"request", "describe"}},
                        .tensors = {{"query", "F32", {1}, bytes_of("abcd")}}};
  std::vector<std::byte> all = image_of(message);
  const std::size_t length = all.size();
  all.insert(all.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
  const auto images = images_in(all);
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[1], image_of(message));
  for (const std::size_t cut : {std::size_t{1}, std::size_t{6}, length - 4, length - 1})
    EXPECT_THROW(images_in(std::span(all).first(length + cut)), bad_message) << cut;
}

TEST(Message, HashesAreTheSameOnEveryMachine) {
  EXPECT_EQ(hash_of({}), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of(bytes_of("a")), 0xaf63dc4c8601ec8cU);  // FNV-1a, as published
  EXPECT_EQ(hash_of(bytes_of("foobar")), 0x85944171f73967e8U);
}

TEST(Message, ElementsHaveTheNamesOfSafetensors) {
  EXPECT_EQ(message_dtype(ROPEWALK_BF16), "BF16");
  EXPECT_EQ(element_bytes("F64"), 8U);
  EXPECT_EQ(element_bytes("BF16"), 2U);
  EXPECT_EQ(element_bytes("f32"), 0U);
}

described_kernel described(const std::string& text) {
  return described_by(input::parse_object(text, "kernels", "a test"));
}

TEST(DescribedKernel, LimitsAreThoseOfTheInterface) {
  const described_kernel kernel = described(
      R"({"name": "mine", "promise": "angle-f32", "dtypes": ["f32", "bf16"], "pairing": "half-split",
          "partial": false, "unit": false, "key": true, "axes": 1, "head_dims": [64, 128],
          "positions": [0, 4096],
          "shapes": [[1, 16, 32, 128]], "later": {"unknown": 1}})");
  EXPECT_EQ(kernel.promised, promise::angle_f32);
  EXPECT_EQ(kernel.operation, ROPEWALK_ROTATE);
  EXPECT_EQ(kernel.limits.dtypes, 1u << ROPEWALK_F32 | 1u << ROPEWALK_BF16);
  EXPECT_EQ(kernel.limits.pairings, 1u << ROPEWALK_HALF_SPLIT);
  EXPECT_EQ(kernel.limits.not_served, ROPEWALK_DENSE | ROPEWALK_NO_CHECKS | ROPEWALK_NO_ENVIRONMENT |
                                          ROPEWALK_NO_PARTIAL | ROPEWALK_NO_UNIT | ROPEWALK_NO_BEGIN);
  const described_kernel later = described(R"({"name": "a", "promise": "hf", "rotary_begin": true})");
  EXPECT_EQ(later.limits.not_served & ROPEWALK_NO_BEGIN, 0u);
  EXPECT_EQ(kernel.limits.forms, 0u);
  const described_kernel adds =
      described(R"({"name": "a", "promise": "hf", "operation": "add-bias", "forms": ["causal", "mpt"]})");
  EXPECT_EQ(adds.limits.forms, UINT64_C(1) << ROPEWALK_BIAS_CAUSAL | UINT64_C(1) << ROPEWALK_BIAS_LAST_KEY);
  EXPECT_EQ(kernel.limits.axes, 1);
  EXPECT_EQ(kernel.head_dims, (std::vector<std::int32_t>{64, 128}));
  EXPECT_EQ(kernel.limits.position_begin, 0);
  EXPECT_EQ(kernel.limits.position_end, 4096);
  EXPECT_EQ(kernel.shapes.size(), 1U);
}

TEST(DescribedKernel, WhatIsWrongIsNamed) {
  for (const auto& [text, field] : std::vector<std::pair<std::string, std::string>>{
           {R"({"name": "a", "promise": "beauty"})", "kernels.promise is beauty; allowed: "},
           {R"({"name": "a"})", "kernels.promise is"},
           {R"({"name": "a", "promise": "hf", "dtypes": ["f8"]})", "kernels.dtypes is"},
           {R"({"name": "a", "promise": "hf", "pairing": "both"})", "kernels.pairing is"},
           {R"({"name": "a", "promise": "hf", "operation": "add"})", "kernels.operation is"},
           {R"({"name": "a", "promise": "hf", "partial": "no"})", "kernels.partial is"},
           {R"({"name": "a", "promise": "hf", "forms": ["key"]})", "kernels.forms is"},
           {R"({"name": "a", "promise": "hf", "axes": 0})", "kernels.axes is"},
           {R"({"name": "a", "promise": "hf", "head_dims": [0]})", "kernels.head_dims is"},
           {R"({"name": "a", "promise": "hf", "head_dims": [4294967296]})", "kernels.head_dims is"},
           {R"({"name": "a", "promise": "hf", "head_dims": [64.5]})", "kernels.head_dims is"},
           {R"({"name": "a", "promise": "hf", "shapes": [[1, 2, 0, 4]]})", "kernels.shapes is"},
           {R"({"name": "a", "promise": "hf", "positions": [3]})", "kernels.positions is"},
           {R"({"name": "a", "promise": "hf", "positions": [3, 3]})", "kernels.positions is"},
           {R"({"name": "a", "promise": "hf", "shapes": [[1, 2, 3]]})", "kernels.shapes is"}}) {
    try {
      described(text);
      ADD_FAILURE() << text;
    } catch (const bad_input& refused) {
      EXPECT_TRUE(std::string_view(refused.what()).starts_with(field)) << refused.what();
    }
  }
}

}  // namespace
}  // namespace ropewalk::transport
