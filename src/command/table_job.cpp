#include "command/table_job.hpp"

#include "command/record.hpp"

namespace ropewalk::command {
namespace {

std::string rounding_text(const table_job& job) {
  if (job.digits > 0) return std::to_string(job.digits) + " significant decimal digits, correctly rounded";
  if (job.form.kind == table_kind::turns) return "to nearest from the exact value";
  return "to nearest, ties to even, once from the exact value";
}

std::string dtype_text(const table_job& job) {
  if (job.digits > 0) return "decimal";
  if (job.dtype == table_dtype::bf16) return "bf16";
  return std::string(text_of(job.dtype).name);
}

std::string duplication_text(pairing layout) {
  return layout == pairing::half_split
             ? "half-split: channel c holds pair c mod rotary_dim/2, torch.cat((f, f), -1)"
             : "interleaved: channel c holds pair floor(c / 2), torch.repeat_interleave(f, 2, -1)";
}

void put_layout(model::json& record, const table_form& form) {
  const cos_sin_layout_text& layout = text_of(form.layout);
  record["axes"] = layout.shape;
  record["layout"] = layout.name;
  record["convention"] = std::string(text_of(form.kind).convention) + "; " + std::string(layout.convention);
  if (form.layout == cos_sin_layout::hf) record["duplication"] = duplication_text(form.duplicated);
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
  return job.is_complex() ? complex_text(job) : "";
}

}  // namespace

std::vector<std::int64_t> shape_of_numbers(const table_job& job) {
  std::vector<std::int64_t> shape = job.grid().shape();
  if (job.is_complex()) shape.push_back(2);
  return shape;
}

model::json record_of(const table_job& job, const session& session) {
  const table_kind_text& kind = text_of(job.form.kind);
  model::json record = origin_record(session);
  record["array"] = kind.array;
  if (!job.name.empty()) record["name"] = job.name;
  record["shape"] = job.grid().shape();
  record["axes"] = kind.shape;
  record["dtype"] = dtype_text(job);
  record["units"] = kind.units;
  record["convention"] = kind.convention;
  record["rounding"] = rounding_text(job);
  if (job.form.kind == table_kind::cos_sin) put_layout(record, job.form);
  if (has_positions(job.form.kind)) record["positions"] = job.positions.text();
  record["model"] = model_record(job.model);
  if (job.is_whole_in_digits()) {
    record["shape"] = {pair_count(job.model.encoding)};
    record["axes"] = "[rotary_dim/2]";
    record["convention"] = "entry [pair] is the number of turns per position";
  }
  if (const std::string stored = storage_text(job); !stored.empty()) record["stored_as"] = stored;
  return record;
}

}  // namespace ropewalk::command
