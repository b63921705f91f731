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
  table_kind kind{};
  table_dtype dtype = table_dtype::f32;
  int digits = 0;  // 0: entries of dtype
  int threads = 1;
  model::model model;
  position_list positions;
};

table_kind kind_from(const std::string& name) {
  std::string allowed;
  for (const table_kind_text& text : table_kinds) {
    if (text.name == name) return text.kind;
    allowed += (allowed.empty() ? "" : ", ") + std::string(text.name);
  }
  throw bad_input("kind", name.empty() ? "missing" : name, allowed);
}

table_dtype dtype_from(const std::string& name, table_kind kind) {
  if (kind == table_kind::turns) {
    if (!name.empty()) throw bad_input("dtype", name, "none for turns: they are words of 32 bits");
    return table_dtype::u32;
  }
  if (name.empty()) return table_dtype::f32;
  for (const table_dtype_text& text : table_dtypes)
    if (text.name == name && text.dtype != table_dtype::u32) return text.dtype;
  throw bad_input("dtype", name, "f64, f32, f16, bf16");
}

std::string rounding_text(const table_job& job) {
  if (job.digits > 0) return std::to_string(job.digits) + " significant decimal digits, correctly rounded";
  if (job.kind == table_kind::turns) return "to nearest from the exact value";
  return "to nearest, ties to even, once from the exact value";
}

std::string dtype_text(const table_job& job) {
  if (job.digits > 0) return "decimal";
  if (job.dtype == table_dtype::bf16) return "bf16";
  return std::string(text_of(job.dtype).name);
}

model::json record_of(const table_job& job, const session& session) {
  const table_kind_text& kind = text_of(job.kind);
  model::json record = origin_record(session);
  record["array"] = kind.array;
  record["shape"] = shape_of(job.kind, job.model.encoding, job.positions);
  record["axes"] = kind.shape;
  record["dtype"] = dtype_text(job);
  record["units"] = kind.units;
  record["convention"] = kind.convention;
  record["rounding"] = rounding_text(job);
  if (has_positions(job.kind)) record["positions"] = job.positions.text();
  record["model"] = model_record(job.model);
  if (job.digits > 0 && job.kind == table_kind::turns) {
    record["shape"] = {pair_count(job.model.encoding)};
    record["axes"] = "[rotary_dim/2]";
    record["convention"] = "entry [pair] is the number of turns per position";
  }
  return record;
}

