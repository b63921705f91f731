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
#include "command/option/option_table.hpp"
#include "command/parser.hpp"
#include "command/recorded_command.hpp"
#include "command/table_options.hpp"
#include "command/verify_kernels.hpp"
#include "export/table_files.hpp"
#include "export/table_job.hpp"
#include "export/table_name.hpp"
#include "input/array_file.hpp"
#include "input/bad_input.hpp"
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
  for (const std::string_view suffix : all)
    text += (text.empty() ? "" : suffix == all.back() ? " or " : ", ") + std::string(suffix);
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
  throw refusal("--format", name);
}

/// Refuses options that exclude each other, and a missing --output, before any work.
void refuse_conflicts(const table_options& options, tables::file_format format) {
  if (!options.compare.empty()) {
    for (const std::string_view option : {"--output", "--format", "--digits", "--name"})
      if (const std::string text = typed(options, option); !text.empty())
        throw bad_input(field_name(option), text, "only without --compare, which writes nothing");
    return;
  }
  if (!options.promise.empty()) throw bad_input("promise", options.promise, "only with --compare");
  if (options.as_json)
    throw bad_input("json", flag_is_given, "only with --compare; a table takes --format json");
  if (options.output.empty()) throw refusal("--output", "missing", "table");
  if (options.digits.empty()) return;
  if (!tables::has_digits(format))
    throw bad_input("format", std::string(name_of(format)),
                    tables::format_names([]<class File>() { return File::has_digits; }) + " with --digits");
  if (!options.dtype.empty()) throw bad_input("dtype", options.dtype, "only without --digits");
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
  const promise judged_by = array::promise_of_entries(
      *content, chosen_promise(options.promise).value_or(promise::canonical), options.promise);
  std::vector<report::compared_array> arrays;
  for (const input::array_location& place : places) {
    input::array_file file("compare", place);
    const tables::table_dtype dtype = array::dtype_of_file(file, content->about().elements, options.dtype);
    if (stored && stored->dtype != dtype)
      file.refuse("dtype " + std::string(text_of(dtype).name),
                  std::string(text_of(stored->dtype).name) + ", as " + printable(stored->place) + " holds");
    arrays.push_back(
        {place.text(), array::compare({dtype, threads, session.quiet, judged_by}, *content, file)});
  }
  report::print(arrays, *content, options.as_json);
  const bool holds = std::all_of(arrays.begin(), arrays.end(), [&](const report::compared_array& array) {
    return array.compared.keeps(judged_by);
  });
  return holds ? exit_code::holds : exit_code::fails;
}

int digits_from(const std::string& text, const std::vector<tables::table_kind>& kinds) {
  if (text.empty()) return 0;
  if (kinds.front() == tables::table_kind::t5_buckets)
    throw bad_input("digits", text, "none for t5-buckets: they are whole numbers");
  if (kinds.front() == tables::table_kind::learned)
    throw bad_input("digits", text, "none for learned: its weights are copied as they are");
  return static_cast<int>(whole_number_of("--digits", text));
}

/// A part of a model that has tables of its own in a file: one kind of layers, one axis, or all of it.
struct part_of_file {
  table_options options;
  std::string label;   // of its arrays, "sliding_attention" or "axis_0"; empty where it is the only part
  std::string layers;  // numbers of the layers that have it, in runs
};

bool asks_every_axis(const table_options& options) { return typed(options, "--axis") == every_one; }

/// Refuses several kinds, layers or axes where one array is compared.
void refuse_several(const table_options& options, const std::vector<tables::table_kind>& kinds) {
  if (options.compare.empty()) return;
  if (kinds.size() > 1) throw bad_input("kind", options.kind, "one kind with --compare");
  if (asks_every_layer(options.which))
    throw bad_input("layer", options.which.layer, "one layer, or one kind of layers, with --compare");
  if (asks_every_axis(options)) throw bad_input("axis", every_one, "one axis with --compare");
}

