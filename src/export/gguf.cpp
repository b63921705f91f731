#include "export/gguf.hpp"

#include <concepts>
#include <nlohmann/json.hpp>

#include "output/record.hpp"

namespace ropewalk::tables {
namespace {

constexpr std::uint32_t format_version = 3;

// Numbers of metadata types.
constexpr std::uint32_t type_uint32 = 4;
constexpr std::uint32_t type_string = 8;

std::uint64_t padding_after(std::uint64_t bytes) {
  return (gguf_alignment - bytes % gguf_alignment) % gguf_alignment;
}

/// The bytes of numbers and strings, one after the other.
class byte_text {
 public:
  template <std::unsigned_integral Number>
  void put(Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i) bytes_ += static_cast<char>(number >> (8 * i) & 255);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void entry(const std::string& key, const std::string& value) {
    put(key);
    put(type_string);
    put(value);
  }
  void entry(const std::string& key, std::uint32_t value) {
    put(key);
    put(type_uint32);
    put(value);
  }
  void put_raw(std::string_view text) { bytes_ += text; }
  std::string padded() && {
    bytes_.append(padding_after(bytes_.size()), '\0');
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

void put(byte_text& to, const gguf_tensor& tensor, std::uint64_t offset) {
  to.put(tensor.name);
  to.put(static_cast<std::uint32_t>(tensor.shape.size()));
  for (auto extent = tensor.shape.rbegin(); extent != tensor.shape.rend(); ++extent)
    to.put(static_cast<std::uint64_t>(*extent));
  to.put(static_cast<std::uint32_t>(tensor.type));
  to.put(offset);
}

}  // namespace

std::string gguf_header_bytes(std::span<const gguf_tensor> tensors, const input::json& record) {
  constexpr std::uint64_t own_entries = 2;
  byte_text text;
  text.put_raw("GGUF");
  text.put(format_version);
  text.put(std::uint64_t{tensors.size()});
  text.put(own_entries + record.size());
  text.entry("general.architecture", std::string("ropewalk"));
  text.entry("general.alignment", static_cast<std::uint32_t>(gguf_alignment));
  for (const auto& [key, value] : record.items()) text.entry("ropewalk." + key, output::entry_text(value));
  std::uint64_t offset = 0;
  for (const gguf_tensor& tensor : tensors) {
    put(text, tensor, offset);
    offset += tensor.bytes + padding_after(tensor.bytes);
  }
  return std::move(text).padded();
}

void gguf_output::end_tensor() {
  const std::string zeros(padding_after(written_), '\0');
  write(zeros.data(), zeros.size());
}

}  // namespace ropewalk::tables
