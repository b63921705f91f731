#include "command/table_job.hpp"

#include <nlohmann/json.hpp>

#include "command/record.hpp"

namespace ropewalk::command {
namespace {

std::string rounding_text(const table_job& job) {
  if (job.digits > 0) return std::to_string(job.digits) + " significant decimal digits, correctly rounded";
  return job.about().rounding;
}

std::string dtype_text(const table_job& job) {
  if (job.digits > 0) return "decimal";
  return std::string(text_of(job.dtype).name);
}

std::string complex_text(const table_job& job) {
  const bool is_wide = job.dtype == table_dtype::f64;
  if (job.format == file_format::npy || job.format == file_format::npz)
    return is_wide ? "complex128" : "complex64";
  if (job.format == file_format::glsl) return is_wide ? "dvec2(real, imaginary)" : "vec2(real, imaginary)";
  return "a last axis of 2: real, imaginary";
}

/// How the file holds a dtype that its format does not have; empty where it has it.
std::string storage_text(const table_job& job) {
  const bool is_narrow = job.dtype == table_dtype::f16 || job.dtype == table_dtype::bf16;
  const std::string narrow = job.dtype == table_dtype::f16 ? "binary16" : "bfloat16";
  switch (job.format) {
    case file_format::json:
    case file_format::csv: return {};
    case file_format::glsl:
      if (is_narrow) return "float, the value of the " + narrow;
      if (job.dtype == table_dtype::u32) return "uvec4, least significant word in x";
      break;
    case file_format::c:
      if (is_narrow) return "uint16_t, the bits of the " + narrow;
      break;
    case file_format::npy:
    case file_format::npz:
      if (job.dtype == table_dtype::bf16) return "uint16, the bits of the bfloat16";
      break;
    case file_format::safetensors: break;
  }
  return job.about().elements == table_elements::complex ? complex_text(job) : "";
}

}  // namespace

input::json record_of(const table_job& job, const session& session) {
  const table_description& about = job.about();
  input::json record = origin_record(session);
  record["array"] = about.array;
  if (!job.name.empty()) record["name"] = job.name;
  record["shape"] = about.shape;
  record["axes"] = about.axes;
  record["dtype"] = dtype_text(job);
  record["units"] = about.units;
  record["convention"] = about.convention;
  record["rounding"] = rounding_text(job);
  job.content->put(record);
  if (const std::string stored = storage_text(job); !stored.empty()) record["stored_as"] = stored;
  return record;
}

}  // namespace ropewalk::command
