#include "command/table_files.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "command/chunks.hpp"
#include "command/record.hpp"
#include "command/table_entries.hpp"
#include "export/csv.hpp"
#include "export/json.hpp"
#include "export/npy.hpp"
#include "export/npz.hpp"
#include "export/safetensors.hpp"
#include "export/source_text.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::command {
namespace {

using use_bytes = std::function<void(const std::vector<std::byte>&)>;

/// Makes the rows by many threads and hands their bytes over in order.
void each_run(const table_job& job, const table_rows& rows, bool is_quiet, const use_bytes& use) {
  std::vector<std::vector<std::byte>> made(static_cast<std::size_t>(job.threads));
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), is_quiet);
  in_order(
      rows.rows(), job.about().rows_a_piece, job.threads, progress,
      [&](row_run run, int slot) {
        auto& bytes = made[static_cast<std::size_t>(slot)];
        bytes.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
        rows.fill(run.first, run.count, bytes.data());
      },
      [&](row_run, int slot) { use(made[static_cast<std::size_t>(slot)]); });
}

template <class Output>
void write_rows(const table_job& job, const table_rows& rows, Output& output, const session& session) {
  each_run(job, rows, session.quiet,
           [&](const std::vector<std::byte>& bytes) { output.write(bytes.data(), bytes.size()); });
  const decided_entries decided = rows.decided();
  if (session.verbose && decided.total() != 0)
    std::cerr << fmt::format(
        "entries decided by a sum of angles: {}, by their own polynomial: {}, exactly: {}\n", decided.by_sum,
        decided.by_polynomial, decided.exactly);
}

npy_header array_header(const table_job& job) {
  return {array_dtype(job.about().elements, job.dtype), job.about().shape};
}

void write_npy(const table_job& job, const std::string& path, const session& session) {
  const auto rows = job.content->make_rows(job.dtype);
  output::npy_output output(path, array_header(job));
  write_rows(job, *rows, output, session);
  output.commit(pretty(record_of(job, session)));
}

void write_npz(const table_job& job, const std::string& path, const session& session) {
  const auto rows = job.content->make_rows(job.dtype);
  output::npz_output output(path, job.name, array_header(job));
  write_rows(job, *rows, output, session);
  output.commit(pretty(record_of(job, session)));
}

void write_safetensors(const table_job& job, const std::string& path, const session& session) {
  const auto rows = job.content->make_rows(job.dtype);
  output::tensor_header tensor{
      .name = job.name, .dtype = {}, .shape = shape_of_numbers(job.about()), .bytes = 0};
  for (const char letter : text_of(job.dtype).name)
    tensor.dtype += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  tensor.bytes = static_cast<std::uint64_t>(rows->rows()) * rows->row_bytes();
  output::safetensors_output output(path, tensor, record_of(job, session));
  write_rows(job, *rows, output, session);
  output.commit();
}

output::row_labels labels_of(const table_job& job) {
  const table_description& about = job.about();
  output::row_labels labels{.index = names_of(job.content->row_at(0)),
                            .columns = {},
                            .entries = about.array,
                            .is_scalar = about.shape.size() == 1,
                            .has_bits = about.elements == table_elements::real,
                            .is_quoted = job.digits > 0};
  for (std::int64_t i = 0; i < about.columns; ++i)
    labels.columns.push_back(labels.is_scalar ? labels.entries : job.content->column_name(i));
  return labels;
}

/// Where the text of rows comes from: bytes of a format, or the high-precision reference.
class row_writer {
 public:
  row_writer(const table_job& job, const output::text_format& format, number_style style)
      : job_(job), format_(format), style_(style) {
    if (job.digits == 0) rows_ = job.content->make_rows(job.dtype);
  }

  std::string text(row_run run) const {
    std::vector<std::byte> bytes;
    if (rows_) {
      bytes.resize(static_cast<std::size_t>(run.count) * rows_->row_bytes());
      rows_->fill(run.first, run.count, bytes.data());
    }
    std::string text;
    for (std::int64_t i = 0; i < run.count; ++i) {
      const std::int64_t at = run.first + i;
      output::text_row row =
          rows_ ? row_of_bytes(job_.dtype, bytes.data() + static_cast<std::size_t>(i) * rows_->row_bytes(),
                               rows_->columns(), style_)
                : row_of_digits(job_.content->row_of_digits(at, job_.digits), style_);
      row.index = values_of(job_.content->row_at(at));
      text += format_.row(row, at);
    }
    return text;
  }

