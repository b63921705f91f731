#include "command/recorded_array.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "array/comparison.hpp"
#include "export/table.hpp"
#include "input/json_text.hpp"
#include "input/unknown_name.hpp"

namespace ropewalk::command {
namespace {

using tables::table_kind;

/// Number of axes of a table.
std::size_t axes_of(table_kind kind, const std::string& layout) {
  using enum table_kind;
  constexpr kind_set rows(inv_freq, ggml_factors, alibi_slopes, t5_buckets);
  constexpr kind_set with_both(cos_sin, xpos, axes, mixed), with_heads(alibi_bias, mixed);
  if (rows.has(kind)) return 1;
  return 2 + (with_heads.has(kind) ? 1 : 0) + (with_both.has(kind) && layout == "hf" ? 1 : 0);
}

}  // namespace

recorded_array recorded_of(const input::array_location& place) {
  try {
    const input::json record = input::object_of(input::record_of_arrays(place.path));
    if (!record.value("written_by", "").starts_with("ropewalk ")) return {};
    recorded_array recorded{record.value("array", ""), record.value("positions", ""), "",
                            record.value("axis", "")};
    if (const auto arrays = record.find("arrays"); place.name && arrays != record.end()) {
      const input::json each = arrays->is_string() ? input::object_of(arrays->get<std::string>()) : *arrays;
      const input::json& array = each.at(*place.name);
      recorded.name = array.value("array", recorded.name);
      recorded.positions = array.value("positions", recorded.positions);
      recorded.axis = array.value("axis", recorded.axis);
      if (array.contains("layers")) recorded.layer = array.at("model").value("layer_type", "");
    }
    // A list of positions is in another file.
    if (!input::looks_like_numbers(recorded.positions)) recorded.positions.clear();
    return recorded;
  } catch (const std::exception&) {
    return {};  // another program's
  }
}

std::string kind_by_name(const std::string& place) {
  std::string name =
      place.substr(place.rfind('#') == place.npos ? place.rfind('/') + 1 : place.rfind('#') + 1);
  if (place.find('#') == place.npos) name = name.substr(0, name.rfind('.'));
  name = name.substr(name.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  for (const std::string_view ending : {"-cached", "-cache"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  const std::vector<std::string> known = input::names_in(tables::table_kinds);
  return std::find(known.begin(), known.end(), name) == known.end() ? "" : name;
}

void take_from_shape(table_options& options, table_kind kind, std::vector<std::int64_t> shape) {
  using enum table_kind;
  constexpr kind_set of_positions(cos, sin, sinusoidal, integer, normalised, binary, sine_only, learned);
  const std::string layout = typed(options, "--layout");
  shape = without_ones(std::move(shape), axes_of(kind, layout));
  const auto take = [&](std::string_view option, std::size_t axis) {
    std::string& text = options.own[option];
    if (text.empty() && axis < shape.size()) text = std::to_string(shape[axis]);
  };
  const auto take_positions = [&](std::size_t axis) {
    const bool is_typed = !options.where.positions.empty() || !options.where.real_positions.empty() ||
                          !options.which.tokens.grid.empty();  // which says where tokens stand
    if (!is_typed && axis < shape.size() && shape[axis] > 0)
      options.where.positions = std::to_string(shape[axis]);
  };
  if (of_positions.has(kind)) take_positions(0);
  if (kind == cos_sin || kind == xpos) take_positions(axes_of(kind, layout) - 2);
  if (kind == query_scale && shape.size() == 1) take_positions(0);
  if (kind == sinusoidal) take("--d-model", 1);
  if (kind == binary || kind == sine_only) take("--width", 1);
  if (kind == alibi_slopes || kind == alibi_bias) take("--heads", 0);
  if (kind == alibi_bias) take("--queries", 1), take("--keys", 2);
  if (kind == t5_buckets && options.own["--max-relative"].empty() && shape.size() == 1 && shape[0] % 2 == 1)
    options.own["--max-relative"] = std::to_string((shape[0] - 1) / 2);
}

bool is_without_rotation(const input::array_location& place) {
  input::array_file file("table", place);
  const npy_dtype dtype = file.header().dtype;
  const int parts = dtype == npy_dtype::c64 || dtype == npy_dtype::c128 ? 2 : 1;  // of a complex number
  const std::size_t size = size_of(dtype) / static_cast<std::size_t>(parts);
  // One in binary64, binary32, bfloat16 and binary16.
  constexpr std::uint64_t ones[] = {0x3ff0000000000000, 0x3f800000, 0x3f80, 0x3c00};
  for (std::int64_t left = parts * element_count(file.header()); left > 0; --left) {
    std::uint64_t bits = 0;
    file.read({reinterpret_cast<std::byte*>(&bits), size});
    if (bits != 0 && std::find(std::begin(ones), std::end(ones), bits) == std::end(ones)) return false;
  }
  return true;
}

std::string format_of(const input::array_file& file) {
  for (const tables::table_dtype_text& text : tables::table_dtypes)
    if (tables::has_dtype(tables::table_elements::real, text.dtype) &&
        tables::array_dtype(tables::table_elements::real, text.dtype) == file.header().dtype)
      return std::string(text.name);
  return {};
}

}  // namespace ropewalk::command
