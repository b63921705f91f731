#include "export/table_files.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "export/csv.hpp"
#include "export/gguf.hpp"
#include "export/json.hpp"
#include "export/npy.hpp"
#include "export/npz.hpp"
#include "export/rows_in_order.hpp"
#include "export/safetensors.hpp"
#include "export/source_text.hpp"
#include "export/table_entries.hpp"
#include "input/bad_input.hpp"
#include "output/record.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::tables {
namespace {

using use_bytes = std::function<void(const std::vector<std::byte>&)>;

/// Makes the rows on several threads and passes their bytes to `use` in order.
void each_run(const table_job& job, const table_rows& rows, bool is_quiet, const use_bytes& use) {
  std::vector<std::vector<std::byte>> made(static_cast<std::size_t>(slots(job.threads)));
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), is_quiet);
  in_order(rows.rows(), job.about().rows_per_piece, job.threads, progress,
           {.make =
                [&](row_run run, int slot) {
                  auto& bytes = made[static_cast<std::size_t>(slot)];
                  bytes.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
                  rows.fill(run.first, run.count, bytes.data());
                },
            .use = [&](row_run, int slot) { use(made[static_cast<std::size_t>(slot)]); }});
}

template <class Output>
void write_rows(const table_job& job, const table_rows& rows, Output& output) {
  each_run(job, rows, job.is_quiet,
           [&](const std::vector<std::byte>& bytes) { output.write(bytes.data(), bytes.size()); });
  const decided_entries decided = rows.decided();
  if (job.reports_decisions && decided.total() != 0)
    std::cerr << fmt::format(
        "entries decided by a sum of angles: {}, by their own polynomial: {}, exactly: {}\n", decided.by_sum,
        decided.by_polynomial, decided.exactly);
}

using table_jobs = std::span<const table_job>;

std::uint64_t element_bytes(const table_job& job) {
  return static_cast<std::uint64_t>(job.about().rows) * static_cast<std::uint64_t>(job.about().columns) *
         visit_element(job.dtype, []<class Element>() { return sizeof(Element); });
}

/// The fewest bytes that the table's file can have: in a text, each number has a digit and a separator.
std::uint64_t least_bytes(const table_job& job) {
  if (is_binary(job.format)) return element_bytes(job);
  return 2 * static_cast<std::uint64_t>(job.about().rows) * static_cast<std::uint64_t>(job.about().columns);
}

/// Refuses tables that the output's file system has no space for.
void require_space_for(table_jobs jobs, const std::string& path) {
  std::uint64_t bytes = 0;
  for (const table_job& job : jobs) bytes += least_bytes(job);
  output::require_space(path, bytes);
}

npy_header array_header(const table_job& job) {
  return {array_dtype(job.about().elements, job.dtype), job.about().shape};
}

void write(const npy_file&, table_jobs jobs, const std::string& path) {
  const table_job& job = jobs.front();
  const auto rows = job.content->make_rows(job.dtype);
  npy_output output(path, array_header(job));
  require_space_for(jobs, path);
  write_rows(job, *rows, output);
  output.commit(output::pretty(record_of(job)));
}

void write(const npz_file&, table_jobs jobs, const std::string& path) {
  std::vector<named_array> arrays;
  for (const table_job& job : jobs) arrays.push_back({job.name, array_header(job)});
  npz_output output(path, arrays);
  require_space_for(jobs, path);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    output.begin_array(arrays[i]);
    write_rows(jobs[i], *jobs[i].content->make_rows(jobs[i].dtype), output);
  }
  output.commit(output::pretty(record_of(jobs)));
}

void write(const safetensors_file&, table_jobs jobs, const std::string& path) {
  std::vector<tensor_header> tensors;
  for (const table_job& job : jobs)
    tensors.push_back({.name = job.name,
                       .dtype = std::string(text_of(job.dtype).in_safetensors),
                       .shape = shape_of_numbers(job.about()),
                       .bytes = element_bytes(job)});
  safetensors_output output(path, tensors, record_of(jobs));
  require_space_for(jobs, path);
  for (const table_job& job : jobs) write_rows(job, *job.content->make_rows(job.dtype), output);
  output.commit();
}

