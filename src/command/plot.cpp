// ropewalk plot: draws one figure as SVG, PNG or text, or writes its data.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "command/bench_program.hpp"
#include "command/command.hpp"
#include "command/figure_subject.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "input/unknown_name.hpp"
#include "output/output_file.hpp"
#include "output/terminal.hpp"
#include "plot/drawing.hpp"
#include "plot/gnuplot.hpp"
#include "plot/text.hpp"

namespace ropewalk::command {
namespace {

constexpr std::size_t largest_figure = std::size_t{1} << 24;  // bytes of JSON; ours have below 2^18

struct plot_options {
  figure_options of;
  std::string name;
  std::string data;
  std::string svg;
  std::string png;
  std::string json;
  std::vector<std::string> dtypes;
  bool as_text = false;
  bool lists = false;
};

void print_figures() {
  std::size_t width = 0;
  for (const plot::description& one : plot::figures()) width = std::max(width, one.name.size());
  for (const plot::description& one : plot::figures())
    std::cout << fmt::format("{:{}}  {}{}\n", one.name, width, one.text,
                             one.needs_measurement ? " (needs `ropewalk bench`)" : "");
}

/// Refuses a command line that asks for no output, or for two on standard output.
void require_outputs(const plot_options& options) {
  const std::string* files[] = {&options.svg, &options.png, &options.json};
  const auto on_stdout =
      std::count_if(std::begin(files), std::end(files), [](auto* one) { return *one == "-"; });
  const bool has_file =
      std::any_of(std::begin(files), std::end(files), [](auto* one) { return !one->empty(); });
  if (!has_file && !options.as_text)
    throw bad_input("output", "missing", "at least one of --svg FILE, --png FILE, --json FILE, --text");
  if (on_stdout + (options.as_text ? 1 : 0) > 1)
    throw bad_input("output", "-", "at most one of --svg, --png, --json and --text on standard output");
}

/// An output that the command line may ask for. It is opened before any work, so that a wrong path is refused
/// first.
class wanted_file {
 public:
  explicit wanted_file(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  template <class Make>
  void write(const Make& make) {
    if (!file_) return;
    file_->write(make());
    file_->commit();
  }

 private:
  std::optional<output::output_file> file_;
};

/// The same encoding and kernels for ropewalk_bench.
std::vector<std::string> bench_arguments(const figure_options& options,
                                         const std::vector<ropewalk_dtype>& dtypes) {
  std::vector<std::string> r = which_words(options.which);
  for (const std::string& one : options.kernels) r.insert(r.end(), {"--kernel", one});
  for (const ropewalk_dtype one : dtypes) r.insert(r.end(), {"--dtype", name_of(one)});
  r.emplace_back("--quick");
  return r;
}

/// What --bench holds, else what ropewalk_bench measures now.
measure::bench_record measured_for(const figure_options& options, const plot::subject& of) {
  if (options.bench.empty()) return run_bench(bench_arguments(options, of.dtypes));
  measure::bench_record r = measure::read_bench_record(options.bench, "bench");
  require_same_encoding(r, options, of.model);
  if (of.dtypes.empty()) return r;
  std::erase_if(r.rows, [&](const measure::bench_row& row) {
    return std::none_of(of.dtypes.begin(), of.dtypes.end(),
                        [&](ropewalk_dtype one) { return row.dtype == name_of(one); });
  });
  if (r.rows.empty())
    throw bad_input("dtype", name_of(of.dtypes.front()),
                    "one that was measured; " + options.bench + " has none of these");
  return r;
}

plot::figure made_figure(const plot_options& options, session& session) {
  const plot::description& asked = plot::figure_named(options.name);
  if (!options.dtypes.empty() && !asked.has_dtypes)
    throw bad_input("dtype", options.dtypes.front(), "none for " + options.name + ", which has no dtype");
  plot::subject subject = subject_of(options.of, session);
  if (!options.dtypes.empty()) subject.dtypes = chosen_dtypes(options.dtypes);
  announce(session);
  std::optional<measure::bench_record> measured;
  if (asked.needs_measurement) subject.measured = &measured.emplace(measured_for(options.of, subject));
  constexpr std::uint64_t steps = 1000;
  output::progress_bar bar(options.name, steps, session.quiet);
  subject.progress = [&bar](double share) { bar.show(static_cast<std::uint64_t>(share * steps)); };
  return asked.make(subject);
}

plot::figure read_figure(const plot_options& options) {
  if (!options.name.empty()) throw bad_input("figure", options.name, "none with --data, which names it");
  if (const named_option other = first_named(options.of.which); !other.name.empty())
    throw bad_input(other.name, other.value, "only without --data");
  return plot::figure_from_json(input::read_text("data", options.data, largest_figure), options.data);
}

exit_code draw(const plot_options& options, session& session) {
  if (options.lists) {
    print_figures();
    return exit_code::holds;
  }
  if (options.name.empty() && options.data.empty())
    throw bad_input("figure", "missing", "a name of `ropewalk plot --list`, or --data FILE");
  if (options.data.empty()) static_cast<void>(plot::figure_named(options.name));
  require_outputs(options);
  if (!options.svg.empty() || !options.png.empty()) plot::require_gnuplot();
  wanted_file svg(options.svg), png(options.png), json(options.json);
  const plot::figure figure = options.data.empty() ? made_figure(options, session) : read_figure(options);
  svg.write([&] { return plot::svg_of(figure); });
  png.write([&] { return plot::png_of(figure); });
  json.write([&] { return plot::as_json(figure) + "\n"; });
  if (options.as_text) std::cout << plot::text_of(figure, plot::terminal_style());
  return exit_code::holds;
}

}  // namespace

void add_plot(parser& program, session& session) {
  subcommand command = program.add("plot", "one figure as SVG, PNG or text");
  const auto options = std::make_shared<plot_options>();
  command.option("figure", options->name, "NAME", "a name of --list");
  command.values("figure", input::names_in(plot::figures()));
  command.heading("Outputs (at least one; - is standard output)");
  command.option("--svg", options->svg, "FILE", "an SVG, drawn by gnuplot");
  command.option("--png", options->png, "FILE", "a PNG of twice that size, drawn by gnuplot");
  command.flag("--text", options->as_text, "lines and points in braille, for a terminal");
  command.option("--json", options->json, "FILE", "the figure's data, which --data draws again");
  command.flag("--list", options->lists, "the names of all figures");
  command.heading("");
  command.option("--data", options->data, "FILE",
                 "draw the figure in a file that --json wrote, instead of NAME");
  command.heading("What is drawn");
  command.option("--dtype", options->dtypes, "DTYPE",
                 dtype_names() +
                     ", of figures that have one (default: f32 for error-by-position, else what was "
                     "measured)");
  command.values("--dtype", dtype_name_list());
  add_figure_options(command, options->of);
  command.footer(
      "SVG and PNG need gnuplot (apt-get install gnuplot-nox); --text needs none.\n"
      "Examples:\n  ropewalk plot --list\n  ropewalk plot frontier --bench bench.json --svg frontier.svg\n"
      "  ropewalk plot error-by-position --model llama-3.1-8b --dtype bf16 --text");
  command.run([options, &session] { return draw(*options, session); });
}

}  // namespace ropewalk::command
