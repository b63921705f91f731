#pragma once
// The header of a GGUF file: metadata, and the location of each tensor. Versions 2 and 3, little endian.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_source.hpp"
#include "input/json_text.hpp"

namespace ropewalk::input {

inline constexpr std::string_view gguf_magic = "GGUF";

/// A tensor: last axis fastest. Offsets count from the first byte of the tensor data.
struct gguf_tensor_place {
  std::string name;
  std::vector<std::int64_t> shape;
  std::uint32_t type = 0;  // ggml's number of the type
  std::uint64_t begin = 0;
};

struct gguf_header {
  /// An object with numbers, flags, texts, and lists of numbers and flags. Lists of texts are dropped.
  json metadata;
  std::vector<gguf_tensor_place> tensors;  // in the order of the file
  std::uint64_t data_begin = 0;            // offset of the tensor data
};

/// Reads a header, including the magic number, and nothing after it.
///
/// domain  from: a file at its first byte
/// throws  bad_input naming the place and what is wrong with the header
/// source  docs/gguf.md of ggml
gguf_header gguf_header_of(byte_source& from);

/// ggml's name of an element type: "F32", "Q4_K"; "type 77" for an unknown number.
std::string gguf_type_name(std::uint32_t type);

inline constexpr std::uint32_t gguf_f32 = 0, gguf_f16 = 1, gguf_i32 = 26, gguf_i64 = 27, gguf_f64 = 28,
                               gguf_bf16 = 30;

}  // namespace ropewalk::input
