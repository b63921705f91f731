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
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::command {
namespace {

constexpr const char* usual_budget = "45";  // seconds to judge
constexpr const char* quick_budget = "8";

const std::atomic<bool> never_interrupted{false};  // Ctrl-C ends the program; there is no page then

struct report_options {
  figure_options of;
  std::string promise;
  std::string budget;
  std::string output;
};

bool names_encoding(const report_options& options) { return !first_named(options.of.which).name.empty(); }

/// The canonical rotations of the processor, with which a user's kernel is compared.
std::vector<std::string> canonical_kernels() {
  std::vector<std::string> r;
  for (const verify::chosen_kernel& one : verify::built_in_kernel_list())
    if (one.kernel->operation == ROPEWALK_ROTATE && promise_of(*one.kernel) == promise::canonical &&
        !verify::needs_device(one))
      r.push_back(one.option());
  return r;
}

/// What is judged: the user's kernels, then the canonical ones; without any of the user's, all built-in ones.
verify_options judged_options(const report_options& options) {
  verify_options r;
  r.which = options.of.which;
  r.promise = options.promise;
  r.budget = !options.budget.empty() ? options.budget : options.of.is_quick ? quick_budget : usual_budget;
  r.may_exceed_budget = options.budget.empty();
  r.kernels = options.of.kernels;
  if (!r.kernels.empty())
    for (std::string& one : canonical_kernels()) r.kernels.push_back(std::move(one));
  return r;
}

/// The command that judges the same.
std::string verify_command(const verify_options& judged) {
  std::string r = "ropewalk verify";
  for (const std::string& word : which_words(judged.which)) r += " " + shell_quoted(word);
  for (const std::string& kernel : judged.kernels) r += " --kernel " + shell_quoted(kernel);
  if (!judged.promise.empty()) r += " --promise " + shell_quoted(judged.promise);
  return judged.may_exceed_budget ? r : r + " --budget " + judged.budget;
}

/// What is timed: the fixed set of the benchmarks, else the canonical kernels, the recipes and the user's.
std::vector<std::string> bench_words(const report_options& options, const plot::subject& subject) {
  std::vector<std::string> r = which_words(options.of.which);
  if (options.of.is_quick) r.emplace_back("--quick");
  if (!options.of.kernels.empty()) {
    r.emplace_back("--kernel");
    for (const std::string& one : canonical_kernels()) r.push_back(one);
    for (const verify::chosen_kernel& one : subject.kernels) r.push_back(one.option());
  }
  return r;
}

std::vector<report::drawn_figure> drawn_figures(plot::subject& subject, const session& session) {
  constexpr std::uint64_t steps = 1000;  // of each figure
  const auto all = plot::figures();
  output::progress_bar bar("figures", steps * all.size(), session.quiet);
  std::vector<report::drawn_figure> r;
  for (const plot::description& one : all) {
    const std::uint64_t before = steps * r.size();
    subject.progress = [&](double share) { bar.show(before + static_cast<std::uint64_t>(share * steps)); };
    plot::figure figure = one.make(subject);
    std::string svg = plot::svg_of(figure, plot::place::page);
    r.push_back({std::move(figure), std::move(svg)});
    bar.show(steps * r.size());
  }
  return r;
}

/// The errors of the recipes, the user's kernels and a canonical one where readers ask for them. A kernel
/// that fails has none; verdicts say that it does.
std::vector<report::reported_errors> errors_at_reported_positions(const plot::subject& subject) {
  std::vector<position_range> places;
  for (const std::int64_t one : report::reported_positions) places.push_back(measure::positions_near(one));
  measure::measured_rotation in(subject.model.encoding, subject.model.layout, {}, subject.model.config);
  std::vector<verify::chosen_kernel> kernels{verify::only_kernel("cpu-turns")};
  kernels.insert(kernels.end(), subject.kernels.begin(), subject.kernels.end());
  std::vector<report::reported_errors> r;
  for (const verify::chosen_kernel& one : kernels) {
    if (one.kernel->operation != ROPEWALK_ROTATE) continue;
    try {
      const auto found = measure::error_by_position(*one.kernel, promise_of(*one.kernel), ROPEWALK_F32, in,
                                                    places, measure::samples_near);
      r.push_back({one.label()});
      for (std::size_t i = 0; i < found.size(); ++i) r.back().distances.at(i) = found[i].distance;
    } catch (const kernel_trouble&) {
      continue;
    }
  }
  return r;
}

/// Names what the page is about.
void name_subject(report::page& of, const report_options& options, const plot::subject& subject) {
  if (!names_encoding(options)) {
    of.subject = "Kernels and tables on a spread of models";
    of.description = "figures and measurements: " + model::summary(subject.model);
    return;
  }
  of.subject = subject.model.name;
  of.description = model::summary(subject.model);
  of.attention_factor = upper_binary64(rope_attention_factor<2>(subject.model.encoding));
}

exit_code write_report(const report_options& options, session& session) {
  if (options.output.empty()) throw bad_input("output", "missing", "--output FILE.html");
  plot::require_gnuplot();
  if (options.of.bench.empty()) static_cast<void>(bench_program());
  report::page page;
  if (!options.of.bench.empty()) page.measured = measure::read_bench_record(options.of.bench, "bench");
  const verify_options judged = judged_options(options);
  set_transports(judged, never_interrupted);
  const verify::verification asked = asked_for(judged, session);
  const std::string understood = session.understood;
  plot::subject subject = subject_of(options.of, session);
  if (names_encoding(options)) session.understood = understood;  // it says the same of the model
  if (!options.of.bench.empty()) require_same_encoding(page.measured, options.of, subject.model);
  output::output_file file(options.output);
  announce(session);
  page.command_line = session.command_line;
  page.date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  name_subject(page, options, subject);
  page.judged = checked_against_laws(asked, never_interrupted);
  page.judged.command_line = verify_command(judged);
  if (options.of.bench.empty()) page.measured = run_bench(bench_words(options, subject));
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
  subcommand command = program.add("report", "one HTML page of verdicts, measurements and figures");
  const auto options = std::make_shared<report_options>();
  command.option("--output", options->output, "FILE.html", "the page; it appears whole or not at all");
  command.option(
      "--budget", options->budget, "SECONDS",
      fmt::format("time to judge, as in `verify` (default: {}; --quick: {})", usual_budget, quick_budget));
  command.option("--promise", options->promise, "NAME|PARTS",
                 "what the kernels of --kernel are judged by, as in `verify`");
  add_figure_options(command, options->of);
  command.footer(
      "The page needs no network and no other file. Verdicts are those of `ropewalk verify`, times those of\n"
      "`ropewalk bench`; figures are drawn by gnuplot (apt-get install gnuplot-nox). Exit code 1 if a law "
      "fails: the\n"
      "page is written all the same.\n"
      "Examples:\n  ropewalk report --model qwen2.5-7b-yarn4 --quick --output report.html\n"
      "  ropewalk report --model llama-3.1-8b --kernel library:./libmine.so --output report.html\n"
      "  ropewalk report --bench bench.json --output report.html");
  command.run([options, &session] { return write_report(*options, session); });
}

}  // namespace ropewalk::command
