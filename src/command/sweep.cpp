// ropewalk sweep: checks every entry of a range of work of tables, formats and positions against exact
// values.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
#include "command/sweep_request.hpp"
#include "input/bad_input.hpp"
#include "output/plain_text.hpp"
#include "output/terminal.hpp"
#include "report/recipe_errors.hpp"
#include "report/sweep.hpp"
#include "sweep/audit.hpp"
#include "sweep/certificate.hpp"
#include "sweep/kernel_subject.hpp"
#include "sweep/results.hpp"
#include "sweep/sweep.hpp"

namespace ropewalk::command {
namespace {

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Whether every entry that was checked is right.
bool all_right(const sweep::work_range& range, const sweep::results& results) {
  for (std::size_t table = 0; table < range.tables.size(); ++table)
    for (const sweep::format_tally& tally : results.of_table(table))
      if (tally.wrong != 0 || tally.undecided != 0) return false;
  return true;
}

/// Writes or completes the certificate of every table.
///
/// throws  bad_input naming certificates if the results are not of the program's own tables, or not whole and
///         right
void certify(const sweep::work_range& range, const sweep::results& results, const std::string& directory) {
  if (range.subject != "table")
    throw bad_input("certificates", directory, "only of the program's own tables");
  if (results.done() != results.units())
    throw bad_input("certificates", directory, "only once every unit is done");
  std::vector<std::vector<sweep::unit_result>> by_table(range.tables.size());
  const sweep::units_of_range units(range);
  for (std::int64_t unit = 0; unit < results.units(); ++unit)
    by_table[units.at(unit).table].push_back(results.read(unit));
  for (std::size_t i = 0; i < range.tables.size(); ++i)
    sweep::certify(range.tables[i], by_table[i], directory);
}

/// Audits results; prints every difference.
exit_code audit_results(const sweep::work_range& range, const sweep::results& results,
                        const session& session) {
  constexpr int sampled_units = 4;
  std::vector<sweep::unit_result> units;
  for (std::int64_t unit = 0; unit < results.units(); ++unit)
    if (results.is_done(unit)) units.push_back(results.read(unit));
  const auto progress = [&](const std::string& line) {
    if (!session.quiet && output::is_terminal(output::stream::error)) std::cerr << line << "\n";
  };
  const sweep::audit_result audit = sweep::audit(range, units, sampled_units, progress);
  for (const std::string& difference : audit.differences)
    std::cout << "differs: " << output::plain_line(difference) << "\n";
  std::cout << fmt::format(
      "audit: {} hard cases and {} entries by MPFR, {} units by phases, {} differences\n", audit.hard_cases,
      audit.entries, audit.units, audit.differences.size());
  return audit.differences.empty() ? exit_code::holds : exit_code::fails;
}

/// Prints the sum of the results in a directory, and merges it once it is whole.
exit_code show(const sweep::work_range& range, const sweep::results& results, const std::string& directory,
               const sweep_options& options, const session& session) {
  if (results.done() == results.units()) results.write(directory);
  if (options.json)
    std::cout << results.sum().dump(1, ' ', true) << "\n";  // a terminal may follow control characters
  else if (!options.markdown)
    std::cout << report::sweep_as_text(range, results, session.verbose);
  if (!options.certificates.empty()) certify(range, results, options.certificates);
  std::cout.flush();
  return all_right(range, results) ? exit_code::holds : exit_code::fails;
}

/// Adds the results of a sweep of one subject to a row for every model.
void add_errors(std::vector<report::model_errors>& rows, const sweep::work_range& range,
                const sweep::results& results) {
  const std::string name = range.subject.substr(range.subject.find(' ') + 1);
  for (std::size_t table = 0; table < range.tables.size(); ++table)
    for (const std::string& model : range.tables[table].models) {
      const position_range positions = range.tables[table].positions;
      auto row = std::find_if(rows.begin(), rows.end(), [&](const report::model_errors& known) {
        return known.model == model && known.positions == positions;
      });
      if (row == rows.end()) row = rows.insert(rows.end(), {model, positions, {}});
      for (const sweep::format_tally& tally : results.of_table(table)) row->recipes.push_back({name, tally});
    }
  const auto key = [](const report::model_errors& row) {
    return std::tuple(std::string_view(row.model), row.positions.begin, row.positions.end);
  };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

exit_code merge(const sweep_options& options, const session& session) {
  if (const named_option other =
          first_given(options, {"--merge", "--output", "--resume", "--json", "--markdown"});
      other.is_given())
    throw bad_input(other.name, other.value, "only without --merge");
  const sweep::work_range range = sweep::work_range_of("merge", options.merge.front());
  for (const std::string& directory : options.merge)
    if (to_json(sweep::work_range_of("merge", directory)) != to_json(range))
      throw bad_input("merge", directory,
                      "directories of the same range of work, as " + printable(options.merge.front(), 60));
  sweep::open_directory(options.output, range);
  std::vector<std::string> directories = options.merge;
  if (std::find(directories.begin(), directories.end(), options.output) == directories.end())
    directories.push_back(options.output);
  const sweep::results results(directories, range);
  results.write(options.output);
  const exit_code code = show(range, results, options.output, options, session);
  if (options.markdown) {
    std::vector<report::model_errors> errors;
    add_errors(errors, range, results);
    std::cout << report::recipe_errors_as_markdown(errors) << std::flush;
  }
  if (code != exit_code::holds || results.done() == results.units()) return code;
  throw missing_requirement(
      fmt::format("{} of {} units are in none of these directories; allowed: more "
                  "directories, or the same sweep with --output {}",
                  results.units() - results.done(), results.units(), options.output));
}

exit_code worse(exit_code a, exit_code b) {
  if (a == exit_code::fails || b == exit_code::fails) return exit_code::fails;
  return a == exit_code::holds ? b : a;
}

/// Runs one subject's range of work.
exit_code run_range(const sweep::work_range& range, const sweep_subject& subject, sweep::run_plan plan,
                    sweep::ranks& ranks, const sweep_options& options,
                    std::vector<report::model_errors>& errors, const session& session) {
  plan.directory = subject.directory;
  const sweep::run_end end = run(range, *subject.maker, plan, ranks, was_interrupted);
  if (!end.is_first_rank) return exit_code::holds;
  const sweep::results results({subject.directory}, range);
  exit_code code = show(range, results, subject.directory, options, session);
  if (options.markdown) add_errors(errors, range, results);
  if (options.audit) code = worse(code, audit_results(range, results, session));
  if (end.left == 0) return code;
  std::cerr << fmt::format("ropewalk: {} units are left{}; the same command goes on\n", end.left,
                           end.seconds_left > 0 ? ", about " + duration_text(end.seconds_left) : "");
  return worse(code, exit_code::missing);
}

exit_code run_sweep(const sweep_options& options, session& session) {
  if (options.output.empty()) throw refusal("--output", "missing", "sweep");
  if (options.markdown && options.json) throw bad_input("markdown", flag_is_given, "only without --json");
  if (!options.merge.empty()) return merge(options, session);
  // A scheduler that hands out shards may set a launcher's variables, too.
  const std::unique_ptr<sweep::ranks> ranks =
      options.shard.empty() ? sweep::ranks_of_this_run() : sweep::one_rank();
  sweep::run_plan plan;
  plan.part = shard_from(options.shard);
  plan.budget = std::chrono::duration<double>(sweep_budget(options.budget));
  plan.threads = ranks->count() > 1 && options.threads.empty() ? 1 : thread_count(options.threads);
  plan.is_quiet = session.quiet;
  const std::vector<model::model> models = swept_models(options);
  const std::vector<sweep_subject> subjects = swept_subjects(options, models);
  std::vector<sweep::work_range> ranges;
  for (const sweep_subject& subject : subjects) ranges.push_back(work_range_from(options, models, subject));
  if (models.size() == 1) report_reading(models.front(), session);
  if (ranks->rank() != 0) session.understood.clear();
  announce(session);
  interruption until_done;
  exit_code code = exit_code::holds;
  std::vector<report::model_errors> errors;
  for (std::size_t i = 0; i < ranges.size() && !was_interrupted; ++i)
    code = worse(code, run_range(ranges[i], subjects[i], plan, *ranks, options, errors, session));
  if (options.markdown && ranks->rank() == 0)
    std::cout << report::recipe_errors_as_markdown(errors) << std::flush;
  until_done.restore();
  if (was_interrupted) std::raise(SIGINT);
  return code;
}

}  // namespace

void add_sweep(parser& program, session& session) {
  subcommand command = program.add("sweep");
  const auto options = std::make_shared<sweep_options>();
  take_all(command, *options);
  command.run([options, &session] {
    const auto fail = [](const std::exception& failure) {
      std::cerr << "ropewalk: " << output::plain_line(failure.what()) << "\n";
      return exit_code::fails;
    };
    try {
      return run_sweep(*options, session);
    } catch (const sweep::kernel_failed& failure) {
      return fail(failure);
    } catch (const sweep::contradiction& failure) {
      return fail(failure);
    }
  });
}

}  // namespace ropewalk::command
