#pragma once
// GGUF, ggml's file of tensors, version 3: a header, metadata, the tensors' descriptions, and their elements,
// each tensor aligned. Little endian.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "output/output_file.hpp"

namespace ropewalk::tables {

/// Alignment of a tensor's elements, in bytes.
inline constexpr std::uint64_t gguf_alignment = 32;

struct gguf_tensor {
  std::string name;
  int type = 0;                     // the number of ggml's type
  std::vector<std::int64_t> shape;  // last axis fastest; the file has the fastest first
  std::uint64_t bytes = 0;
};

/// All bytes before the first element, padded to the alignment. Metadata are general.architecture, which says
/// ropewalk because the file is no model, general.alignment, and each entry of the record as a string.
///
/// source  docs/gguf.md in ggml's repository
std::string gguf_header_bytes(std::span<const gguf_tensor> tensors, const input::json& record);

/// A GGUF file. The elements of its tensors are written one tensor after the other.
class gguf_output {
 public:
  gguf_output(const std::string& path, std::span<const gguf_tensor> tensors, const input::json& record)
      : file_(path) {
    file_.write(gguf_header_bytes(tensors, record));
  }

  void write(const void* elements, std::size_t bytes) {
    file_.write(elements, bytes);
    written_ += bytes;
  }
  /// Pads the tensor. Readers expect this of the last one, too.
  void end_tensor();
  void commit() { file_.commit(); }

 private:
  output::output_file file_;
  std::uint64_t written_ = 0;  // after the header
};

}  // namespace ropewalk::tables
