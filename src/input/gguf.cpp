#include "input/gguf.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace ropewalk::input {
namespace {

constexpr const char* gguf_allowed = "a GGUF file, version 2 or 3, little endian";

// More than any file has: larger counts mean that the header is damaged.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 16;
constexpr std::uint64_t most_tensors = std::uint64_t{1} << 20;
constexpr std::uint64_t longest_gguf_name = 1024;
constexpr std::uint64_t longest_gguf_text = std::uint64_t{1} << 16;  // of one text, if kept
constexpr std::uint64_t longest_gguf_list = std::uint64_t{1} << 16;  // of one list, if kept
constexpr std::uint64_t most_bytes_kept = std::uint64_t{1} << 24;    // of all texts and lists together
constexpr std::uint32_t most_axes = 4;
constexpr std::uint64_t largest_alignment = std::uint64_t{1} << 20;

// Numbers of metadata types.
enum metadata_type : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, flag, text, list, u64, i64, f64 };

struct type_name {
  std::uint32_t type;
  std::string_view name;
};

constexpr type_name type_names[] = {{gguf_f32, "F32"},   {gguf_f16, "F16"}, {2, "Q4_0"},       {3, "Q4_1"},
                                    {6, "Q5_0"},         {7, "Q5_1"},       {8, "Q8_0"},       {9, "Q8_1"},
                                    {10, "Q2_K"},        {11, "Q3_K"},      {12, "Q4_K"},      {13, "Q5_K"},
                                    {14, "Q6_K"},        {15, "Q8_K"},      {16, "IQ2_XXS"},   {17, "IQ2_XS"},
                                    {18, "IQ3_XXS"},     {19, "IQ1_S"},     {20, "IQ4_NL"},    {21, "IQ3_S"},
                                    {22, "IQ2_S"},       {23, "IQ4_XS"},    {24, "I8"},        {25, "I16"},
                                    {gguf_i32, "I32"},   {gguf_i64, "I64"}, {gguf_f64, "F64"}, {29, "IQ1_M"},
                                    {gguf_bf16, "BF16"}, {34, "TQ1_0"},     {35, "TQ2_0"},     {39, "MXFP4"}};

/// Reads numbers and texts through a buffer larger than each.
class header_reader {
 public:
  explicit header_reader(byte_source& from) : from_(from) {}

  gguf_header read() {
    gguf_header header;
    require_magic();
    require_version();
    const std::uint64_t tensors = count("tensors", most_tensors);
    const std::uint64_t entries = count("metadata entries", most_entries);
    header.metadata = json::object();
    std::set<std::string> known;
    for (std::uint64_t i = 0; i < entries; ++i) {
      const std::string key = name("key");
      if (!known.insert(key).second) refuse("two entries named " + printable(key));
      const auto type = number<std::uint32_t>();
      if (json value = type == list ? list_value(key) : scalar(key, type); !value.is_null())
        header.metadata[key] = std::move(value);
    }
    known.clear();
    for (std::uint64_t i = 0; i < tensors; ++i) {
      header.tensors.push_back(tensor());
      if (!known.insert(header.tensors.back().name).second)
        refuse("two tensors named " + printable(header.tensors.back().name));
    }
    const std::uint64_t step = alignment(header.metadata);
    header.data_begin = (passed_ + step - 1) / step * step;
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { from_.refuse(why, gguf_allowed); }

  void require_magic() {
    char first[gguf_magic.size()];
    take(first, sizeof first);
    if (std::string_view(first, sizeof first) != gguf_magic) refuse("does not begin with GGUF");
  }

  void require_version() {
    const auto version = number<std::uint32_t>();
    if (version == 2 || version == 3) return;
    const bool is_swapped = (version & 0xffff) == 0 && version != 0;
    refuse(is_swapped ? "big endian" : "version " + std::to_string(version));
  }

  std::uint64_t count(const char* letter, std::uint64_t most) {
    const auto result = number<std::uint64_t>();
    if (result > most) refuse(std::to_string(result) + " " + letter);
    return result;
  }

  std::string name(const char* letter) {
    const auto length = number<std::uint64_t>();
    if (length == 0 || length > longest_gguf_name)
      refuse(std::string("a ") + letter + " of " + std::to_string(length) + " bytes");
    std::string name(static_cast<std::size_t>(length), '\0');
    take(name.data(), name.size());
    return name;
  }

  /// A text; null if it is longer than longest_gguf_text.
  json text_value() {
    const auto length = number<std::uint64_t>();
    if (length > longest_gguf_text) {
      pass(length);
      return {};
    }
    keep(length);
    std::string text(static_cast<std::size_t>(length), '\0');
    take(text.data(), text.size());
    return text;
  }

  json scalar(const std::string& key, std::uint32_t type) {
    switch (type) {
      case u8: return number<std::uint8_t>();
      case i8: return number<std::int8_t>();
      case u16: return number<std::uint16_t>();
      case i16: return number<std::int16_t>();
      case u32: return number<std::uint32_t>();
      case i32: return number<std::int32_t>();
      case f32: return static_cast<double>(number<float>());
      case flag: return flag_value(key);
      case text: return text_value();
      case u64: return number<std::uint64_t>();
      case i64: return number<std::int64_t>();
      case f64: return number<double>();
      default: refuse(printable(key) + " has type " + std::to_string(type));
    }
  }

  bool flag_value(const std::string& key) {
    const auto result = number<std::uint8_t>();
    if (result > 1) refuse(printable(key) + " is a flag of " + std::to_string(result));
    return result == 1;
  }

  static std::size_t bytes_of(std::uint32_t type) {
    switch (type) {
      case u8:
      case i8:
      case flag: return 1;
      case u16:
      case i16: return 2;
      case u32:
      case i32:
      case f32: return 4;
      case u64:
      case i64:
      case f64: return 8;
      default: return 0;
    }
  }

  /// A list of numbers or flags; null for a list of texts, and for a list longer than longest_gguf_list.
  json list_value(const std::string& key) {
    const auto type = number<std::uint32_t>();
    const auto length = number<std::uint64_t>();
    if (type == text) {
      for (std::uint64_t i = 0; i < length; ++i) pass(number<std::uint64_t>());
      return {};
    }
    const std::size_t each = bytes_of(type);
    if (each == 0) refuse(printable(key) + " is a list of type " + std::to_string(type));
    if (length > longest_gguf_list) {
      std::uint64_t bytes = 0;
      if (__builtin_mul_overflow(length, each, &bytes)) refuse(printable(key) + " ends after the file");
      pass(bytes);
      return {};
    }
    json value = json::array();
    keep(length * sizeof(json));
    for (std::uint64_t i = 0; i < length; ++i) value.push_back(scalar(key, type));
    return value;
  }

  gguf_tensor_place tensor() {
    gguf_tensor_place tensor;
    tensor.name = name("tensor's name");
    const auto axes = number<std::uint32_t>();
    if (axes > most_axes) refuse(printable(tensor.name) + " has " + std::to_string(axes) + " axes");
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
      const auto extent = number<std::uint64_t>();
      if (extent > std::uint64_t{1} << 62) refuse(printable(tensor.name) + " has too large a shape");
      tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }
    std::reverse(tensor.shape.begin(), tensor.shape.end());  // ggml's first axis is the fastest
    tensor.type = number<std::uint32_t>();
    tensor.begin = number<std::uint64_t>();
    return tensor;
  }

