#include "export/table.hpp"

namespace ropewalk::tables {

bool has_dtype(table_elements elements, table_dtype dtype) {
  switch (elements) {
    case table_elements::turns: return dtype == table_dtype::u32;
    case table_elements::whole: return dtype == table_dtype::i32;
    case table_elements::complex: return dtype == table_dtype::f32 || dtype == table_dtype::f64;
    case table_elements::real: break;
  }
  return dtype != table_dtype::u32 && dtype != table_dtype::i32;
}

npy_dtype array_dtype(table_elements elements, table_dtype dtype) {
  if (elements != table_elements::complex) return text_of(dtype).array;
  return dtype == table_dtype::f64 ? npy_dtype::c128 : npy_dtype::c64;
}

std::string dtype_names(table_elements elements) {
  std::string names;
  for (const table_dtype_text& text : table_dtypes)
    if (has_dtype(elements, text.dtype)) names += (names.empty() ? "" : ", ") + std::string(text.name);
  return names;
}

std::vector<std::int64_t> shape_of_numbers(const table_description& about) {
  std::vector<std::int64_t> shape = about.shape;
  if (about.elements == table_elements::complex) shape.push_back(2);
  return shape;
}

std::string text_of(const coordinates& placed) {
  std::string text;
  for (const coordinate& coordinate : placed)
    text += (text.empty() ? "" : ", ") + (coordinate.is_word ? "" : coordinate.name + " ") + coordinate.value;
  return text;
}

std::vector<std::string> names_of(const coordinates& placed) {
  std::vector<std::string> names;
  for (const coordinate& coordinate : placed) names.push_back(coordinate.name);
  return names;
}

std::vector<std::string> values_of(const coordinates& placed) {
  std::vector<std::string> values;
  for (const coordinate& coordinate : placed) values.push_back(coordinate.value);
  return values;
}

}  // namespace ropewalk::tables
