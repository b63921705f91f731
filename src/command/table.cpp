// ropewalk table: writes a reference table, or compares a given array with it.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "array/comparison.hpp"
#include "array/table_promises.hpp"
#include "command/command.hpp"
#include "command/make_table.hpp"
#include "command/parser.hpp"
#include "command/recorded_command.hpp"
#include "command/table_options.hpp"
#include "export/table_files.hpp"
#include "export/table_job.hpp"
#include "export/table_name.hpp"
#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "input/unknown_name.hpp"
#include "model/image_types.hpp"
#include "model/own_encoding.hpp"
#include "report/comparison.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::command {
namespace {

/// The kinds of `table KIND,KIND`: of one encoding, each once.
std::vector<tables::table_kind> kinds_from(const std::string& names) {
  std::vector<tables::table_kind> kinds;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    const tables::table_kind kind = kind_from("kind", names.substr(at, end - at));
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
      throw bad_input("kind", names, "each kind once");
    kinds.push_back(kind);
    at = end + 1;
  }
  const std::string_view encoding = text_of(kinds.front()).encoding;
  std::string alike;
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (text.encoding == encoding) alike += (alike.empty() ? "" : ", ") + std::string(text.name);
  for (const tables::table_kind kind : kinds)
    if (text_of(kind).encoding != encoding)
      throw bad_input("kind", names, "kinds of one encoding in a file, as " + alike);
  return kinds;
}

bool is_of_integers(const tables::table_description& about) {
  return about.elements == tables::table_elements::turns || about.elements == tables::table_elements::whole;
}

tables::table_dtype dtype_from(const std::string& name, const tables::table_description& about) {
  if (is_of_integers(about)) {
    const bool is_turns = about.elements == tables::table_elements::turns;
    if (!name.empty())
      throw bad_input("dtype", name,
                      "none for " + about.name + ": they are " +
                          (is_turns ? "words of 32 bits" : "whole numbers of 32 bits"));
    return is_turns ? tables::table_dtype::u32 : tables::table_dtype::i32;
  }
  if (about.stored) {
    const std::string held(text_of(about.stored->dtype).name);
    if (!name.empty() && name != held)
      throw bad_input("dtype", name, held + ", as " + printable(about.stored->place) + " holds");
    return about.stored->dtype;
  }
  if (name.empty()) return tables::table_dtype::f32;
  for (const tables::table_dtype_text& text : tables::table_dtypes)
    if (text.name == name && tables::has_dtype(about.elements, text.dtype)) return text.dtype;
  if (about.elements == tables::table_elements::complex)
    throw bad_input(
        "dtype", name,
        tables::dtype_names(about.elements) + " for layout complex: complex numbers have no 16-bit formats");
  throw bad_input("dtype", name, tables::dtype_names(about.elements));
}

/// ".npy, .npz, ... or .glsl".
std::string suffixes() {
  std::vector<std::string_view> all;
  for_each_type(tables::file_formats{},
                [&]<class File>() { all.insert(all.end(), File::suffixes.begin(), File::suffixes.end()); });
  std::string text;
  for (const std::string_view one : all)
    text += (text.empty() ? "" : one == all.back() ? " or " : ", ") + std::string(one);
  return text;
}

/// The format that --format names, else the one that the suffix of --output implies.
tables::file_format format_from(const std::string& name, const std::string& output) {
  if (name.empty()) {
    if (const auto format = tables::format_of_suffix(std::filesystem::path(output).extension().string()))
      return *format;
    throw bad_input("output", output, "a name that ends in " + suffixes() + ", or any with --format");
  }
  if (const auto format = tables::format_named(name)) return *format;
  throw bad_input("format", name, tables::format_names());
}

