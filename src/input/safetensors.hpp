#pragma once
// The header of a safetensors file. The file is a u64 little endian length n, n bytes of JSON, and the bytes
// of the tensors.

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::input {

/// Thrown for text that is not the header of a safetensors file. The message gives the reason in one line.
class bad_header : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A tensor: last axis fastest, little endian. Offsets count from the first byte after the header.
struct stored_tensor {
  std::string name;
  std::string dtype;  // F64, F32, F16, BF16, I32, ...
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct safetensors_header {
  std::map<std::string, std::string> words;  // __metadata__
  std::vector<stored_tensor> tensors;        // in the order of the header
  std::uint64_t data_bytes = 0;
};

inline constexpr std::string_view safetensors_metadata = "__metadata__";
inline constexpr std::uint64_t longest_safetensors_header = std::uint64_t{1} << 24;

/// Bytes per element of a dtype in safetensors; 0 for any other text.
std::size_t safetensors_element_bytes(std::string_view dtype);

/// Parses a header's JSON. The tensors must fill the bytes after it without gap or overlap.
///
/// domain  UTF-8, no key twice
/// throws  bad_header
safetensors_header safetensors_header_of(std::string_view json);

}  // namespace ropewalk::input