  std::uint64_t alignment(const json& metadata) const {
    constexpr std::uint64_t usual = 32;
    const auto match = metadata.find("general.alignment");
    if (match == metadata.end()) return usual;
    const bool is_number = match->is_number_unsigned();
    const std::uint64_t alignment = is_number ? match->get<std::uint64_t>() : 0;
    if (alignment == 0 || alignment > largest_alignment || alignment % 8 != 0)
      refuse("general.alignment is " + shown(*match));
    return alignment;
  }

  template <class Number>
  Number number() {
    Number result;
    take(&result, sizeof result);
    return result;
  }

  void keep(std::uint64_t bytes) {
    kept_ += bytes;
    if (kept_ > most_bytes_kept) refuse("more than " + size_text(most_bytes_kept) + " of metadata");
  }

  /// Copies the next bytes.
  void take(void* to, std::size_t size) {
    auto* at = static_cast<char*>(to);
    while (size > 0) {
      if (begin_ == end_) fill();
      const std::size_t part = std::min(size, end_ - begin_);
      std::memcpy(at, buffer_.data() + begin_, part);
      begin_ += part;
      passed_ += part;
      at += part;
      size -= part;
    }
  }

  /// Skips the next bytes.
  void pass(std::uint64_t size) {
    const std::uint64_t here = std::min<std::uint64_t>(size, end_ - begin_);
    begin_ += static_cast<std::size_t>(here);
    passed_ += here;
    size -= here;
    const std::int64_t all = from_.size();
    if (size > 0 && all >= 0 &&
        (passed_ > static_cast<std::uint64_t>(all) || size > static_cast<std::uint64_t>(all) - passed_))
      refuse("ends inside its header");
    if (size == 0) return;
    from_.skip(size);
    passed_ += size;
  }

  void fill() {
    begin_ = 0;
    end_ = from_.read(buffer_.data(), buffer_.size());
    if (end_ == 0) refuse("ends inside its header");
  }

  byte_source& from_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  std::size_t begin_ = 0;  // begin of the bytes not yet consumed
  std::size_t end_ = 0;
  std::uint64_t passed_ = 0;  // bytes of the file consumed
  std::uint64_t kept_ = 0;
};

}  // namespace

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand in the file");

gguf_header gguf_header_of(byte_source& from) { return header_reader(from).read(); }

std::string gguf_type_name(std::uint32_t type) {
  const auto* const known = std::find_if(std::begin(type_names), std::end(type_names),
                                         [&](const type_name& name) { return name.type == type; });
  return known == std::end(type_names) ? "type " + std::to_string(type) : std::string(known->name);
}

}  // namespace ropewalk::input