/// Refuses options that exclude each other, and a missing --output, before any work.
void refuse_conflicts(const table_options& options, tables::file_format format) {
  if (!options.compare.empty()) {
    if (!options.output.empty())
      throw bad_input("output", options.output, "only without --compare: nothing is written");
    if (!options.format.empty()) throw bad_input("format", options.format, "only without --compare");
    if (!options.digits.empty()) throw bad_input("digits", options.digits, "only without --compare");
    if (!options.name.empty()) throw bad_input("name", options.name, "only without --compare");
    return;
  }
  if (!options.promise.empty()) throw bad_input("promise", options.promise, "only with --compare");
  if (options.as_json) throw bad_input("json", "given", "only with --compare; a table takes --format json");
  if (options.output.empty()) throw bad_input("output", "missing", "a path, or - for standard output");
  if (options.digits.empty()) return;
  if (!tables::has_digits(format))
    throw bad_input("format", std::string(name_of(format)),
                    tables::format_names([]<class File>() { return File::has_digits; }) + " with --digits");
  if (!options.dtype.empty()) throw bad_input("dtype", options.dtype, "only without --digits");
}

promise promise_from(const std::string& text) {
  if (text.empty()) return promise::canonical;
  if (const auto named = promise_named(text)) return *named;
  throw bad_input("promise", text, promise_names() + ", or parts as angle=f32,table=data");
}

exit_code compare_files(tables::table_kind kind, int threads, const table_options& options,
                        session& session) {
  std::vector<input::array_location> places;
  for (const std::string& text : options.compare)
    for (input::array_location& place : input::array_locations("compare", text))
      places.push_back(std::move(place));
  const tables::table_kind kinds[] = {kind};
  const auto content = std::move(make_tables(options, kinds, session).front());
  const auto& stored = content->about().stored;
  if (!options.promise.empty() && !array::has_promises(*content))
    throw bad_input("promise", options.promise,
                    "none for " + content->about().name + ": correct rounding alone");
  const promise asked = array::promise_of_entries(*content, promise_from(options.promise), options.promise);
  std::vector<report::compared_array> all;
  for (const input::array_location& place : places) {
    input::array_file file("compare", place);
    const tables::table_dtype dtype = array::dtype_of_file(file, content->about().elements, options.dtype);
    if (stored && stored->dtype != dtype)
      file.refuse("dtype " + std::string(text_of(dtype).name),
                  std::string(text_of(stored->dtype).name) + ", as " + printable(stored->place) + " holds");
    all.push_back({place.text(), array::compare({dtype, threads, session.quiet, asked}, *content, file)});
  }
  report::print(all, *content, options.as_json);
  const bool holds =
      std::all_of(all.begin(), all.end(), [&](const auto& one) { return one.compared.keeps(asked); });
  return holds ? exit_code::holds : exit_code::fails;
}

int digits_from(const std::string& text, const std::vector<tables::table_kind>& kinds) {
  constexpr int most_digits = 1000;
  if (text.empty()) return 0;
  if (kinds.front() == tables::table_kind::t5_buckets)
    throw bad_input("digits", text, "none for t5-buckets: they are whole numbers");
  if (kinds.front() == tables::table_kind::learned)
    throw bad_input("digits", text, "none for learned: its weights are copied as they are");
  return static_cast<int>(input::whole_number("digits", text, 1, most_digits));
}

/// A part of a model that has tables of its own in a file: one kind of layers, one axis, or all of it.
struct part_of_file {
  table_options options;
  std::string label;   // of its arrays, "sliding_attention" or "axis_0"; empty where it is the only part
  std::string layers;  // numbers of the layers that have it, in runs
};

/// The word of --axis that stands for each axis.
constexpr const char* every_axis_word = "all";
bool asks_every_axis(const table_options& options) { return typed(options, "--axis") == every_axis_word; }

/// Refuses several kinds, layers or axes where one array is compared.
void refuse_several(const table_options& options, const std::vector<tables::table_kind>& kinds) {
  if (options.compare.empty()) return;
  if (kinds.size() > 1) throw bad_input("kind", options.kind, "one kind with --compare");
  if (asks_every_layer(options.which))
    throw bad_input("layer", options.which.layer, "one layer, or one kind of layers, with --compare");
  if (asks_every_axis(options)) throw bad_input("axis", every_axis_word, "one axis with --compare");
}