 private:
  const table_job& job_;
  const output::text_format& format_;
  number_style style_;
  std::unique_ptr<table_rows> rows_;
};

template <floating_format Float>
bool has_infinity(const std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(bits_of<Float>)) {
    bits_of<Float> bits{};
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    if (is_infinite<Float>(bits)) return true;
  }
  return false;
}

/// Whether an entry has no literal of its own in C.
bool is_infinite_somewhere(const table_job& job, const table_rows& rows) {
  bool found = false;
  each_run(job, rows, true, [&](const std::vector<std::byte>& bytes) {
    found |= job.dtype == table_dtype::f64 ? has_infinity<double>(bytes) : has_infinity<float>(bytes);
  });
  return found;
}

output::source_element element_of(table_dtype dtype) {
  switch (dtype) {
    case table_dtype::f64: return output::source_element::f64;
    case table_dtype::f32: return output::source_element::f32;
    case table_dtype::f16:
    case table_dtype::bf16: return output::source_element::narrow;
    case table_dtype::i32: return output::source_element::i32;
    case table_dtype::u32: break;
  }
  return output::source_element::u32;
}

std::unique_ptr<output::text_format> make_source(const table_job& job, const input::json& record) {
  const table_description& about = job.about();
  const bool is_of_vectors =
      about.elements == table_elements::complex || about.elements == table_elements::turns;
  output::source_array array{.name = job.name,
                             .element = element_of(job.dtype),
                             .shape = shape_of_numbers(about),
                             .columns = about.columns,
                             .is_of_vectors = is_of_vectors,
                             .is_infinite_somewhere = false,
                             .remarks = {}};
  for (const char* key : {"axes", "dtype", "stored_as", "units", "convention", "rounding"})
    if (record.contains(key))
      array.remarks.push_back(std::string(key) + ": " + record[key].get<std::string>());
  const bool is_floating = job.dtype == table_dtype::f64 || job.dtype == table_dtype::f32;
  if (job.format == file_format::c && is_floating)
    array.is_infinite_somewhere = is_infinite_somewhere(job, *job.content->make_rows(job.dtype));
  auto language = job.format == file_format::c ? output::c_language(array) : output::glsl_language(array);
  return std::make_unique<output::source_format>(std::move(array), std::move(language));
}

number_style style_of(file_format format) {
  switch (format) {
    case file_format::json: return number_style::json;
    case file_format::c: return number_style::c;
    case file_format::glsl: return number_style::glsl;
    default: return number_style::csv;
  }
}

std::unique_ptr<output::text_format> make_text(const table_job& job, const input::json& record) {
  if (is_source(job.format)) return make_source(job, record);
  if (job.format == file_format::json) return std::make_unique<output::json_format>(labels_of(job));
  return std::make_unique<output::csv_format>(labels_of(job));
}

void write_text(const table_job& job, const std::string& path, const session& session) {
  const table_description& about = job.about();
  const input::json record = record_of(job, session);
  const auto format = make_text(job, record);
  const row_writer source(job, *format, style_of(job.format));
  output::output_file output(path);
  output.write(format->begin(one_line(record)));
  std::vector<std::string> made(static_cast<std::size_t>(job.threads));
  output::progress_bar progress("table", static_cast<std::uint64_t>(about.rows), session.quiet);
  // A thousand digits are a thousand times the work of a format's entry.
  const std::int64_t run_rows = job.digits > 0 ? 1 : about.rows_a_piece;
  in_order(
      about.rows, run_rows, job.threads, progress,
      [&](row_run run, int slot) { made[static_cast<std::size_t>(slot)] = source.text(run); },
      [&](row_run, int slot) { output.write(made[static_cast<std::size_t>(slot)]); });
  output.write(format->end());
  output.commit();
}

}  // namespace

void write_table(const table_job& job, const std::string& path, const session& session) {
  switch (job.format) {
    case file_format::npy: return write_npy(job, path, session);
    case file_format::npz: return write_npz(job, path, session);
    case file_format::safetensors: return write_safetensors(job, path, session);
    default: return write_text(job, path, session);
  }
}

}  // namespace ropewalk::command
