// ropewalk report: judges, measures and draws, and writes what was found as one HTML page.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "command/bench_program.hpp"
#include "command/command.hpp"
#include "command/figure_subject.hpp"
#include "command/option/defaults.hpp"
#include "command/parser.hpp"
#include "command/shell_words.hpp"
#include "command/verify_request.hpp"
#include "input/bad_input.hpp"
#include "measure/kernel_error.hpp"
#include "output/output_file.hpp"
#include "output/terminal.hpp"
#include "plot/drawing.hpp"
#include "plot/gnuplot.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::command {
namespace {

const std::atomic<bool> never_interrupted{false};  // Ctrl-C ends the program; there is no page then

struct report_options {
  figure_options figures;
  std::string promise;
  std::string budget;
  std::string output;
};

bool names_encoding(const report_options& options) { return first_named(options.figures.which).is_given(); }

/// The canonical rotations of the processor, with which a user's kernel is compared.
std::vector<std::string> canonical_kernels() {
  std::vector<std::string> names;
  for (const verify::chosen_kernel& kernel : verify::built_in_kernel_list())
    if (kernel.entry->operation == ROPEWALK_ROTATE && promise_of(*kernel.entry) == promise::canonical &&
        !verify::needs_device(kernel))
      names.push_back(kernel.option());
  return names;
}

/// Options of `ropewalk verify` that judge the user's kernels, then the canonical ones; without any of the
/// user's, all built-in ones.
verify_options judged_options(const report_options& options) {
  verify_options judged;
  judged.which = options.figures.which;
  judged.promise = options.promise;
  judged.budget = !options.budget.empty()
                      ? options.budget
                      : std::to_string(options.figures.is_quick ? quick_report_budget : report_budget);
  judged.may_exceed_budget = options.budget.empty();
  judged.kernels = options.figures.kernels;
  if (!judged.kernels.empty())
    for (std::string& name : canonical_kernels()) judged.kernels.push_back(std::move(name));
  return judged;
}

/// The command that judges the same.
std::string verify_command(const verify_options& judged) {
  std::string line = "ropewalk verify";
  for (const std::string& word : which_words(judged.which)) line += " " + shell_quoted(word);
  for (const std::string& kernel : judged.kernels) line += " --kernel " + shell_quoted(kernel);
  if (!judged.promise.empty()) line += " --promise " + shell_quoted(judged.promise);
  return judged.may_exceed_budget ? line : line + " --budget " + judged.budget;
}

/// Options of `ropewalk bench` for the fixed set of benchmarks, else for the canonical kernels, the recipes
/// and the user's.
std::vector<std::string> bench_words(const report_options& options, const plot::subject& subject) {
  std::vector<std::string> words = which_words(options.figures.which);
  if (options.figures.is_quick) words.emplace_back("--quick");
  if (!options.figures.kernels.empty()) {
    words.emplace_back("--kernel");
    for (const std::string& name : canonical_kernels()) words.push_back(name);
    for (const verify::chosen_kernel& kernel : subject.kernels) words.push_back(kernel.option());
  }
  return words;
}

std::vector<report::drawn_figure> drawn_figures(plot::subject& subject, const session& session) {
  constexpr std::uint64_t steps = 1000;  // of each figure
  const auto descriptions = plot::figures();
  output::progress_bar bar("figures", steps * descriptions.size(), session.quiet);
  std::vector<report::drawn_figure> drawn;
  for (const plot::description& description : descriptions) {
    const std::uint64_t before = steps * drawn.size();
    subject.progress = [&](double share) { bar.show(before + static_cast<std::uint64_t>(share * steps)); };
    plot::figure figure = description.make(subject);
    std::string svg = plot::svg_of(figure, plot::place::page);
    drawn.push_back({std::move(figure), std::move(svg)});
    bar.show(steps * drawn.size());
  }
  return drawn;
}

/// The errors of the recipes, the user's kernels and a canonical one where readers ask for them. A kernel
/// that fails has none; verdicts say that it does.
std::vector<report::reported_errors> errors_at_reported_positions(const plot::subject& subject) {
  std::vector<position_range> places;
  for (const std::int64_t position : report::reported_positions)
    places.push_back(measure::positions_near(position));
  measure::measured_rotation rotation(subject.model.encoding, subject.model.layout, {}, subject.model.config);
  std::vector<verify::chosen_kernel> kernels{verify::only_kernel("cpu-turns")};
  kernels.insert(kernels.end(), subject.kernels.begin(), subject.kernels.end());
  std::vector<report::reported_errors> errors;
  for (const verify::chosen_kernel& kernel : kernels) {
    if (kernel.entry->operation != ROPEWALK_ROTATE) continue;
    try {
      const auto measured = measure::error_by_position(*kernel.entry, promise_of(*kernel.entry), ROPEWALK_F32,
                                                       rotation, places, measure::samples_near);
      errors.push_back({kernel.label()});
      for (std::size_t i = 0; i < measured.size(); ++i) errors.back().distances.at(i) = measured[i].distance;
    } catch (const kernel_trouble&) {
      continue;
    }
  }
  return errors;
}

/// Names what the page is about.
void name_subject(report::page& page, const report_options& options, const plot::subject& subject) {
  if (!names_encoding(options)) {
    page.subject = "Kernels and tables on a spread of models";
    page.description = "figures and measurements: " + model::summary(subject.model);
    return;
  }
  page.subject = subject.model.name;
  page.description = model::summary(subject.model);
  page.attention_factor = upper_binary64(rope_attention_factor<2>(subject.model.encoding));
}

exit_code write_report(const report_options& options, session& session) {
  if (options.output.empty()) throw refusal("--output", "missing", "report");
  plot::require_gnuplot();
  if (options.figures.bench.empty()) static_cast<void>(bench_program());
  report::page page;
  if (!options.figures.bench.empty())
    page.measured = measure::read_bench_record(options.figures.bench, "bench");
  const verify_options judged = judged_options(options);
  set_transports(judged, never_interrupted);
  const verify::verification request = verification_from(judged, session);
  const std::string understood = session.understood;
  plot::subject subject = subject_of(options.figures, session);
  if (names_encoding(options)) session.understood = understood;  // it says the same of the model
  if (!options.figures.bench.empty()) require_same_encoding(page.measured, options.figures, subject.model);
  output::output_file file(options.output);
  announce(session);
  page.command_line = session.command_line;
  page.date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  name_subject(page, options, subject);
  page.judged = checked_against_laws(request, never_interrupted);
  page.judged.command_line = verify_command(judged);
  if (options.figures.bench.empty()) page.measured = run_bench(bench_words(options, subject));
  page.errors = errors_at_reported_positions(subject);
  subject.measured = &page.measured;
  page.figures = drawn_figures(subject, session);
  file.write(report::as_html(page));
  file.commit();
  if (!session.quiet)
    std::cerr << report::words_of(verify::totals_of(page.judged)) << "; written to " << options.output
              << "\n";
  return verify::all_hold(page.judged) ? exit_code::holds : exit_code::fails;
}

}  // namespace

void add_report(parser& program, session& session) {
  subcommand command = program.add("report");
  const auto options = std::make_shared<report_options>();
  command.take("--output", options->output);
  command.take("--budget", options->budget);
  command.take("--promise", options->promise);
  take_all(command, options->figures);
  command.run([options, &session] { return write_report(*options, session); });
}

}  // namespace ropewalk::command
