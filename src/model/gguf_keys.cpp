#include "model/gguf_keys.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ropewalk::model {

using namespace input;
namespace {

bool has_sections_in(const json& metadata, const std::string& prefix) {
  const json& sections = value_of(metadata, prefix + "rope.dimension_sections");
  return sections.is_array() &&
         std::any_of(sections.begin(), sections.end(), [](const json& value) { return value != 0; });
}

}  // namespace

gguf_keys::gguf_keys(const json& object)
    : metadata(object),
      name(text_in(object, architecture_key)),
      prefix(name + "."),
      of_code(architecture_named(name, has_sections_in(object, prefix))) {}

const json& gguf_keys::value(std::string_view key) const {
  return value_of(metadata, prefix + std::string(key));
}

given<double> gguf_keys::number(std::string_view key) const {
  return number_in(metadata, prefix + std::string(key));
}

given<std::int64_t> gguf_keys::integer(std::string_view key) const {
  return integer_in(metadata, prefix + std::string(key), 0);
}

bool gguf_keys::has_sections() const { return has_sections_in(metadata, prefix); }

json gguf_keys::largest(std::string_view key) const {
  const json& item = value(key);
  if (!item.is_array()) return item;
  json largest;
  for (const json& json_value : item)
    if (json_value.is_number() && (largest.is_null() || json_value > largest)) largest = json_value;
  return largest;
}

}  // namespace ropewalk::model
