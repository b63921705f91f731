#include "input/safetensors.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/json_text.hpp"

namespace ropewalk::input {
namespace {

struct element_size {
  std::string_view dtype;
  std::size_t bytes;
};

constexpr element_size element_sizes[] = {
    {"F64", 8},  {"F32", 4}, {"F16", 2},   {"BF16", 2},    {"I64", 8},    {"U64", 8},
    {"I32", 4},  {"U32", 4}, {"I16", 2},   {"U16", 2},     {"I8", 1},     {"U8", 1},
    {"BOOL", 1}, {"C64", 8}, {"C128", 16}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};

/// The whole numbers of a list, each 0 or above.
std::vector<std::int64_t> whole_numbers(const std::string& name, const json& list) {
  std::vector<std::int64_t> numbers;
  if (!list.is_array()) throw bad_header(name + " has a shape or data_offsets that is not a list");
  for (const json& value : list) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
      throw bad_header(name + " has a shape or data_offsets with numbers that are not whole");
    numbers.push_back(value.get<std::int64_t>());
  }
  return numbers;
}

/// Number of bytes of a tensor.
std::uint64_t bytes_of(const stored_tensor& tensor, std::size_t element) {
  std::uint64_t bytes = element;
  for (const std::int64_t extent : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes))
      throw bad_header(tensor.name + " has too large a shape");
  return bytes;
}

stored_tensor tensor_of(const std::string& name, const json& described) {
  stored_tensor tensor{name, described.at("dtype").get<std::string>(),
                       whole_numbers(name, described.at("shape"))};
  const std::vector<std::int64_t> offsets = whole_numbers(name, described.at("data_offsets"));
  const std::size_t element = safetensors_element_bytes(tensor.dtype);
  if (offsets.size() == 2) {
    tensor.begin = static_cast<std::uint64_t>(offsets[0]);
    tensor.end = static_cast<std::uint64_t>(offsets[1]);
  }
  // An unknown dtype has elements of unknown size.
  if (offsets.size() != 2 || tensor.end < tensor.begin ||
      (element != 0 && tensor.end - tensor.begin != bytes_of(tensor, element)))
    throw bad_header(name + " has data_offsets that do not fit its shape");
  return tensor;
}

/// Refuses overlapping tensors, and bytes that belong to no tensor.
void require_contiguous(const safetensors_header& header) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (const stored_tensor& tensor : header.tensors) parts.emplace_back(tensor.begin, tensor.end);
  std::sort(parts.begin(), parts.end());
  std::uint64_t end = 0;
  for (const auto& [first, last] : parts) {
    if (first != end) throw bad_header("its tensors overlap, or leave bytes out");
    end = last;
  }
}

}  // namespace

std::size_t safetensors_element_bytes(std::string_view dtype) {
  for (const element_size& size : element_sizes)
    if (size.dtype == dtype) return size.bytes;
  return 0;
}

safetensors_header safetensors_header_of(std::string_view text) {
  safetensors_header result;
  try {
    const json header = object_of(text);
    for (const auto& [key, value] : header.items()) {
      if (key == safetensors_metadata)
        result.words = value.get<std::map<std::string, std::string>>();
      else
        result.tensors.push_back(tensor_of(key, value));
    }
  } catch (const json::exception&) {
    throw bad_header("its header is not a safetensors header");
  } catch (const bad_json& why) {
    throw bad_header(std::string("its header is not a JSON object: ") + why.what());
  }
  require_contiguous(result);
  for (const stored_tensor& tensor : result.tensors)
    result.data_bytes = std::max(result.data_bytes, tensor.end);
  return result;
}

}  // namespace ropewalk::input
