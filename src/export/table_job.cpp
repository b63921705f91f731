#include "export/table_job.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "output/record.hpp"

namespace ropewalk::tables {
namespace {

std::string rounding_text(const table_job& job) {
  if (job.digits > 0) return std::to_string(job.digits) + " significant decimal digits, correctly rounded";
  return job.about().rounding;
}

std::string dtype_text(const table_job& job) {
  if (job.digits > 0) return "decimal";
  return std::string(text_of(job.dtype).name);
}

/// Name of a 16-bit format, which C and GLSL hold in another type; empty for other dtypes.
std::string narrow_name(const table_job& job) { return std::string(text_of(job.dtype).format_name); }

bool is_complex(const table_job& job) { return job.about().elements == table_elements::complex; }

std::string complex_as_axis(const table_job& job) {
  return is_complex(job) ? "a last axis of 2: real, imaginary" : "";
}

std::string stored_by_numpy(const table_job& job) {
  if (text_of(job.dtype).numpy_lacks_it)
    return integer_of_bits(job.dtype) + ", the bits of the " + narrow_name(job);
  if (!is_complex(job)) return "";
  return job.dtype == table_dtype::f64 ? "complex128" : "complex64";
}

// How a file stores a dtype that its format lacks; empty where the format has it.

std::string stored_as(const npy_file&, const table_job& job) { return stored_by_numpy(job); }
std::string stored_as(const npz_file&, const table_job& job) { return stored_by_numpy(job); }
std::string stored_as(const safetensors_file&, const table_job& job) { return complex_as_axis(job); }
std::string stored_as(const gguf_file&, const table_job& job) { return complex_as_axis(job); }
std::string stored_as(const json_file&, const table_job&) { return ""; }
std::string stored_as(const csv_file&, const table_job&) { return ""; }

std::string stored_as(const c_file&, const table_job& job) {
  if (!narrow_name(job).empty())
    return integer_of_bits(job.dtype) + "_t, the bits of the " + narrow_name(job);
  return complex_as_axis(job);
}

std::string stored_as(const glsl_file&, const table_job& job) {
  if (!narrow_name(job).empty()) return "float, the value of the " + narrow_name(job);
  if (job.dtype == table_dtype::u32) return "uvec4, least significant word in x";
  if (!is_complex(job)) return "";
  return job.dtype == table_dtype::f64 ? "dvec2(real, imaginary)" : "vec2(real, imaginary)";
}

std::string stored_as(const python_file&, const table_job& job) {
  if (!narrow_name(job).empty()) return "float, the value of the " + narrow_name(job);
  return complex_as_axis(job);
}

std::string stored_as(const rust_file&, const table_job& job) {
  if (!narrow_name(job).empty()) return "u16, the bits of the " + narrow_name(job);
  return complex_as_axis(job);
}

}  // namespace

input::json record_of(const table_job& job) {
  const table_description& about = job.about();
  input::json record = output::origin_record(job.command_line);
  record["array"] = about.array;
  if (!job.name.empty()) record["name"] = job.name;
  if (!job.layers.empty()) record["layers"] = job.layers;
  if (!job.axis.empty()) record["axis"] = job.axis;
  record["shape"] = about.shape;
  record["axes"] = about.axes;
  record["dtype"] = dtype_text(job);
  record["units"] = about.units;
  record["convention"] = about.convention;
  record["rounding"] = rounding_text(job);
  job.content->put(record);
  const std::string stored = job.format.visit([&](const auto& file) { return stored_as(file, job); });
  if (!stored.empty()) record["stored_as"] = stored;
  return record;
}

input::json record_of(std::span<const table_job> jobs) {
  std::vector<input::json> each;
  for (const table_job& job : jobs) each.push_back(record_of(job));
  if (each.size() == 1) return each.front();
  const auto is_shared = [&](const std::string& key) {
    return std::all_of(each.begin(), each.end(), [&](const input::json& item) {
      return item.contains(key) && item[key] == each.front()[key];
    });
  };
  input::json record;
  for (std::size_t i = 0; i < each.size(); ++i)
    for (const auto& [key, value] : each[i].items())
      (is_shared(key) ? record : record["arrays"][jobs[i].name])[key] = value;
  return record;
}

}  // namespace ropewalk::tables
