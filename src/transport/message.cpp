#include "transport/message.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "export/table_kind.hpp"
#include "input/json_text.hpp"
#include "input/safetensors.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::transport {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are little endian");

using input::json;

class bytes_in_memory : public input::byte_source {
 public:
  explicit bytes_in_memory(std::span<const std::byte> all) : left_(all), size_(all.size()) {}

  std::size_t read(void* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, left_.size());
    std::copy_n(left_.begin(), count, static_cast<std::byte*>(bytes));
    left_ = left_.subspan(count);
    return count;
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(size_); }
  const std::string& field() const override { return none_; }
  std::string place() const override { return none_; }

 private:
  std::span<const std::byte> left_;
  std::size_t size_;
  std::string none_;
};

}  // namespace

std::string_view message_dtype(ropewalk_dtype dtype) {
  for (const auto& text : tables::table_dtypes)
    if (text.name == name_of(dtype)) return text.in_safetensors;
  throw std::invalid_argument("dtype is " + std::to_string(dtype) + "; allowed: " + dtype_names());
}

std::size_t element_bytes(std::string_view dtype) {
  const auto text = std::find_if(std::begin(tables::table_dtypes), std::end(tables::table_dtypes),
                                 [&](const auto& item) { return item.in_safetensors == dtype; });
  if (text == std::end(tables::table_dtypes)) return 0;
  return tables::visit_element(static_cast<tables::table_dtype>(text - std::begin(tables::table_dtypes)),
                               []<class Element>() { return sizeof(Element); });
}

const message_tensor* message::find(std::string_view name) const {
  const auto match = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const message_tensor& tensor) { return tensor.name == name; });
  return match == tensors.end() ? nullptr : &*match;
}

std::string_view message::word(const std::string& key) const {
  const auto match = words.find(key);
  return match == words.end() ? std::string_view() : match->second;
}

std::vector<std::byte> image_of(const message& message) {
  json header = {{input::safetensors_metadata, message.words}};
  std::size_t end = 0;
  for (const message_tensor& tensor : message.tensors) {
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {end, end + tensor.bytes.size()}}};
    end += tensor.bytes.size();
  }
  const std::string text = header.dump(-1, ' ', true, json::error_handler_t::replace);
  const std::uint64_t length = text.size();
  std::vector<std::byte> image(sizeof length + text.size() + end);
  std::memcpy(image.data(), &length, sizeof length);
  std::memcpy(image.data() + sizeof length, text.data(), text.size());
  std::byte* at = image.data() + sizeof length + text.size();
  for (const message_tensor& tensor : message.tensors)
    at = std::copy(tensor.bytes.begin(), tensor.bytes.end(), at);
  return image;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

std::size_t header_bytes(std::span<const std::byte> head) {
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  if (length > longest_header) throw bad_message("its first 8 bytes are not the length of a header");
  return static_cast<std::size_t>(length);
}

message_header header_from(std::span<const std::byte> text) {
  message_header result;
  try {
    auto header = input::safetensors_header_of({reinterpret_cast<const char*>(text.data()), text.size()});
    for (input::stored_tensor& tensor : header.tensors) {
      if (element_bytes(tensor.dtype) == 0) throw bad_message(tensor.name + " has dtype " + tensor.dtype);
      result.places.push_back({tensor.begin, tensor.end});
      result.described.tensors.push_back(
          {std::move(tensor.name), std::move(tensor.dtype), std::move(tensor.shape), {}});
    }
    result.described.words = std::move(header.words);
    result.data_bytes = header.data_bytes;
  } catch (const input::bad_header& refused) {
    throw bad_message(refused.what());
  }
  return result;
}

std::vector<std::vector<std::byte>> images_in(std::span<const std::byte> all) {
  bytes_in_memory source(all);
  return images_in(source);
}

std::vector<std::vector<std::byte>> images_in(input::byte_source& all) {
  constexpr std::size_t length = sizeof(std::uint64_t);
  std::vector<std::vector<std::byte>> images;
  for (auto left = static_cast<std::uint64_t>(all.size()); left > 0;) {
    std::vector<std::byte> first;
    const auto read = [&](std::size_t bytes) {
      const std::size_t before = first.size();
      const bool has_room = bytes <= left;  // a wrong header must not allocate memory
      if (has_room) first.resize(before + bytes);
      if (!has_room || all.read(first.data() + before, bytes) != bytes)
        throw bad_message("message " + std::to_string(images.size() + 1) + " is cut short");
      left -= bytes;
    };
    read(length);
    read(header_bytes(first));
    read(header_from(std::span(first).subspan(length)).data_bytes);
    images.push_back(std::move(first));
  }
  return images;
}

message message_of(message_header header, std::span<const std::byte> data) {
  for (std::size_t i = 0; i < header.places.size(); ++i) {
    const auto [begin, end] = header.places[i];
    const std::span<const std::byte> from = data.subspan(begin, end - begin);
    header.described.tensors[i].bytes.assign(from.begin(), from.end());
  }
  return std::move(header.described);
}

}  // namespace ropewalk::transport
