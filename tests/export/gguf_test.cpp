// The header of a GGUF file, byte by byte.

#include "export/gguf.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ropewalk::tables::gguf_test {
namespace {

using namespace std::string_literals;

/// A string as the format has it: a length of 64 bits, and the bytes.
std::string counted(const std::string& text) {
  return std::string(1, static_cast<char>(text.size())) + "\0\0\0\0\0\0\0"s + text;
}

TEST(Gguf, HeaderIsThatOfItsDescription) {
  const gguf_tensor tensors[] = {{"a", 0, {2, 3}, 24}, {"rope_freqs.weight", 1, {64}, 128}};
  const std::string wanted =
      "GGUF\3\0\0\0"s + "\2\0\0\0\0\0\0\0"s + "\4\0\0\0\0\0\0\0"s + counted("general.architecture") +
      "\10\0\0\0"s + counted("ropewalk") + counted("general.alignment") + "\4\0\0\0"s + "\40\0\0\0"s +
      counted("ropewalk.units") + "\10\0\0\0"s + counted("none") + counted("ropewalk.shape") + "\10\0\0\0"s +
      counted("[2,3]") + counted("a") + "\2\0\0\0"s + "\3\0\0\0\0\0\0\0"s + "\2\0\0\0\0\0\0\0"s +
      "\0\0\0\0"s + "\0\0\0\0\0\0\0\0"s + counted("rope_freqs.weight") + "\1\0\0\0"s + "\100\0\0\0\0\0\0\0"s +
      "\1\0\0\0"s + "\40\0\0\0\0\0\0\0"s;
  const std::string bytes = gguf_header_bytes(tensors, {{"units", "none"}, {"shape", {2, 3}}});
  EXPECT_EQ(bytes.size() % 32, 0U);
  ASSERT_LE(wanted.size(), bytes.size());
  EXPECT_LT(bytes.size() - wanted.size(), 32U);
  EXPECT_EQ(bytes.substr(0, wanted.size()), wanted);
  EXPECT_EQ(bytes.find_first_not_of('\0', wanted.size()), bytes.npos) << "padded with zeros";
}

TEST(Gguf, TextIsUtf8) {
  const std::string bytes = gguf_header_bytes({}, {{"command", "a \xff b \xc3\xb6"}});
  EXPECT_NE(bytes.find(counted("a \xef\xbf\xbd b \xc3\xb6")), bytes.npos);
}

}  // namespace
}  // namespace ropewalk::tables::gguf_test
