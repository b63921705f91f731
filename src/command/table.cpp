// ropewalk table: writes a reference table, or holds somebody's array against it.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command/chunks.hpp"
#include "command/command.hpp"
#include "command/compare.hpp"
#include "command/record.hpp"
#include "command/table_entries.hpp"
#include "command/table_form.hpp"
#include "command/table_kind.hpp"
#include "command/table_rows.hpp"
#include "command/which.hpp"
#include "model/bad_input.hpp"
#include "writer/csv.hpp"
#include "writer/json.hpp"
#include "writer/npy.hpp"

namespace ropewalk::command {
namespace {

struct table_options {
  std::string kind;
  which_options which;
  std::string layout;
  std::string dtype;
  std::string format = "npy";
  std::string output;
  std::string digits;
  std::string compare;
  std::string threads;
  bool as_json = false;
};

/// The table asked for, every option read.
struct table_job {
  table_form form;
  table_dtype dtype = table_dtype::f32;
  int digits = 0;  // 0: entries of dtype
  int threads = 1;
  model::model model;
  position_list positions;

  table_grid grid() const { return {form, model.encoding, positions}; }
  bool is_whole_in_digits() const { return digits > 0 && form.kind == table_kind::turns; }  // not in words
};

/// The names of `texts`, as a refusal lists them.
template <class Texts>
std::string names_of(const Texts& texts) {
  std::string names;
  for (const auto& text : texts) names += (names.empty() ? "" : ", ") + std::string(text.name);
  return names;
}

table_kind kind_from(const std::string& name) {
  for (const table_kind_text& text : table_kinds)
    if (text.name == name) return text.kind;
  throw bad_input("kind", name.empty() ? "missing" : name, names_of(table_kinds));
}

cos_sin_layout layout_from(const std::string& name, table_kind kind) {
  if (kind != table_kind::cos_sin) {
    if (!name.empty())
      throw bad_input("layout", name,
                      "none for " + std::string(text_of(kind).name) + ": cos-sin alone has layouts");
    return {};
  }
  for (const cos_sin_layout_text& text : cos_sin_layouts)
    if (text.name == name) return text.layout;
  throw bad_input("layout", name.empty() ? "missing" : name, names_of(cos_sin_layouts) + " for cos-sin");
}

table_dtype dtype_from(const std::string& name, const table_form& form) {
  if (form.kind == table_kind::turns) {
    if (!name.empty()) throw bad_input("dtype", name, "none for turns: they are words of 32 bits");
    return table_dtype::u32;
  }
  if (name.empty()) return table_dtype::f32;
  for (const table_dtype_text& text : table_dtypes)
    if (text.name == name && has_dtype(form, text.dtype)) return text.dtype;
  if (!has_dtype(form, table_dtype::f16))
    throw bad_input("dtype", name, "f32, f64 for layout complex: complex numbers have no 16-bit formats");
  throw bad_input("dtype", name, "f64, f32, f16, bf16");
}

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

model::json record_of(const table_job& job, const session& session) {
  const table_kind_text& kind = text_of(job.form.kind);
  model::json record = origin_record(session);
  record["array"] = kind.array;
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
  return record;
}

exit_code write_npy(const table_job& job, const std::string& path, const session& session) {
  const auto rows = make_table_rows(job.form, job.dtype, job.model.encoding, job.positions);
  const npy_dtype stored = array_dtype(job.form, job.dtype);
  model::json record = record_of(job, session);
  if (stored == npy_dtype::u16) record["stored_as"] = "uint16, the bits of the bfloat16";
  if (stored == npy_dtype::c64) record["stored_as"] = "complex64";
  if (stored == npy_dtype::c128) record["stored_as"] = "complex128";
  writer::npy_output output(path, {stored, job.grid().shape()});
  std::vector<std::vector<std::byte>> made(static_cast<std::size_t>(job.threads));
  writer::progress_bar progress("table", static_cast<std::uint64_t>(rows->rows()), session.quiet);
  in_order(
      rows->rows(), rows_a_piece(job.grid(), job.positions), job.threads, progress,
      [&](row_run run, int slot) {
        auto& bytes = made[static_cast<std::size_t>(slot)];
        bytes.resize(static_cast<std::size_t>(run.count) * rows->row_bytes());
        rows->fill(run.first, run.count, bytes.data());
      },
      [&](row_run, int slot) {
        const auto& bytes = made[static_cast<std::size_t>(slot)];
        output.write(bytes.data(), bytes.size());
      });
  output.commit(pretty(record));
  return exit_code::holds;
}

writer::row_labels labels_of(const table_job& job, const table_grid& grid, std::int64_t columns) {
  writer::row_labels labels{.index = coordinate_names(job.form),
                            .columns = {},
                            .entries = std::string(text_of(job.form.kind).array),
                            .is_scalar = columns == 1 && !has_positions(job.form.kind),
                            .is_quoted = job.digits > 0};
  for (std::int64_t i = 0; i < columns; ++i)
    labels.columns.push_back(labels.is_scalar ? labels.entries : grid.column_name(i));
  return labels;
}

/// Where the text of rows comes from: bytes of a format, or the high-precision reference.
class row_writer {
 public:
  row_writer(const table_job& job, const writer::text_format& format, infinities infinite)
      : job_(job), grid_(job.grid()), format_(format), infinite_(infinite) {
    if (job.digits == 0) rows_ = make_table_rows(job.form, job.dtype, job.model.encoding, job.positions);
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
      writer::text_row row =
          rows_ ? row_of_bytes(job_.dtype, bytes.data() + static_cast<std::size_t>(i) * rows_->row_bytes(),
                               rows_->columns(), infinite_)
                : row_of_digits(grid_, job_.model.encoding, job_.positions, at, job_.digits, infinite_);
      row.index = coordinates(grid_, job_.positions, at);
      text += format_.row(row, at == 0);
    }
    return text;
  }