void write(const gguf_file&, table_jobs jobs, const std::string& path) {
  std::vector<gguf_tensor> tensors;
  for (const table_job& job : jobs) {
    const table_dtype_text& dtype = text_of(job.dtype);
    if (dtype.in_gguf == gguf_lacks_it)
      throw bad_input(
          "format", std::string(gguf_file::name),
          "another format for " + job.about().name + ", whose " + std::string(dtype.name) + " gguf lacks");
    tensors.push_back({job.name, dtype.in_gguf, shape_of_numbers(job.about()), element_bytes(job)});
  }
  gguf_output output(path, tensors, record_of(jobs));
  require_space_for(jobs, path);
  for (const table_job& job : jobs) {
    write_rows(job, *job.content->make_rows(job.dtype), output);
    output.end_tensor();
  }
  output.commit();
}

row_labels labels_of(const table_job& job) {
  const table_description& about = job.about();
  row_labels labels{.index = names_of(job.content->row_at(0)),
                    .columns = {},
                    .entries = about.array,
                    .is_scalar = about.shape.size() == 1,
                    .has_bits = about.elements == table_elements::real,
                    .is_quoted = job.digits > 0};
  for (std::int64_t i = 0; i < about.columns; ++i)
    labels.columns.push_back(labels.is_scalar ? labels.entries : job.content->column_name(i));
  return labels;
}

/// Makes the text of rows from the bytes of a dtype, or from the digits of the high-precision reference.
class row_writer {
 public:
  row_writer(const table_job& job, const text_format& format, number_style style)
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
      text_row row =
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
  const text_format& format_;
  number_style style_;
  std::unique_ptr<table_rows> rows_;
};

/// Whether holds.operator()<Float>(bits) is true of any entry. Floating-point tables only.
template <class Holds>
bool is_true_of_any(const table_job& job, const Holds& holds) {
  const auto rows = job.content->make_rows(job.dtype);
  bool holds_once = false;
  each_run(job, *rows, true, [&](const std::vector<std::byte>& bytes) {
    in_format(job.dtype, [&]<class Float>() {
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(bits_of<Float>)) {
        bits_of<Float> bits{};
        std::memcpy(&bits, bytes.data() + at, sizeof bits);
        holds_once |= holds.template operator()<Float>(bits);
      }
    });
  });
  return holds_once;
}

/// Whether any entry is infinite, and so needs HUGE_VAL from <math.h> in C.
bool is_infinite_somewhere(const table_job& job) {
  return is_true_of_any(job, []<class Float>(bits_of<Float> bits) { return is_infinite<Float>(bits); });
}

/// Refuses weights that are not numbers where a format has no literal that keeps their bits.
template <class File>
void require_literals(const File&, const table_job& job) {
  if (!File::is_source || !job.about().stored) return;
  if (File::has_narrow_bits && !text_of(job.dtype).format_name.empty()) return;
  if (is_true_of_any(job, []<class Float>(bits_of<Float> bits) { return is_nan<Float>(bits); }))
    throw bad_input("format", std::string(File::name) + ", for weights with NaN",
                    format_names([]<class Other>() { return !Other::is_source; }));
}

/// Type of an element in source code; the 16-bit formats, which have none there, are `narrow`.
template <class Element>
constexpr source_element element_in_source = source_element::narrow;
template <>
constexpr source_element element_in_source<double> = source_element::f64;
template <>
constexpr source_element element_in_source<float> = source_element::f32;
template <>
constexpr source_element element_in_source<std::uint32_t> = source_element::u32;
template <>
constexpr source_element element_in_source<std::int32_t> = source_element::i32;