exit_code write_npy(const table_job& job, const std::string& path, const session& session) {
  const auto rows = make_table_rows(job.kind, job.dtype, job.model.encoding, job.positions);
  const table_dtype_text& dtype = text_of(job.dtype);
  model::json record = record_of(job, session);
  if (job.dtype == table_dtype::bf16) record["stored_as"] = "uint16, the bits of the bfloat16";
  writer::npy_output output(path, {dtype.array, shape_of(job.kind, job.model.encoding, job.positions)});
  std::vector<std::vector<std::byte>> made(static_cast<std::size_t>(job.threads));
  writer::progress_bar progress("table", static_cast<std::uint64_t>(rows->rows()), session.quiet);
  in_order(
      rows->rows(), rows_a_run(rows->columns()), job.threads, progress,
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

writer::row_labels labels_of(const table_job& job, std::int64_t columns) {
  writer::row_labels labels{
      .index = has_positions(job.kind) ? "position" : "pair",
      .columns = {},
      .entries = std::string(text_of(job.kind).array),
      .is_scalar = job.kind == table_kind::inv_freq || (columns == 1 && !has_positions(job.kind)),
      .is_quoted = job.digits > 0};
  for (std::int64_t i = 0; i < columns; ++i) {
    const std::string name = has_positions(job.kind) ? "pair_" : "word_";
    labels.columns.push_back(labels.is_scalar ? labels.entries : name + std::to_string(i));
  }
  return labels;
}

/// Where the text of rows comes from: bytes of a format, or the high-precision reference.
class row_writer {
 public:
  row_writer(const table_job& job, const writer::text_format& format, infinities infinite)
      : job_(job), format_(format), infinite_(infinite) {
    if (job.digits == 0) rows_ = make_table_rows(job.kind, job.dtype, job.model.encoding, job.positions);
  }

  std::string text(row_run run) const {
    std::vector<std::byte> bytes;
    if (rows_) {
      bytes.resize(static_cast<std::size_t>(run.count) * rows_->row_bytes());
      rows_->fill(run.first, run.count, bytes.data());
    }
    std::string text;
    for (std::int64_t i = 0; i < run.count; ++i) {
      const std::int64_t index = has_positions(job_.kind) ? job_.positions.at(run.first + i) : run.first + i;
      writer::text_row row =
          rows_ ? row_of_bytes(job_.dtype, bytes.data() + static_cast<std::size_t>(i) * rows_->row_bytes(),
                               rows_->columns(), infinite_)
                : row_of_digits(job_.kind, job_.model.encoding, index, job_.digits);
      row.index = index;
      text += format_.row(row, run.first + i == 0);
    }
    return text;
  }

 private:
  const table_job& job_;
  const writer::text_format& format_;
  infinities infinite_;
  std::unique_ptr<table_rows> rows_;
};

exit_code write_text(const table_job& job, bool is_json, const std::string& path, const session& session) {
  const std::int64_t pairs = pair_count(job.model.encoding);
  const std::int64_t rows = has_positions(job.kind) ? job.positions.size() : pairs;
  const std::int64_t words = job.kind == table_kind::turns && job.digits == 0 ? 4 : 1;
  const std::int64_t columns = has_positions(job.kind) ? pairs : words;
  std::unique_ptr<writer::text_format> format;
  if (is_json)
    format = std::make_unique<writer::json_format>(labels_of(job, columns));
  else
    format = std::make_unique<writer::csv_format>(labels_of(job, columns));
  const row_writer source(job, *format, is_json ? infinities::as_null : infinities::as_inf);
  writer::output_file output(path);
  output.write(format->begin(one_line(record_of(job, session))));
  std::vector<std::string> made(static_cast<std::size_t>(job.threads));
  writer::progress_bar progress("table", static_cast<std::uint64_t>(rows), session.quiet);
  // A thousand digits are a thousand times the work of a format's entry.
  const std::int64_t run_rows = job.digits > 0 ? 1 : rows_a_run(columns);
  in_order(
      rows, run_rows, job.threads, progress,
      [&](row_run run, int slot) { made[static_cast<std::size_t>(slot)] = source.text(run); },
      [&](row_run, int slot) { output.write(made[static_cast<std::size_t>(slot)]); });
  output.write(format->end());
  output.commit();
  return exit_code::holds;
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
  job.model = chosen_model(options.which, session);
  job.positions = chosen_positions(options.which, job.model);
}

exit_code compare_file(table_job& job, const table_options& options, session& session) {
  reader::npy_file file("compare", options.compare);
  job.dtype = dtype_of_file(file, job.kind, options.dtype);
  choose(job, options, session);
  const auto rows = make_table_rows(job.kind, job.dtype, job.model.encoding, job.positions);
  return compare({job.kind, job.dtype, job.threads, options.as_json, session.quiet}, file, *rows,
                 job.model.encoding, job.positions);
}

exit_code run_table(const table_options& options, session& session) {
  constexpr int most_digits = 1000;
  table_job job;
  job.kind = kind_from(options.kind);
  refuse_conflicts(options);
  job.threads = thread_count(options.threads);
  if (!options.digits.empty())
    job.digits = static_cast<int>(whole_number("digits", options.digits, 1, most_digits));
  if (!options.compare.empty()) return compare_file(job, options, session);
  job.dtype = dtype_from(options.dtype, job.kind);
  choose(job, options, session);
  if (options.format == "npy") return write_npy(job, options.output, session);
  return write_text(job, options.format == "json", options.output, session);
}

}  // namespace

void add_table(CLI::App& app, session& session) {
  auto* command = app.add_subcommand("table", "write a reference table, or compare an array with it");
  const auto options = std::make_shared<table_options>();
  command->add_option("kind", options->kind, "inv-freq, turns, cos, sin")->type_name("KIND");
  add_which_options(*command, options->which, how_many::one);
  const auto add = [&](const char* name, std::string& place, const char* value, const char* text) {
    command->add_option(name, place, text)->type_name(value)->group("Table");
  };
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
      "  ropewalk table cos --model llama-3.1-8b --positions 4096 --compare theirs.npy");
  command->callback(
      [options, &session] { session.run = [options, &session] { return run_table(*options, session); }; });
}

}  // namespace ropewalk::command
