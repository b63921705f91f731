#pragma once
// Hugging Face's safetensors file: the length of a JSON header, the header, and the elements.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "output/output_file.hpp"

namespace ropewalk::tables {

/// Description of one tensor in the header of its file.
struct tensor_header {
  std::string name;
  std::string dtype;  // F64, F32, F16, BF16, U32, I32
  std::vector<std::int64_t> shape;
  std::uint64_t bytes = 0;
};

/// Length and header, padded to 8 bytes. `record` becomes __metadata__, whose values must be strings: any
/// other value is written as JSON text.
std::string safetensors_header_bytes(std::span<const tensor_header> tensors, const input::json& record);

/// A safetensors file. The elements of its tensors are written one tensor after the other.
class safetensors_output {
 public:
  safetensors_output(const std::string& path, std::span<const tensor_header> tensors,
                     const input::json& record)
      : file_(path) {
    file_.write(safetensors_header_bytes(tensors, record));
  }

  void write(const void* elements, std::size_t bytes) { file_.write(elements, bytes); }
  void commit() { file_.commit(); }

 private:
  output::output_file file_;
};

}  // namespace ropewalk::tables