/// The parts that the options ask for; a line on layers that stand still is appended to session.understood.
std::vector<part_of_file> parts_of(const table_options& options, session& session) {
  std::vector<part_of_file> r;
  if (asks_every_axis(options)) {
    if (asks_every_layer(options.which))
      throw bad_input("axis", every_axis_word, "one axis with --layer all");
    const model::model of = chosen_model(options.which);
    for (int axis = 0; axis < of.axes.count; ++axis) {
      if (of.axes.count > 1 && pairs_of_axis(axis, of.axes, of.encoding) == 0) continue;
      r.push_back({options, "axis_" + std::to_string(axis), {}});
      r.back().options.own["--axis"] = std::to_string(axis);
    }
    return r;
  }
  if (!asks_every_layer(options.which)) return {{options, {}, {}}};
  if (options.which.configs.size() + options.which.models.size() != 1)
    chosen_model(options.which);  // throws, and says how many there are
  const choices_of_layers layers = every_layer(options.which);
  session.understood += layers.still;
  for (const choice_of_layers& one : layers.choices) {
    r.push_back({options, one.which.layer, one.layers});
    r.back().options.which = one.which;
  }
  if (r.size() == 1) r.front().label.clear();
  return r;
}

/// What an array of a file is of: one kind of table, of one part.
struct array_asked_for {
  std::size_t part = 0;
  tables::table_kind kind{};
  std::string name;
};

/// The arrays in the order of the file. One of several is named after the chosen name, its part and the kind
/// of its table, with dots between them, in source code underscores.
std::vector<array_asked_for> arrays_asked_for(const table_options& options,
                                              const std::vector<part_of_file>& parts,
                                              const std::vector<tables::table_kind>& kinds,
                                              const tables::file_format& format) {
  const bool is_alone = parts.size() * kinds.size() == 1;
  if (!is_alone && !tables::holds_several(format))
    throw bad_input("format", std::string(name_of(format)), tables::format_names([]<class File>() {
                                                              return File::holds_several;
                                                            }) + " for several tables in one file");
  const std::string between = tables::is_source(format) ? "_" : ".";
  std::vector<array_asked_for> r;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const tables::table_kind kind : kinds) {
      std::string array(text_of(kind).array);
      const bool is_by_part = parts.size() > 1;
      std::string begin = options.name;
      if (is_by_part && begin.empty() && tables::is_source(format)) begin = "ropewalk";
      if (!begin.empty()) begin += between;
      if (is_by_part) array = parts[i].label + between + array;
      // A configuration may call a kind of layers anything: a chosen name is looked at, a default is not.
      const bool is_chosen = is_by_part || !options.name.empty();
      const std::string chosen = is_alone ? options.name : is_chosen ? begin + array : "";
      r.push_back({i, kind, tables::array_name(chosen, array, format)});
    }
  return r;
}

/// Prints the kinds of tables that the chosen model has.
exit_code list_kinds(const table_options& options) {
  const auto& configs = options.which.configs;
  const bool is_one_config = configs.size() == 1 && options.which.models.empty();
  if (const auto own = is_one_config ? model::read_own_encoding(configs.front()) : std::nullopt) {
    for (const std::string_view kind : own->kinds) std::cout << kind << "\n";
    return exit_code::holds;
  }
  which_options any_map = options.which;
  any_map.map.reset();
  const model::model of = chosen_model(any_map);
  if (of.map != model::position_map::rotation) {
    std::cout << text_of(of.map).kind << "\n";
    return exit_code::holds;
  }
  for (const tables::table_kind_text& text : tables::table_kinds)
    if ((tables::is_of_rope(text.kind) &&
         (keeps_frequencies(of.axes) || has_positions(tables::array_layout{.kind = text.kind}))) ||
        (text.kind == tables::table_kind::axes && !is_text(of.axes)) ||
        (text.kind == tables::table_kind::positions && of.grid != nullptr) ||
        (text.kind == tables::table_kind::query_scale && of.queries))
      std::cout << text.name << "\n";
  return exit_code::holds;
}

