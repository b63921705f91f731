// ropewalk table: writes a reference table, or holds somebody's array against it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/compare.hpp"
#include "command/parser.hpp"
#include "command/table_contents.hpp"
#include "command/table_files.hpp"
#include "command/table_job.hpp"
#include "command/table_name.hpp"
#include "command/table_options.hpp"
#include "input/bad_input.hpp"
#include "input/npy.hpp"
#include "input/number.hpp"

namespace ropewalk::command {
namespace {

table_kind kind_from(const std::string& name) {
  for (const table_kind_text& text : table_kinds)
    if (text.name == name) return text.kind;
  throw bad_input("kind", name.empty() ? "missing" : name, listed_names(table_kinds));
}

table_dtype dtype_from(const std::string& name, const table_description& about) {
  if (about.elements == table_elements::turns || about.elements == table_elements::whole) {
    const bool is_turns = about.elements == table_elements::turns;
    if (!name.empty())
      throw bad_input("dtype", name,
                      "none for " + about.name + ": they are " +
                          (is_turns ? "words of 32 bits" : "whole numbers of 32 bits"));
    return is_turns ? table_dtype::u32 : table_dtype::i32;
  }
  if (name.empty()) return table_dtype::f32;
  for (const table_dtype_text& text : table_dtypes)
    if (text.name == name && has_dtype(about.elements, text.dtype)) return text.dtype;
  if (about.elements == table_elements::complex)
    throw bad_input("dtype", name, "f32, f64 for layout complex: complex numbers have no 16-bit formats");
  throw bad_input("dtype", name, "f64, f32, f16, bf16");
}

/// What was named, or what the output's suffix stands for.
file_format format_from(const std::string& name, const std::string& output) {
  if (name.empty()) {
    if (const auto format = format_of_suffix(std::filesystem::path(output).extension().string()))
      return *format;
    throw bad_input("output", output,
                    "a name that ends in .npy, .npz, .safetensors, .json, .csv, .h, .hh, .hpp or "
                    ".glsl, or any with --format");
  }
  for (const file_format_text& text : file_formats)
    if (text.name == name) return text.format;
  throw bad_input("format", name, listed_names(file_formats));
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
  if (!has_digits(format)) throw bad_input("format", name_of(format), "json, csv with --digits");
  if (!options.dtype.empty()) throw bad_input("dtype", options.dtype, "none with --digits");
}

exit_code compare_file(table_kind kind, int threads, const table_options& options, session& session) {
  input::npy_file file("compare", options.compare);
  const auto content = make_table(options, kind, session);
  const table_dtype dtype = dtype_of_file(file, content->about().elements, options.dtype);
  return compare({dtype, threads, options.as_json, session.quiet}, *content, file);
}

int digits_from(const std::string& text, table_kind kind) {
  constexpr int most_digits = 1000;
  if (text.empty()) return 0;
  if (kind == table_kind::t5_buckets)
    throw bad_input("digits", text, "none for t5-buckets: they are whole numbers");
  return static_cast<int>(input::whole_number("digits", text, 1, most_digits));
}

exit_code run_table(const table_options& options, session& session) {
  const table_kind kind = kind_from(options.kind);
  table_job job;
  job.format = format_from(options.format, options.output);
  refuse_conflicts(options, job.format);
  if (options.compare.empty())
    job.name = array_name(options.name, std::string(text_of(kind).array), job.format);
  job.threads = input::thread_count(options.threads);
  if (!options.compare.empty()) return compare_file(kind, job.threads, options, session);
  job.digits = digits_from(options.digits, kind);
  job.content = make_table(options, kind, session);
  job.dtype = dtype_from(options.dtype, job.about());
  write_table(job, options.output, session);
  return exit_code::holds;
}

}  // namespace

void add_table(parser& program, session& session) {
  subcommand command = program.add("table", "write a reference table, or compare an array with it");
  const auto options = std::make_shared<table_options>();
  command.option("kind", options->kind, "KIND", listed_names(table_kinds));
  add_which_options(command, options->which, how_many::one);
  add_positions_option(command, options->where);
  add_real_positions_option(command, options->where);
  command.heading("Table");
  command.option("--dtype", options->dtype, "DTYPE",
                 "f64, f32, f16, bf16 (default: f32); turns are 32-bit words, t5-buckets whole numbers");
  command.option(
      "--format", options->format, "FORMAT",
      "npy (with a sidecar FILE.json), npz, safetensors, json, csv, c (a header for C11 and C++17), glsl (an "
      "include) (default: what the suffix of --output says, else npy)");
  command.option("--output", options->output, "FILE", "where to write; - is standard output");
  command.option(
      "--name", options->name, "NAME",
      "npz, safetensors, c, glsl: what the array is called (default: after the kind, cos or ropewalk_cos)");
  command.option("--digits", options->digits, "N",
                 "json, csv: N correctly rounded decimal digits instead of a dtype, up to 1000");
  command.option("--compare", options->compare, "FILE.npy",
                 "write nothing; say how far this array is; exit 1 when it differs");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has); the bytes do not depend on it");
  add_own_options(command, *options);
  command.heading("Table");
  command.flag("--json", options->as_json, "the comparison as JSON");
  command.footer(
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
      "  ropewalk table sin --model qwen3-0.6b --positions-f64 fractions.npy --dtype f64 --output sin.npy\n"
      "  ropewalk table sinusoidal --d-model 512 --exponent tensor2tensor --layout sin-cos --output pe.npy\n"
      "  ropewalk table alibi-slopes --heads 12 --output slopes.h\n"
      "  ropewalk table alibi-bias --heads 8 --keys 128 --form symmetric --dtype bf16 --output bias.npy\n"
      "  ropewalk table t5-buckets --buckets 32 --max-distance 128 --causal --output buckets.npy\n"
      "  ropewalk table binary --width 8 --bit-order msb --format csv --output -");
  command.run([options, &session] { return run_table(*options, session); });
}

}  // namespace ropewalk::command
