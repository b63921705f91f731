// ropewalk sweep: checks every entry of a range of work of tables, formats and positions against exact
// values.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "command/command.hpp"
#include "command/interruption.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/table_options.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "kernel/recipe/recipes.hpp"
#include "output/plain_text.hpp"
#include "output/terminal.hpp"
#include "report/recipe_errors.hpp"
#include "report/sweep.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/audit.hpp"
#include "sweep/certificate.hpp"
#include "sweep/file_subject.hpp"
#include "sweep/kernel_subject.hpp"
#include "sweep/recipe_subject.hpp"
#include "sweep/results.hpp"
#include "sweep/sweep.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

struct sweep_options {
  which_options which;
  position_options where;
  std::vector<std::string> dtypes;
  std::string table;
  std::string compare;
  std::string layout;
  std::string kernel;
  std::string recipe;
  std::string output;
  std::string shard;
  std::vector<std::string> merge;
  std::string budget;
  std::string threads;
  std::string certificates;
  bool audit = false;
  bool resume = false;
  bool json = false;
  bool markdown = false;
};

/// What is checked, and where its results go.
struct sweep_subject {
  std::string name;     // as the range of work says it
  std::string content;  // digest of files
  std::string directory;
  std::unique_ptr<sweep::subject_maker> maker;
  std::vector<ropewalk_dtype> dtypes;  // of a default
};

// Entries (pairs x positions) of a unit: about a second of work.
constexpr std::int64_t table_entries_at_once = std::int64_t{1} << 30;
constexpr std::int64_t foreign_entries_at_once = std::int64_t{1} << 26;

constexpr const char* every_recipe = "all";