exit_code run_table(const table_options& options, session& session) {
  if (options.kind.empty() && options.output.empty() && options.compare.empty() &&
      !(options.which.configs.empty() && options.which.models.empty()))
    return list_kinds(options);
  const std::vector<tables::table_kind> kinds = kinds_from(options.kind);
  const tables::file_format format = format_from(options.format, options.output);
  refuse_conflicts(options, format);
  refuse_several(options, kinds);
  const int threads = input::thread_count(options.threads);
  if (!options.compare.empty()) return compare_files(kinds.front(), threads, options, session);
  refuse_foreign_options(options, kinds);
  const std::vector<part_of_file> parts = parts_of(options, session);
  const std::vector<array_asked_for> asked = arrays_asked_for(options, parts, kinds, format);
  const int digits = digits_from(options.digits, kinds);
  std::vector<made_table> made;
  for (const part_of_file& part : parts)
    for (made_table& table : make_tables(part.options, kinds, session)) made.push_back(std::move(table));
  std::vector<tables::table_job> jobs;
  for (std::size_t i = 0; i < made.size(); ++i) {
    // Beside others, a table of integers leaves --dtype to them.
    const std::string dtype = kinds.size() == 1 || !is_of_integers(made[i]->about()) ? options.dtype : "";
    const tables::table_dtype chosen = dtype_from(dtype, made[i]->about());
    jobs.push_back({.content = std::move(made[i]),
                    .dtype = chosen,
                    .format = format,
                    .name = asked[i].name,
                    .layers = parts[asked[i].part].layers,
                    .axis = typed(parts[asked[i].part].options, "--axis"),
                    .digits = digits,
                    .threads = threads,
                    .command_line = recorded_command("table", session.arguments),
                    .is_quiet = session.quiet,
                    .reports_decisions = session.verbose});
  }
  tables::write_tables(jobs, options.output);
  return exit_code::holds;
}

/// "npy (with a sidecar FILE.json), npz, ...".
std::string formats_with_notes() {
  std::string text;
  for_each_type(tables::file_formats{}, [&]<class File>() {
    text += (text.empty() ? "" : ", ") + std::string(File::name);
    if (!File::note.empty()) text += " (" + std::string(File::note) + ")";
  });
  return text;
}

}  // namespace

