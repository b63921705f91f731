#pragma once
// Messages between the verifier and a kernel in another process. Each is one safetensors image: u64 little
// endian length n, n bytes of JSON, then the bytes of the tensors.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/byte_source.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

/// Bytes that are not a message, or not the expected one. The text says why, in at most one line.
class bad_message : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A dense tensor: last axis fastest, little endian.
struct message_tensor {
  std::string name;
  std::string dtype;  // F64, F32, F16, BF16, I32, U32
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
};

/// Name of an element format in messages.
std::string_view message_dtype(ropewalk_dtype dtype);

/// Bytes per element of a message dtype; 0 for any other text.
std::size_t element_bytes(std::string_view dtype);

struct message {
  std::map<std::string, std::string> words;  // __metadata__
  std::vector<message_tensor> tensors;

  /// The tensor with a name; NULL if there is none.
  const message_tensor* find(std::string_view name) const;
  /// The metadata value of a key; empty if there is none.
  std::string_view word(const std::string& key) const;
};

/// The complete image of a message.
std::vector<std::byte> image_of(const message& message);

/// A hash of bytes that is the same on every machine and in every version (FNV-1a): it decides which requests
/// stand twice in DIR/requests, and SARIF reports identify results by it.
std::uint64_t hash_of(std::span<const std::byte> bytes);

/// Content of a header, before the tensors' bytes are read.
struct message_header {
  message described;                                        // its tensors have no bytes yet
  std::vector<std::pair<std::size_t, std::size_t>> places;  // offsets of each tensor's first byte and its end
  std::size_t data_bytes = 0;
};

inline constexpr std::size_t longest_header = std::size_t{1} << 24;

/// Length of the header, from the first 8 bytes of an image.
///
/// shape   head [8]
/// throws  bad_message if it is longer than longest_header
std::size_t header_bytes(std::span<const std::byte> head);

/// Reads a header's JSON.
///
/// throws  bad_message
message_header header_from(std::span<const std::byte> json);

/// Splits bytes into the images of consecutive messages.
///
/// throws  bad_message if an image is cut short, or is not a message
std::vector<std::vector<std::byte>> images_in(std::span<const std::byte> all);
/// The same for a file.
std::vector<std::vector<std::byte>> images_in(input::byte_source& all);

/// The message with this header and these bytes.
///
/// shape   data [header.data_bytes]
message message_of(message_header header, std::span<const std::byte> data);

}  // namespace ropewalk::transport