std::vector<ropewalk_dtype> dtypes_from(const std::vector<std::string>& names,
                                        const std::vector<ropewalk_dtype>& otherwise) {
  if (names.empty()) return otherwise;
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
  if (models.empty()) models = sweep::catalogue_models();
  for (model::model& one : models) {
    if (one.coordinates != axis_coordinates{})
      throw bad_input("axes", "scale or offset",
                      "none here: they are of the indices that `table` and `apply` take");
    one = sweep::at_own_context(std::move(one), options.which.seq_len);
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

/// The file of --compare as --table KIND says. Its rows begin at the first position.
std::unique_ptr<sweep::given_table> file_from(const sweep_options& options, const model::model& of) {
  tables::array_layout layout = layout_named(kind_from("table", options.table), options.layout);
  layout = with_copies(std::move(layout), of.doubled, of.axes, of.encoding);
  std::int64_t first = 0;
  if (!options.where.positions.empty()) first = chosen_positions(options.where, 0).range.begin;
  return std::make_unique<sweep::given_table>(options.compare, layout, first);
}

/// Refuses options that name several things to check, or that belong to others.
void refuse_conflicts(const sweep_options& options) {
  const auto only = [](const std::string& value, const char* name, bool allowed, const char* where) {
    if (!value.empty() && !allowed) throw bad_input(name, value, where);
  };
  only(options.recipe, "recipe", options.kernel.empty(), "only without --kernel");
  only(options.table, "table", options.kernel.empty() && options.recipe.empty(),
       "only without --kernel and --recipe");
  only(options.compare, "compare", !options.table.empty(), "only with --table KIND");
  only(options.layout, "layout", !options.compare.empty(), "only with --compare FILE");
  if (options.compare.empty() && !options.table.empty() && options.table != "cos-sin")
    throw bad_input("table", options.table,
                    "cos-sin: the cosines and sines behind all of the program's own tables of positions; any "
                    "kind of cosines and sines with --compare FILE");
}

std::vector<sweep_subject> subjects_from(const sweep_options& options,
                                         const std::vector<model::model>& models) {
  refuse_conflicts(options);
  std::vector<sweep_subject> r;
  const std::vector<ropewalk_dtype> binary32{ROPEWALK_F32};
  if (!options.kernel.empty()) {
    auto outputs = sweep::kernel_outputs(options.kernel);
    r.push_back({"kernel " + options.kernel, sweep::content_of_kernel(options.kernel), options.output,
                 std::move(outputs), binary32});
  } else if (!options.recipe.empty()) {
    const bool has_all = options.recipe == every_recipe;
    for (const recipe::known_recipe& one : recipe::known_recipes())
      if (has_all || one.name == options.recipe) {
        const std::string name(one.name);
        r.push_back({"recipe " + name,
                     "",
                     has_all ? options.output + "/" + name : options.output,
                     sweep::recipe_entries(name),
                     {sweep::dtype_of_recipe(name)}});
      }
    if (r.empty()) sweep::recipe_entries(options.recipe);  // which refuses it
  } else if (!options.compare.empty()) {
    auto file = file_from(options, models.front());
    const std::string content = file->content();
    const ropewalk_dtype dtype = file->dtype();
    r.push_back({"table " + options.table + (options.layout.empty() ? "" : " " + options.layout),
                 content,
                 options.output,
                 std::move(file),
                 {dtype}});
  } else {
    r.push_back({"table", "", options.output, sweep::own_tables(), binary32});
  }
  return r;
}

sweep::work_range work_range_from(const sweep_options& options, const std::vector<model::model>& models,
                                  const sweep_subject& of) {
  const bool is_own = options.kernel.empty() && options.recipe.empty() && options.compare.empty();
  sweep::work_range range{
      of.name, of.content,
      sweep::tables_of(
          models,
          [&](const model::model& one) {
            const bool as_file = !options.compare.empty() && options.where.positions.empty();
            return as_file ? static_cast<const sweep::given_table&>(*of.maker).positions()
                           : positions_of(options, one);
          },
          [&](const model::model& one) {
            const bool is_table = options.kernel.empty() && options.recipe.empty();
            return is_table ? sweep::table_identity(model::placed(one)) : sweep::given_identity(one);
          }),
      dtypes_from(options.dtypes, of.dtypes), is_own ? table_entries_at_once : foreign_entries_at_once};
  if (!options.compare.empty() && range.tables.size() != 1)
    throw bad_input("compare", options.compare, "with one table, by --model, --config or --base");
  of.maker->require_serves(range);
  return range;
}

std::string words_of(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Whether every entry that was checked is right.
bool all_right(const sweep::work_range& of, const sweep::results& found) {
  for (std::size_t table = 0; table < of.tables.size(); ++table)
    for (const sweep::format_tally& one : found.of_table(table))
      if (one.wrong != 0 || one.undecided != 0) return false;
  return true;
}

/// Writes or completes the certificate of every table.
///
/// throws  bad_input naming certificates if the results are not of the program's own tables, or not whole and
///         right
void certify(const sweep::work_range& of, const sweep::results& found, const std::string& directory) {
  if (of.subject != "table") throw bad_input("certificates", directory, "only of the program's own tables");
  if (found.done() != found.units())
    throw bad_input("certificates", directory, "only once every unit is done");
  std::vector<std::vector<sweep::unit_result>> by_table(of.tables.size());
  const sweep::units_of_range units(of);
  for (std::int64_t unit = 0; unit < found.units(); ++unit)
    by_table[units.at(unit).table].push_back(found.read(unit));
  for (std::size_t i = 0; i < of.tables.size(); ++i) sweep::certify(of.tables[i], by_table[i], directory);
}

/// Audits results; prints every difference.
exit_code audit_results(const sweep::work_range& of, const sweep::results& found, const session& session) {
  constexpr int sampled_units = 4;
  std::vector<sweep::unit_result> units;
  for (std::int64_t unit = 0; unit < found.units(); ++unit)
    if (found.is_done(unit)) units.push_back(found.read(unit));
  const auto progress = [&](const std::string& what) {
    if (!session.quiet && output::is_terminal(output::stream::error)) std::cerr << what << "\n";
  };
  const sweep::audit_result r = sweep::audit(of, units, sampled_units, progress);
  for (const std::string& one : r.differences) std::cout << "differs: " << output::plain_line(one) << "\n";
  std::cout << fmt::format(
      "audit: {} hard cases and {} entries by MPFR, {} units by phases, {} differences\n", r.hard_cases,
      r.entries, r.units, r.differences.size());
  return r.differences.empty() ? exit_code::holds : exit_code::fails;
}

/// Prints the sum of what a directory has, and merges it once it is whole.
exit_code show(const sweep::work_range& of, const sweep::results& found, const std::string& directory,
               const sweep_options& options, const session& session) {
  if (found.done() == found.units()) found.write(directory);
  if (options.json)
    std::cout << found.sum().dump(1, ' ', true) << "\n";  // a terminal may follow control characters
  else if (!options.markdown)
    std::cout << report::sweep_as_text(of, found, session.verbose);
  if (!options.certificates.empty()) certify(of, found, options.certificates);
  std::cout.flush();
  return all_right(of, found) ? exit_code::holds : exit_code::fails;
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
  refuse("compare", options.compare);
  refuse("layout", options.layout);
  refuse("threads", options.threads);
  refuse("kernel", options.kernel);
  refuse("recipe", options.recipe);
  refuse("certificates", options.certificates);
  if (options.audit) refuse("audit", "given");
  if (!options.dtypes.empty()) refuse("dtype", options.dtypes.front());
}

/// Adds what a sweep of one subject found to a row for every model.
void add_errors(std::vector<report::model_errors>& to, const sweep::work_range& of,
                const sweep::results& found) {
  const std::string name = of.subject.substr(of.subject.find(' ') + 1);
  for (std::size_t table = 0; table < of.tables.size(); ++table)
    for (const std::string& model : of.tables[table].models) {
      const position_range positions = of.tables[table].positions;
      auto row = std::find_if(to.begin(), to.end(), [&](const report::model_errors& one) {
        return one.model == model && one.positions == positions;
      });
      if (row == to.end()) row = to.insert(to.end(), {model, positions, {}});
      for (const sweep::format_tally& one : found.of_table(table)) row->recipes.push_back({name, one});
    }
  const auto key = [](const report::model_errors& one) {
    return std::tuple(std::string_view(one.model), one.positions.begin, one.positions.end);
  };
  std::sort(to.begin(), to.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

exit_code merge(const sweep_options& options, const session& session) {
  refuse_with("merge", options);
  const sweep::work_range of = sweep::work_range_of("merge", options.merge.front());
  for (const std::string& one : options.merge)
    if (to_json(sweep::work_range_of("merge", one)) != to_json(of))
      throw bad_input("merge", one,
                      "directories of the same range of work, as " + printable(options.merge.front(), 60));
  sweep::open_directory(options.output, of);
  std::vector<std::string> all = options.merge;
  if (std::find(all.begin(), all.end(), options.output) == all.end()) all.push_back(options.output);
  const sweep::results found(all, of);
  found.write(options.output);
  const exit_code code = show(of, found, options.output, options, session);
  if (options.markdown) {
    std::vector<report::model_errors> errors;
    add_errors(errors, of, found);
    std::cout << report::recipe_errors_as_markdown(errors) << std::flush;
  }
  if (code != exit_code::holds || found.done() == found.units()) return code;
  throw missing_requirement(
      fmt::format("{} of {} units are in none of these directories; allowed: more "
                  "directories, or the same sweep with --output {}",
                  found.units() - found.done(), found.units(), options.output));
}

exit_code worse(exit_code a, exit_code b) {
  if (a == exit_code::fails || b == exit_code::fails) return exit_code::fails;
  return a == exit_code::holds ? b : a;
}

/// Runs one subject's range of work.
exit_code run_range(const sweep::work_range& of, const sweep_subject& subject, sweep::run_plan plan,
                    sweep::ranks& among, const sweep_options& options,
                    std::vector<report::model_errors>& errors, const session& session) {
  plan.directory = subject.directory;
  const sweep::run_end end = run(of, *subject.maker, plan, among, was_interrupted);
  if (!end.is_first_rank) return exit_code::holds;
  const sweep::results found({subject.directory}, of);
  exit_code code = show(of, found, subject.directory, options, session);
  if (options.markdown) add_errors(errors, of, found);
  if (options.audit) code = worse(code, audit_results(of, found, session));
  if (end.left == 0) return code;
  std::cerr << fmt::format("ropewalk: {} units are left{}; the same command goes on\n", end.left,
                           end.seconds_left > 0 ? ", about " + words_of(end.seconds_left) : "");
  return worse(code, exit_code::missing);
}

exit_code run_sweep(const sweep_options& options, session& session) {
  if (options.output.empty()) throw bad_input("output", "missing", "a directory for the results");
  if (options.markdown && options.json) throw bad_input("markdown", "given", "only without --json");
  if (!options.merge.empty()) return merge(options, session);
  // A scheduler that hands out shards may set a launcher's variables, too.
  const std::unique_ptr<sweep::ranks> among =
      options.shard.empty() ? sweep::ranks_of_this_run() : sweep::one_rank();
  sweep::run_plan plan;
  plan.part = shard_from(options.shard);
  plan.budget = std::chrono::duration<double>(budget_from(options.budget));
  plan.threads = among->count() > 1 && options.threads.empty() ? 1 : input::thread_count(options.threads);
  plan.is_quiet = session.quiet;
  const std::vector<model::model> models = models_from(options);
  const std::vector<sweep_subject> swept = subjects_from(options, models);
  std::vector<sweep::work_range> ranges;
  for (const sweep_subject& one : swept) ranges.push_back(work_range_from(options, models, one));
  if (models.size() == 1) report_reading(models.front(), session);
  if (among->rank() != 0) session.understood.clear();
  announce(session);
  interruption until_done;
  exit_code code = exit_code::holds;
  std::vector<report::model_errors> errors;
  for (std::size_t i = 0; i < ranges.size() && !was_interrupted; ++i)
    code = worse(code, run_range(ranges[i], swept[i], plan, *among, options, errors, session));
  if (options.markdown && among->rank() == 0)
    std::cout << report::recipe_errors_as_markdown(errors) << std::flush;
  until_done.restore();
  if (was_interrupted) std::raise(SIGINT);
  return code;
}

}  // namespace

void add_sweep(parser& program, session& session) {
  subcommand command = program.add("sweep", "check every entry of a range of work, on one machine or many");
  const auto options = std::make_shared<sweep_options>();
  add_which_options(command, options->which, how_many::any, named_axes::taken);
  add_positions_option(command, options->where);
  command.heading("Sweep");
  command.option("--dtype", options->dtypes, "DTYPE",
                 "formats of the entries (default f32): " + dtype_names());
  command.option(
      "--kernel", options->kernel, "NAME",
      "what a kernel turns unit vectors by: a rotation of `ropewalk verify --list`, library:PATH or "
      "program:COMMAND (with #NAME for one of several)");
  command.option(
      "--recipe", options->recipe, "NAME",
      "entries as an engine computes them: a recipe's name, or all, each in a directory of its own "
      "below DIR");
  command.option("--table", options->table, "KIND",
                 "cos-sin: the program's own tables (the default); with --compare, the kind of the file");
  command.option("--compare", options->compare, "FILE[#NAME]",
                 "a table in a file, whose rows begin at the first of --positions");
  command.option("--layout", options->layout, "NAME", "of that table, as for `ropewalk table`");
  command.option("--output", options->output, "DIR", "the directory of the results");
  command.option("--shard", options->shard, "K/N", "do the K-th of N parts, for any scheduler");
  command.flag("--resume", options->resume,
               "go on where DIR has results of the same range of work (the default)");
  command.option("--merge", options->merge, "DIR...",
                 "do nothing; merge the results of directories in --output");
  command.flag(
      "--audit", options->audit,
      "then hold the results to other arithmetic: every hard case by MPFR, some units with each entry "
      "from its own phase");
  command.option("--certificates", options->certificates, "DIR",
                 "then write a certificate of every table of the program's own into DIR, or complete it");
  command.option("--budget", options->budget, "SECONDS",
                 "begin no unit after this time; exit code 3 if some are left");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has, or 1 a rank of an MPI launcher)");
  command.flag("--json", options->json, "the sum as JSON");
  command.flag("--markdown", options->markdown,
               "for every model, how many entries are wrong and the largest error");
  command.values("--dtype", dtype_name_list());
  command.values("--table", std::vector<std::string>{"cos-sin", "cos", "sin"});
  command.values("--kernel", [](const auto&) { return verify::nameable_kernels_of(ROPEWALK_ROTATE); });
  command.values("--recipe", [](const auto&) {
    std::vector<std::string> names{every_recipe};
    for (const recipe::known_recipe& one : recipe::known_recipes()) names.emplace_back(one.name);
    return names;
  });
  command.footer(
      "Without a model, every table of the catalogue. A run that was stopped or killed goes on by the same "
      "command.\n"
      "Examples:\n"
      "  ropewalk sweep --model llama-3.1-8b --positions 0:2147483648 --output results\n"
      "  ropewalk sweep --model llama-3.1-8b --shard 3/8 --output results-3\n"
      "  ropewalk sweep --merge results-1 results-2 --output results\n"
      "  ropewalk sweep --recipe all --markdown --output recipes\n"
      "  mpirun -n 64 ropewalk sweep --dtype f32 f16 bf16 --output results");
  command.run([options, &session] {
    const auto fail = [](const std::exception& why) {
      std::cerr << "ropewalk: " << output::plain_line(why.what()) << "\n";
      return exit_code::fails;
    };
    try {
      return run_sweep(*options, session);
    } catch (const sweep::kernel_failed& failed) {
      return fail(failed);
    } catch (const sweep::contradiction& found) {
      return fail(found);
    }
  });
}

}  // namespace ropewalk::command