 private:
  const table_job& job_;
  table_grid grid_;
  const writer::text_format& format_;
  infinities infinite_;
  std::unique_ptr<table_rows> rows_;
};

exit_code write_text(const table_job& job, bool is_json, const std::string& path, const session& session) {
  const table_grid grid = job.grid();
  const std::int64_t columns = job.is_whole_in_digits() ? 1 : grid.columns();
  std::unique_ptr<writer::text_format> format;
  if (is_json)
    format = std::make_unique<writer::json_format>(labels_of(job, grid, columns));
  else
    format = std::make_unique<writer::csv_format>(labels_of(job, grid, columns));
  const row_writer source(job, *format, is_json ? infinities::as_null : infinities::as_inf);
  writer::output_file output(path);
  output.write(format->begin(one_line(record_of(job, session))));
  std::vector<std::string> made(static_cast<std::size_t>(job.threads));
  writer::progress_bar progress("table", static_cast<std::uint64_t>(grid.rows()), session.quiet);
  // A thousand digits are a thousand times the work of a format's entry.
  const std::int64_t run_rows = job.digits > 0 ? 1 : rows_a_piece(grid, job.positions);
  in_order(
      grid.rows(), run_rows, job.threads, progress,
      [&](row_run run, int slot) { made[static_cast<std::size_t>(slot)] = source.text(run); },
      [&](row_run, int slot) { output.write(made[static_cast<std::size_t>(slot)]); });
  output.write(format->end());
  output.commit();
  return exit_code::holds;
}

/// Positions where there are none.
void refuse_real_positions(const table_options& options, table_kind kind) {
  if (!options.which.real_positions.empty() && !has_positions(kind))
    throw bad_input("positions-f64", options.which.real_positions,
                    "none for " + std::string(text_of(kind).name) + ": its entries have no position");
}

/// Options that exclude each other, refused before any work.
void refuse_conflicts(const table_options& options) {
  if (options.format != "npy" && options.format != "json" && options.format != "csv")
    throw bad_input("format", options.format, "npy, json, csv");
  if (!options.compare.empty()) {
    if (!options.output.empty())
      throw bad_input("output", options.output, "none with --compare: nothing is written");
    if (!options.digits.empty()) throw bad_input("digits", options.digits, "none with --compare");
    return;
  }
  if (options.as_json) throw bad_input("json", "given", "only with --compare; a table takes --format json");
  if (options.output.empty()) throw bad_input("output", "missing", "a path, or - for standard output");
  if (options.digits.empty()) return;
  if (options.format == "npy") throw bad_input("format", options.format, "json, csv with --digits");
  if (!options.dtype.empty()) throw bad_input("dtype", options.dtype, "none with --digits");
}

void choose(table_job& job, const table_options& options, session& session) {
  job.model = chosen_model(options.which);
  job.form.duplicated = job.model.doubled;
  job.positions = chosen_positions(options.which, job.model);
  settle_seq_len(options.which, job.model, job.positions, session);
}

exit_code compare_file(table_job& job, const table_options& options, session& session) {
  reader::npy_file file("compare", options.compare);
  job.dtype = dtype_of_file(file, job.form, options.dtype);
  choose(job, options, session);
  const auto rows = make_table_rows(job.form, job.dtype, job.model.encoding, job.positions);
  return compare({job.form, job.dtype, job.threads, options.as_json, session.quiet}, file, *rows,
                 job.model.encoding, job.positions);
}

exit_code run_table(const table_options& options, session& session) {
  constexpr int most_digits = 1000;
  table_job job;
  job.form.kind = kind_from(options.kind);
  job.form.layout = layout_from(options.layout, job.form.kind);
  refuse_conflicts(options);
  refuse_real_positions(options, job.form.kind);
  job.threads = thread_count(options.threads);
  if (!options.digits.empty())
    job.digits = static_cast<int>(whole_number("digits", options.digits, 1, most_digits));
  if (!options.compare.empty()) return compare_file(job, options, session);
  job.dtype = dtype_from(options.dtype, job.form);
  choose(job, options, session);
  if (options.format == "npy") return write_npy(job, options.output, session);
  return write_text(job, options.format == "json", options.output, session);
}

}  // namespace