void add_table(parser& program, session& session) {
  subcommand command = program.add("table", "write a reference table, or compare an array with it");
  const auto options = std::make_shared<table_options>();
  command.option("kind", options->kind, "KIND",
                 listed_names(tables::table_kinds) + "; several of one encoding with commas, for " +
                     tables::format_names([]<class File>() { return File::holds_several; }) +
                     "; without it, a model's kinds are listed");
  add_which_options(command, options->which, how_many::one, named_axes::taken);
  add_positions_option(command, options->where);
  add_real_positions_option(command, options->where);
  command.heading("What is written", "--dtype bf16 --format c --output cos.h");
  command.option(
      "--dtype", options->dtype, "DTYPE",
      dtype_names() +
          " (default: f32, learned: that of the weights); turns are 32-bit words, t5-buckets whole numbers");
  command.option("--format", options->format, "FORMAT",
                 formats_with_notes() + " (default: what the suffix of --output says, else npy)");
  command.option("--output", options->output, "FILE", "where to write; - is standard output");
  command.option("--name", options->name, "NAME",
                 tables::format_names([]<class File>() { return File::is_named; }) +
                     ": what the array is called (default: after the kind, cos or ropewalk_cos); NAME.cos "
                     "among several");
  command.option("--digits", options->digits, "N",
                 tables::format_names([]<class File>() { return File::has_digits; }) +
                     ": N correctly rounded decimal digits instead of a dtype, up to 1000");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has); the bytes do not depend on it");
  command.heading("To judge an array instead", "--compare theirs.npy");
  command.option(
      "--compare", options->compare, "FILE[#NAME]",
      "write nothing; say how far each array is (.npy, or one of an .npz, a safetensors or a GGUF file, "
      "* for any letters of a NAME); exit 1 when one differs");
  command.option("--promise", options->promise, "NAME|PARTS",
                 "with --compare: what the array is judged by, as in `verify` (default: correct rounding)");
  command.flag("--json", options->as_json, "the comparison as JSON");
  add_own_options(command, *options);
  command.values("kind", input::names_in(tables::table_kinds));
  command.parts("kind", input::names_in(tables::table_kinds));
  command.values("--dtype", dtype_name_list());
  command.values("--format", [](const auto&) {
    std::vector<std::string> names;
    for_each_type(tables::file_formats{}, [&]<class File>() { names.emplace_back(File::name); });
    return names;
  });
  command.footer(
      "Examples:\n"
      "  ropewalk table inv-freq --config config.json --dtype bf16 --output inv_freq.npy\n"
      "  ropewalk table cos --model qwen3-0.6b --positions 0:4096 --format csv --output -\n"
      "  ropewalk table sin --base 10000 --head-dim 64 --positions 3 --digits 50 --format json --output -\n"
      "  ropewalk table cos --model llama-3.1-8b --positions 4096 --compare theirs.npy\n"
      "  ropewalk table inv-freq --model llama-3.1-8b --compare model.safetensors#'*.inv_freq' --promise hf\n"
      "  ropewalk table cos-sin --layout vllm --model llama-3.1-8b --dtype bf16 --output cos_sin_cache.npy\n"
      "  ropewalk table ggml-factors --model llama-3.1-8b --output rope_freqs.npy\n"
      "  ropewalk table inv-freq --model llama-3.1-8b --name llama_inv_freq --output inv_freq.h\n"
      "  ropewalk table turns --model llama-3.1-8b --output turns.glsl\n"
      "  ropewalk table ggml-factors --model llama-3.1-8b --format safetensors --name rope_freqs.weight "
      "--output rope_freqs.safetensors\n"
      "  ropewalk table ggml-factors --model llama-3.1-8b --name rope_freqs.weight --output rope_freqs.gguf\n"
      "  ropewalk table inv-freq,cos,sin --model llama-3.1-8b --positions 4096 --output rope.npz\n"
      "  ropewalk table inv-freq --model gemma-3-4b --layer all --output inv_freq.safetensors\n"
      "  ropewalk table sin --model qwen3-0.6b --positions-f64 fractions.npy --dtype f64 --output sin.npy\n"
      "  ropewalk table sinusoidal --d-model 512 --shift 1 --layout sin-cos --output pe.npy\n"
      "  ropewalk table sinusoidal --d-model 256 --layout cos-sin --scale 1000 --positions-f64 times.npy "
      "--output "
      "t.npy\n"
      "  ropewalk table alibi-slopes --heads 12 --output slopes.h\n"
      "  ropewalk table t5-buckets --config t5-small/config.json --output buckets.npy\n"
      "  ropewalk table alibi-bias --heads 8 --keys 128 --form symmetric --dtype bf16 --output bias.npy\n"
      "  ropewalk table t5-buckets --buckets 32 --max-distance 128 --causal --output buckets.npy\n"
      "  ropewalk table binary --width 8 --bit-order msb --format csv --output -\n"
      "  ropewalk table xpos --rotary-dim 64 --side key --layout complex --output keys.npy\n"
      "  ropewalk table axes --model qwen2-vl-7b --layout vllm --positions grid.npy --output cos_sin.npy\n"
      "  ropewalk table cos-sin --model z-image --axis all --layout complex --output freqs_cis.safetensors\n"
      "  ropewalk table positions --model wan-2.1-14b --grid 21x30x52 --output thw.npy\n"
      "  ropewalk table mixed --frequencies mochi.safetensors#pos_frequencies --layout complex --positions "
      "thw.npy "
      "--output freqs_cis.npy\n"
      "  ropewalk table learned --weights model.safetensors#wpe.weight --positions 128 --output wpe.npy");
  command.run([options, &session] { return run_table(*options, session); });
}

}  // namespace ropewalk::command
