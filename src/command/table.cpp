// ropewalk table: writes a reference table, or holds somebody's array against it.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/compare.hpp"
#include "command/table_files.hpp"
#include "command/table_job.hpp"
#include "command/table_name.hpp"
#include "command/table_rows.hpp"
#include "command/which.hpp"
#include "model/bad_input.hpp"
#include "reader/npy.hpp"

namespace ropewalk::command {
namespace {

struct table_options {
  std::string kind;
  which_options which;
  std::string layout;
  std::string dtype;
  std::string format;
  std::string output;
  std::string name;
  std::string digits;
  std::string compare;
  std::string threads;
  bool as_json = false;
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

/// Positions where there are none.
void refuse_real_positions(const table_options& options, table_kind kind) {
  if (!options.which.real_positions.empty() && !has_positions(kind))
    throw bad_input("positions-f64", options.which.real_positions,
                    "none for " + std::string(text_of(kind).name) + ": its entries have no position");
}

/// What was named, or what the output's suffix stands for.
file_format format_from(const std::string& name, const std::string& output) {
  if (name.empty()) return format_of_suffix(std::filesystem::path(output).extension().string());
  for (const file_format_text& text : file_formats)
    if (text.name == name) return text.format;
  throw bad_input("format", name, names_of(file_formats));
}

/// Options that exclude each other, refused before any work.
void refuse_conflicts(const table_options& options, file_format format) {
  if (!options.compare.empty()) {
    if (!options.output.empty())
      throw bad_input("output", options.output, "none with --compare: nothing is written");
    if (!options.digits.empty()) throw bad_input("digits", options.digits, "none with --compare");
    if (!options.name.empty()) throw bad_input("name", options.name, "none with --compare");
    return;
  }
  if (options.as_json) throw bad_input("json", "given", "only with --compare; a table takes --format json");
  if (options.output.empty()) throw bad_input("output", "missing", "a path, or - for standard output");
  if (options.digits.empty()) return;
  if (!has_digits(format)) throw bad_input("format", options.format, "json, csv with --digits");
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
  job.format = format_from(options.format, options.output);
  refuse_conflicts(options, job.format);
  if (options.compare.empty()) job.name = array_name(options.name, job.form.kind, job.format);
  refuse_real_positions(options, job.form.kind);
  job.threads = thread_count(options.threads);
  if (!options.digits.empty())
    job.digits = static_cast<int>(whole_number("digits", options.digits, 1, most_digits));
  if (!options.compare.empty()) return compare_file(job, options, session);
  job.dtype = dtype_from(options.dtype, job.form);
  choose(job, options, session);
  write_table(job, options.output, session);
  return exit_code::holds;
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
  add("--format", options->format, "FORMAT",
      "npy (with a sidecar FILE.json), npz, safetensors, json, csv, c (a header for C11 and C++17), glsl (an "
      "include) (default: what the suffix of --output says, else npy)");
  add("--output", options->output, "FILE", "where to write; - is standard output");
  add("--name", options->name, "NAME",
      "npz, safetensors, c, glsl: what the array is called (default: after the kind, cos or ropewalk_cos)");
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
      "  ropewalk table inv-freq --model llama-3.1-8b --name llama_inv_freq --output inv_freq.h\n"
      "  ropewalk table turns --model llama-3.1-8b --output turns.glsl\n"
      "  ropewalk table ggml-factors --model llama-3.1-8b --format safetensors --name rope_freqs.weight "
      "--output rope_freqs.safetensors\n"
      "  ropewalk table sin --model qwen3-0.6b --positions-f64 fractions.npy --dtype f64 --output sin.npy");
  command->callback(
      [options, &session] { session.run = [options, &session] { return run_table(*options, session); }; });
}

}  // namespace ropewalk::command
