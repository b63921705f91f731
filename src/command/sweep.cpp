// ropewalk sweep: checks every entry of a box of tables, formats and positions against exact values.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/interruption.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "report/sweep.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/results.hpp"
#include "sweep/sweep.hpp"

namespace ropewalk::command {
namespace {

struct sweep_options {
  which_options which;
  position_options where;
  std::vector<std::string> dtypes;
  std::string table;
  std::string output;
  std::string shard;
  std::vector<std::string> merge;
  std::string budget;
  std::string threads;
  bool enclosures = false;
  bool resume = false;
  bool json = false;
};

// Entries (pairs x positions) of a unit: about a second of work.
constexpr std::int64_t table_entries_at_once = std::int64_t{1} << 30;

std::vector<ropewalk_dtype> dtypes_from(const std::vector<std::string>& names) {
  if (names.empty()) return {ROPEWALK_F32};
  for (const std::string& name : names)
    if (!dtype_named(name)) throw bad_input("dtype", name, dtype_names());
  std::vector<ropewalk_dtype> r;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (std::find(names.begin(), names.end(), name_of(dtype)) != names.end()) r.push_back(dtype);
  return r;
}

/// The models that the options name, else every table of the catalogue, each at the length of its model's
/// context.
std::vector<model::model> models_from(const sweep_options& options) {
  std::vector<model::model> models = chosen_models(options.which);
  if (models.empty()) {
    for (const std::string& name : model::catalogue_names()) {
      models.push_back(model::catalogue_model(name));
      if (!models.back().layer_type.empty())
        models.push_back(model::catalogue_model(name, {.layer_type = "sliding_attention"}));
    }
  }
  for (model::model& one : models) {
    const std::int64_t context =
        one.max_position_embeddings > 0 ? one.max_position_embeddings : input::default_positions;
    one = at_seq_len(one, options.which.seq_len, {context, "the model's context"});
  }
  return models;
}

position_range positions_of(const sweep_options& options, const model::model& of) {
  const input::position_list chosen = chosen_positions(options.where, of.max_position_embeddings);
  if (chosen.is_listed) throw bad_input("positions", options.where.positions, "N or A:B");
  return chosen.range;
}

sweep::shard shard_from(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const std::string after = slash == std::string::npos ? "" : text.substr(slash + 1);
  const std::int64_t number = input::number_from<std::int64_t>(text.substr(0, slash)).value_or(0);
  const std::int64_t of = input::number_from<std::int64_t>(after).value_or(0);
  if (number < 1 || number > of) throw bad_input("shard", text, "K/N, the K-th of N shards, from 1/N to N/N");
  return {number, of};
}

double budget_from(const std::string& text) {
  if (text.empty()) return 0;
  const auto seconds = input::number_from<double>(text);
  if (!seconds || !(*seconds > 0) || *seconds > 1e9) throw bad_input("budget", text, "seconds above 0");
  return *seconds;
}

sweep::box box_from(const sweep_options& options, session& session) {
  if (!options.table.empty() && options.table != "cos-sin")
    throw bad_input("table", options.table, "cos-sin: the cosines and sines behind every kind of table");
  const std::vector<model::model> models = models_from(options);
  if (models.size() == 1) tell(models.front(), session);
  return {options.enclosures ? "enclosures" : "table", "",
          sweep::tables_of(models, [&](const model::model& of) { return positions_of(options, of); }),
          dtypes_from(options.dtypes), table_entries_at_once};
}

std::string words_of(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Prints the sum of what a directory has, and merges it once it is whole.
exit_code show(const sweep::box& of, const sweep::results& found, const std::string& directory,
               const sweep_options& options, const session& session) {
  if (found.done() == found.units()) found.write(directory);
  if (options.json)
    std::cout << found.sum().dump(1) << "\n";
  else
    std::cout << report::sweep_as_text(of, found, session.verbose);
  std::cout.flush();
  for (std::size_t table = 0; table < of.tables.size(); ++table)
    for (const sweep::format_tally& one : found.of_table(table))
      if (one.wrong != 0 || one.undecided != 0) return exit_code::fails;
  return exit_code::holds;
}

void refuse_with(const std::string& mode, const sweep_options& options) {
  const auto refuse = [&](const char* name, const std::string& value) {
    if (!value.empty()) throw bad_input(name, value, "only without --" + mode);
  };
  const named_option which = first_named(options.which);
  refuse(which.name.c_str(), which.value);
  refuse("positions", options.where.positions);
  refuse("shard", options.shard);
  refuse("budget", options.budget);
  refuse("table", options.table);
  if (!options.dtypes.empty()) refuse("dtype", options.dtypes.front());
}

exit_code merge(const sweep_options& options, const session& session) {
  refuse_with("merge", options);
  const sweep::box of = sweep::box_of("merge", options.merge.front());
  for (const std::string& one : options.merge)
    if (to_json(sweep::box_of("merge", one)) != to_json(of))
      throw bad_input("merge", one,
                      "directories of the same box, as " + printable(options.merge.front(), 60));
  sweep::open_directory(options.output, of);
  std::vector<std::string> all = options.merge;
  if (std::find(all.begin(), all.end(), options.output) == all.end()) all.push_back(options.output);
  const sweep::results found(all, of);
  found.write(options.output);
  const exit_code code = show(of, found, options.output, options, session);
  if (code != exit_code::holds || found.done() == found.units()) return code;
  throw missing_requirement(
      fmt::format("{} of {} units are in none of these directories; allowed: more "
                  "directories, or the same sweep with --output {}",
                  found.units() - found.done(), found.units(), options.output));
}

exit_code run_sweep(const sweep_options& options, session& session) {
  if (options.output.empty()) throw bad_input("output", "missing", "a directory for the results");
  if (!options.merge.empty()) return merge(options, session);
  const std::unique_ptr<sweep::ranks> among = sweep::ranks_of_this_run();
  if (among->count() > 1 && !options.shard.empty())
    throw bad_input("shard", options.shard, "only without an MPI launcher, which hands out the units itself");
  sweep::run_plan plan{.directory = options.output, .part = shard_from(options.shard)};
  plan.budget = std::chrono::duration<double>(budget_from(options.budget));
  plan.threads = among->count() > 1 && options.threads.empty() ? 1 : input::thread_count(options.threads);
  plan.is_quiet = session.quiet;
  const sweep::box of = box_from(options, session);
  if (among->rank() == 0) announce(session);
  session.understood.clear();
  const std::unique_ptr<sweep::subject_maker> own = sweep::own_tables();
  interruption until_done;
  const sweep::run_end end = run(of, options.enclosures ? nullptr : own.get(), plan, *among, was_interrupted);
  until_done.restore();
  exit_code code = exit_code::holds;
  if (end.is_first_rank) {
    code = show(of, sweep::results({options.output}, of), options.output, options, session);
    if (end.left != 0) {
      std::cerr << fmt::format("ropewalk: {} units are left{}; the same command goes on\n", end.left,
                               end.seconds_left > 0 ? ", about " + words_of(end.seconds_left) : "");
      if (code == exit_code::holds) code = exit_code::missing;
    }
  }
  if (was_interrupted) std::raise(SIGINT);
  return code;
}

}  // namespace

void add_sweep(parser& program, session& session) {
  subcommand command = program.add("sweep", "check every entry of a box, on one machine or many");
  const auto options = std::make_shared<sweep_options>();
  add_which_options(command, options->which, how_many::any);
  add_positions_option(command, options->where);
  command.heading("Sweep");
  command.option("--dtype", options->dtypes, "DTYPE",
                 "formats of the entries (default f32): " + dtype_names());
  command.option("--table", options->table, "KIND", "cos-sin: the program's own tables (the default)");
  command.flag("--enclosures", options->enclosures,
               "of the program's own tables: ask their proved rounding test alone, without a second "
               "computation of every entry; four times as fast");
  command.option("--output", options->output, "DIR", "the directory of the results");
  command.option("--shard", options->shard, "K/N", "do the K-th of N parts, for any scheduler");
  command.flag("--resume", options->resume, "go on where DIR has results of the same box (the default)");
  command.option("--merge", options->merge, "DIR...",
                 "do nothing; merge the results of directories in --output");
  command.option("--budget", options->budget, "SECONDS",
                 "begin no unit after this time; exit code 3 if some are left");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has, or 1 a rank of an MPI launcher)");
  command.flag("--json", options->json, "the sum as JSON");
  command.values("--dtype", dtype_name_list());
  command.values("--table", std::vector<std::string>{"cos-sin"});
  command.footer(
      "Without a model, every table of the catalogue. A run that was stopped or killed goes on by the same "
      "command.\n"
      "Examples:\n"
      "  ropewalk sweep --model llama-3.1-8b --positions 0:2147483648 --output results\n"
      "  ropewalk sweep --model llama-3.1-8b --shard 3/8 --output results-3\n"
      "  ropewalk sweep --merge results-1 results-2 --output results\n"
      "  mpirun -n 64 ropewalk sweep --dtype f32 f16 bf16 --output results");
  command.run([options, &session] { return run_sweep(*options, session); });
}

}  // namespace ropewalk::command
