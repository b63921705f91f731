// The header of a tensor file.

#include "export/safetensors.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace ropewalk::tables::safetensors_test {
namespace {

TEST(Safetensors, HeaderIsPaddedAndMetadataAreStrings) {
  for (const std::string name : {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"}) {
    const input::json record = {{"units", "turns"}, {"shape", {2, 3}}, {"model", {{"base", 10000.0}}}};
    const tensor_header tensors[] = {{.name = name, .dtype = "F16", .shape = {2, 3}, .bytes = 12},
                                     {.name = "second", .dtype = "F64", .shape = {1}, .bytes = 8}};
    const std::string bytes = safetensors_header_bytes(tensors, record);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    EXPECT_EQ(bytes.size(), sizeof length + length);
    EXPECT_EQ(bytes.size() % 8, 0U);
    const auto header = input::json::parse(bytes.substr(sizeof length));
    EXPECT_EQ(header["__metadata__"]["units"], "turns");
    EXPECT_EQ(header["__metadata__"]["shape"], "[2,3]");
    EXPECT_EQ(header["__metadata__"]["model"], R"({"base":10000.0})");
    EXPECT_EQ(header[name].dump(), R"({"dtype":"F16","shape":[2,3],"data_offsets":[0,12]})");
    EXPECT_EQ(header["second"].dump(), R"({"dtype":"F64","shape":[1],"data_offsets":[12,20]})");
  }
}

}  // namespace
}  // namespace ropewalk::tables::safetensors_test
