#include "export/safetensors.hpp"

#include <nlohmann/json.hpp>

#include "export/record.hpp"

namespace ropewalk::output {

std::string safetensors_header_bytes(const tensor_header& tensor, const input::json& record) {
  input::json metadata = input::json::object();
  for (const auto& [key, value] : record.items())
    metadata[key] = value.is_string() ? value : input::json(one_line(value));
  std::string text = one_line({{"__metadata__", metadata},
                               {tensor.name,
                                {{"dtype", tensor.dtype},
                                 {"shape", tensor.shape},
                                 {"data_offsets", std::vector<std::uint64_t>{0, tensor.bytes}}}}});
  constexpr std::size_t alignment = 8;
  text.append((alignment - text.size() % alignment) % alignment, ' ');
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 255);
  return bytes + text;
}

}  // namespace ropewalk::output