/// The parts that the options ask for; a line on layers that stand still is appended to session.understood.
std::vector<part_of_file> parts_of(const table_options& options, session& session) {
  std::vector<part_of_file> parts;
  if (asks_every_axis(options)) {
    if (asks_every_layer(options.which)) throw bad_input("axis", every_one, "one axis with --layer all");
    const model::model model = chosen_model(options.which);
    for (int axis = 0; axis < model.axes.count; ++axis) {
      if (model.axes.count > 1 && pairs_of_axis(axis, model.axes, model.encoding) == 0) continue;
      parts.push_back({options, "axis_" + std::to_string(axis), {}});
      parts.back().options.own["--axis"] = std::to_string(axis);
    }
    return parts;
  }
  if (!asks_every_layer(options.which)) return {{options, {}, {}}};
  if (options.which.configs.size() + options.which.models.size() != 1)
    chosen_model(options.which);  // throws, and says how many there are
  const choices_of_layers layers = every_layer(options.which);
  session.understood += layers.still;
  for (const choice_of_layers& choice : layers.choices) {
    parts.push_back({options, choice.which.layer, choice.layers});
    parts.back().options.which = choice.which;
  }
  if (parts.size() == 1) parts.front().label.clear();
  return parts;
}

/// An array of a file: one kind of table, of one part.
struct named_array {
  std::size_t part = 0;
  tables::table_kind kind{};
  std::string name;
};

/// The arrays in the order of the file. One of several is named after the chosen name, its part and the kind
/// of its table, with dots between them, in source code underscores.
std::vector<named_array> arrays_of(const table_options& options, const std::vector<part_of_file>& parts,
                                   const std::vector<tables::table_kind>& kinds,
                                   const tables::file_format& format) {
  const bool is_alone = parts.size() * kinds.size() == 1;
  if (!is_alone && !tables::holds_several(format))
    throw bad_input("format", std::string(name_of(format)), tables::format_names([]<class File>() {
                                                              return File::holds_several;
                                                            }) + " for several tables in one file");
  const std::string between = tables::is_source(format) ? "_" : ".";
  std::vector<named_array> arrays;
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
      arrays.push_back({i, kind, tables::array_name(chosen, array, format)});
    }
  return arrays;
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
  const model::model model = chosen_model(any_map);
  if (model.map != model::position_map::rotation) {
    std::cout << text_of(model.map).kind << "\n";
    return exit_code::holds;
  }
  for (const tables::table_kind_text& text : tables::table_kinds)
    if ((tables::is_of_rope(text.kind) &&
         (keeps_frequencies(model.axes) || has_positions(tables::array_layout{.kind = text.kind}))) ||
        (text.kind == tables::table_kind::axes && !is_text(model.axes)) ||
        (text.kind == tables::table_kind::positions && model.grid != nullptr) ||
        (text.kind == tables::table_kind::query_scale && model.queries))
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
  const int threads = thread_count(options.threads);
  if (!options.compare.empty()) return compare_files(kinds.front(), threads, options, session);
  refuse_foreign_options(options, kinds);
  const std::vector<part_of_file> parts = parts_of(options, session);
  const std::vector<named_array> arrays = arrays_of(options, parts, kinds, format);
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
                    .name = arrays[i].name,
                    .layers = parts[arrays[i].part].layers,
                    .axis = typed(parts[arrays[i].part].options, "--axis"),
                    .digits = digits,
                    .threads = threads,
                    .command_line = recorded_command("table", session.arguments),
                    .is_quiet = session.quiet,
                    .reports_decisions = session.verbose});
  }
  tables::write_tables(jobs, options.output);
  return exit_code::holds;
}

}  // namespace

void add_table(parser& program, session& session) {
  subcommand command = program.add("table");
  const auto options = std::make_shared<table_options>();
  take_all(command, *options);
  command.run([options, &session] { return run_table(*options, session); });
}

}  // namespace ropewalk::command
