#include "export/safetensors.hpp"

#include <nlohmann/json.hpp>

#include "output/record.hpp"

namespace ropewalk::tables {

std::string safetensors_header_bytes(std::span<const tensor_header> tensors, const input::json& record) {
  input::json header = input::json::object();
  for (const auto& [key, value] : record.items()) header["__metadata__"][key] = output::entry_text(value);
  std::uint64_t begin = 0;
  for (const tensor_header& tensor : tensors) {
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", std::vector<std::uint64_t>{begin, begin + tensor.bytes}}};
    begin += tensor.bytes;
  }
  std::string text = output::one_line(header);
  constexpr std::size_t alignment = 8;
  text.append((alignment - text.size() % alignment) % alignment, ' ');
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 255);
  return bytes + text;
}

}  // namespace ropewalk::tables