void add_table(CLI::App& app, session& session) {
  auto* command = app.add_subcommand("table", "write a reference table, or compare an array with it");
  const auto options = std::make_shared<table_options>();
  command->add_option("kind", options->kind, names_of(table_kinds))->type_name("KIND");
  add_which_options(*command, options->which, how_many::one);
  add_real_positions_option(*command, options->which);
  const auto add = [&](const char* name, std::string& place, const char* value, const char* text) {
    command->add_option(name, place, text)->type_name(value)->group("Table");
  };
  add("--layout", options->layout, "LAYOUT",
      "cos-sin: vllm [positions, cos then sin], hf [2, positions, rotary_dim], complex [positions, pairs]");
  add("--dtype", options->dtype, "DTYPE", "f64, f32, f16, bf16 (default: f32); turns are 32-bit words");
  add("--format", options->format, "FORMAT", "npy (with a sidecar FILE.json), json, csv (default: npy)");
  add("--output", options->output, "FILE", "where to write; - is standard output");
  add("--digits", options->digits, "N",
      "json, csv: N correctly rounded decimal digits instead of a dtype, up to 1000");
  add("--compare", options->compare, "FILE.npy",
      "write nothing; say how far this array is; exit 1 when it differs");
  add("--threads", options->threads, "N",
      "worker threads (default: what the machine has); the bytes do not depend on it");
  command->add_flag("--json", options->as_json, "the comparison as JSON")->group("Table");
  command->footer(
      "Examples:\n"
      "  ropewalk table inv-freq --config config.json --dtype bf16 --output inv_freq.npy\n"
      "  ropewalk table cos --model qwen3-0.6b --positions 0:4096 --format csv --output -\n"
      "  ropewalk table sin --base 10000 --head-dim 64 --positions 3 --digits 50 --format json --output -\n"
      "  ropewalk table cos --model llama-3.1-8b --positions 4096 --compare theirs.npy\n"
      "  ropewalk table cos-sin --layout vllm --model llama-3.1-8b --dtype bf16 --output cos_sin_cache.npy\n"
      "  ropewalk table ggml-factors --model llama-3.1-8b --output rope_freqs.npy\n"
      "  ropewalk table sin --model qwen3-0.6b --positions-f64 fractions.npy --dtype f64 --output sin.npy");
  command->callback(
      [options, &session] { session.run = [options, &session] { return run_table(*options, session); }; });
}

}  // namespace ropewalk::command
