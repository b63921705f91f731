#include "model/gguf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/gguf.hpp"
#include "input/json_text.hpp"
#include "model/gguf_keys.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// The path of a part of a split model. `first` is the path of part 1: "...-00001-of-00003.gguf".
std::string part_path(const std::string& first, int part, int parts) {
  const std::string ending = fmt::format("-{:05}-of-{:05}.gguf", 1, parts);
  if (!first.ends_with(ending)) throw bad_input("config", first, "a name that ends with " + ending);
  return first.substr(0, first.size() - ending.size()) + fmt::format("-{:05}-of-{:05}.gguf", part, parts);
}

template <class Float>
std::vector<double> widened(const std::vector<std::byte>& bytes) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at + sizeof(bits_of<Float>) <= bytes.size(); at += sizeof(bits_of<Float>)) {
    bits_of<Float> bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    numbers.push_back(from_bits<double>(convert<double, Float>(bits)));
  }
  return numbers;
}

std::vector<double> divisors_at(const array_location& place) {
  constexpr npy_dtype dtypes[] = {npy_dtype::f32, npy_dtype::f16, npy_dtype::u16, npy_dtype::f64};
  const whole_array array = read_array("config", place, dtypes, most_divisors);
  switch (array.header.dtype) {
    case npy_dtype::f64: return widened<double>(array.bytes);
    case npy_dtype::f16: return widened<binary16>(array.bytes);
    case npy_dtype::u16: return widened<bfloat16>(array.bytes);
    default: return widened<float>(array.bytes);
  }
}

void take_divisors(json& to, const gguf_header& header, const std::string& path) {
  for (const std::string_view name : divisor_tensors) {
    const auto match = std::find_if(header.tensors.begin(), header.tensors.end(),
                                    [&](const gguf_tensor_place& place) { return place.name == name; });
    if (match == header.tensors.end()) continue;
    json list = json::array();
    for (const double value : divisors_at({path, std::string(name)})) {
      if (!std::isfinite(value)) throw bad_input(std::string(name), shown(value), "finite numbers");
      list.push_back(value);
    }
    to[std::string(name)] = std::move(list);
  }
}

int split_number(const json& metadata, const char* key) {
  const given<std::int64_t> t = integer_in(metadata, key, 0);
  constexpr std::int64_t most_parts = 99999;
  if (t && t.value > most_parts) throw bad_input(key, shown(value_of(metadata, key)), "at most 99999");
  return static_cast<int>(t.value_or(0));
}

}  // namespace

std::string gguf_text(input_file& file) {
  const gguf_header header = gguf_header_of(file);
  json json_value = header.metadata;
  json tensors = json::object();
  take_divisors(tensors, header, file.path());
  const int parts = split_number(json_value, "split.count");
  if (const int own = split_number(json_value, "split.no"); own != 0)
    throw bad_input("config", file.path(),
                    fmt::format("the first file of the model: this one is part {} of {}", own + 1, parts));
  for (int part = 2; part <= parts; ++part) {
    const std::string path = part_path(file.path(), part, parts);
    input_file other("config", path);
    take_divisors(tensors, gguf_header_of(other), path);
  }
  json_value["tensors"] = std::move(tensors);
  // Keys of other subjects, above all the tokenizer's, are dropped.
  const std::string architecture = text_in(json_value, architecture_key), prefix = architecture + ".";
  if (architecture.empty()) throw bad_input(architecture_key, "missing", "the name of an architecture");
  json kept = json::object();
  for (auto& [key, value] : json_value.items())
    if (key.starts_with(prefix) || key == architecture_key || key == "general.name" || key == "tensors") {
      if (value.is_number_float() && !std::isfinite(value.get<double>()))
        throw bad_input(printable(key), "not finite", "a finite number");
      kept[key] = std::move(value);
    }
  return kept.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace ropewalk::model