source_element element_of(table_dtype dtype) {
  return visit_element(dtype, []<class Element>() { return element_in_source<Element>; });
}

source_array source_array_of(const table_job& job, const input::json& record) {
  const table_description& about = job.about();
  const bool is_of_vectors =
      about.elements == table_elements::complex || about.elements == table_elements::turns;
  source_array array{.name = job.name,
                     .element = element_of(job.dtype),
                     .shape = shape_of_numbers(about),
                     .columns = about.columns,
                     .is_of_vectors = is_of_vectors,
                     .is_infinite_somewhere = false,
                     .remarks = {}};
  for (const char* key : {"axes", "dtype", "stored_as", "units", "convention", "rounding"})
    if (record.contains(key))
      array.remarks.push_back(std::string(key) + ": " + record[key].get<std::string>());
  return array;
}

std::unique_ptr<text_format> make_text(const json_file&, const table_job& job, const input::json&) {
  return std::make_unique<json_format>(labels_of(job));
}

std::unique_ptr<text_format> make_text(const csv_file&, const table_job& job, const input::json&) {
  return std::make_unique<csv_format>(labels_of(job));
}

std::unique_ptr<text_format> make_text(const c_file&, const table_job& job, const input::json& record) {
  source_array array = source_array_of(job, record);
  if (job.dtype == table_dtype::f64 || job.dtype == table_dtype::f32)
    array.is_infinite_somewhere = is_infinite_somewhere(job);
  auto language = c_language(array);
  return std::make_unique<source_format>(std::move(array), std::move(language));
}

std::unique_ptr<text_format> make_text(const glsl_file&, const table_job& job, const input::json& record) {
  source_array array = source_array_of(job, record);
  auto language = glsl_language(array);
  return std::make_unique<source_format>(std::move(array), std::move(language));
}

std::unique_ptr<text_format> make_text(const python_file&, const table_job& job, const input::json& record) {
  source_array array = source_array_of(job, record);
  auto language = python_language(array);
  return std::make_unique<source_format>(std::move(array), std::move(language));
}

std::unique_ptr<text_format> make_text(const rust_file&, const table_job& job, const input::json& record) {
  source_array array = source_array_of(job, record);
  auto language = rust_language(array);
  return std::make_unique<source_format>(std::move(array), std::move(language));
}

/// Writes one array of a text file; make_text gives the text around its rows.
template <class File>
void write_array(const File& file, const table_job& job, output::output_file& output) {
  const table_description& about = job.about();
  const input::json record = record_of(job);
  const auto format = make_text(file, job, record);
  const row_writer source(job, *format, File::style);
  output.write(format->begin(output::one_line(record)));
  std::vector<std::string> made(static_cast<std::size_t>(slots(job.threads)));
  output::progress_bar progress("table", static_cast<std::uint64_t>(about.rows), job.is_quiet);
  // Digits are far more work than an entry of a dtype: one row is enough for a thread.
  const std::int64_t run_rows = job.digits > 0 ? 1 : about.rows_per_piece;
  in_order(about.rows, run_rows, job.threads, progress,
           {.make = [&](row_run run, int slot) { made[static_cast<std::size_t>(slot)] = source.text(run); },
            .use = [&](row_run, int slot) { output.write(made[static_cast<std::size_t>(slot)]); }});
  output.write(format->end());
}

/// Writes a text file: one array behind the other, each with its own record.
template <class File>
void write(const File& file, table_jobs jobs, const std::string& path) {
  require_space_for(jobs, path);
  for (const table_job& job : jobs) require_literals(file, job);
  output::output_file output(path);
  for (const table_job& job : jobs) {
    if (&job != &jobs.front()) output.write("\n");
    write_array(file, job, output);
  }
  output.commit();
}

}  // namespace

void write_tables(std::span<const table_job> jobs, const std::string& path) {
  jobs.front().format.visit([&](const auto& file) { write(file, jobs, path); });
}

}  // namespace ropewalk::tables
