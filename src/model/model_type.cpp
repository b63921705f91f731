#include "model/model_type.hpp"

#include <algorithm>

#include "model/gguf_architectures.hpp"
#include "model/type_rows.hpp"

namespace ropewalk::model {

const model_type* find_model_type(std::string_view name) {
  if (name.starts_with(gguf_type_prefix)) return find_gguf_type(name);
  for (const auto rows : {types_of_like_layers(), types_of_two_kinds()})
    for (const model_type& row : rows)
      if (row.name == name) return &row;
  return nullptr;
}

std::vector<std::string> model_type_names() {
  std::vector<std::string> names;
  for (const auto rows : {types_of_like_layers(), types_of_two_kinds()})
    for (const model_type& row : rows)
      if (row.not_built.empty()) names.emplace_back(row.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace ropewalk::model
