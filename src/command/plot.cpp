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
#include "output/output_file.hpp"
#include "output/terminal.hpp"
#include "plot/drawing.hpp"
#include "plot/gnuplot.hpp"
#include "plot/text.hpp"

namespace ropewalk::command {
namespace {

constexpr std::size_t largest_figure = std::size_t{1} << 24;  // bytes of JSON; ours have below 2^18

struct plot_options {
  figure_options subject;
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
  for (const plot::description& figure : plot::figures()) width = std::max(width, figure.name.size());
  for (const plot::description& figure : plot::figures())
    std::cout << fmt::format("{:{}}  {}{}\n", figure.name, width, figure.text,
                             figure.needs_measurement ? " (needs `ropewalk bench`)" : "");
}

/// Refuses a command line that asks for no output, or for two on standard output.
void require_outputs(const plot_options& options) {
  const std::string* files[] = {&options.svg, &options.png, &options.json};
  const auto on_stdout =
      std::count_if(std::begin(files), std::end(files), [](auto* file) { return *file == "-"; });
  const bool has_file =
      std::any_of(std::begin(files), std::end(files), [](auto* file) { return !file->empty(); });
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
  std::vector<std::string> words = which_words(options.which);
  for (const std::string& kernel : options.kernels) words.insert(words.end(), {"--kernel", kernel});
  for (const ropewalk_dtype dtype : dtypes) words.insert(words.end(), {"--dtype", name_of(dtype)});
  words.emplace_back("--quick");
  return words;
}

/// The record that --bench names, else what ropewalk_bench measures now.
measure::bench_record measured_for(const figure_options& options, const plot::subject& subject) {
  if (options.bench.empty()) return run_bench(bench_arguments(options, subject.dtypes));
  measure::bench_record record = measure::read_bench_record(options.bench, "bench");
  require_same_encoding(record, options, subject.model);
  if (subject.dtypes.empty()) return record;
  std::erase_if(record.rows, [&](const measure::bench_row& row) {
    return std::none_of(subject.dtypes.begin(), subject.dtypes.end(),
                        [&](ropewalk_dtype dtype) { return row.dtype == name_of(dtype); });
  });
  if (record.rows.empty())
    throw bad_input("dtype", name_of(subject.dtypes.front()),
                    "one that was measured; " + options.bench + " has none of these");
  return record;
}

plot::figure made_figure(const plot_options& options, session& session) {
  const plot::description& figure = plot::figure_named(options.name);
  if (!options.dtypes.empty() && !figure.has_dtypes)
    throw bad_input("dtype", options.dtypes.front(), "none for " + options.name + ", which has no dtype");
  plot::subject subject = subject_of(options.subject, session);
  if (!options.dtypes.empty()) subject.dtypes = chosen_dtypes(options.dtypes);
  announce(session);
  std::optional<measure::bench_record> measured;
  if (figure.needs_measurement) subject.measured = &measured.emplace(measured_for(options.subject, subject));
  constexpr std::uint64_t steps = 1000;
  output::progress_bar bar(options.name, steps, session.quiet);
  subject.progress = [&bar](double share) { bar.show(static_cast<std::uint64_t>(share * steps)); };
  return figure.make(subject);
}

plot::figure read_figure(const plot_options& options) {
  if (!options.name.empty()) throw bad_input("figure", options.name, "none with --data, which names it");
  if (const named_option encoding = first_named(options.subject.which); encoding.is_given())
    throw bad_input(encoding.name, encoding.value, "only without --data");
  return plot::figure_from_json(input::read_text("data", options.data, largest_figure), options.data);
}

exit_code draw(const plot_options& options, session& session) {
  if (options.lists) {
    print_figures();
    return exit_code::holds;
  }
  if (options.name.empty() && options.data.empty()) throw refusal("figure", "missing");
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
  subcommand command = program.add("plot");
  const auto options = std::make_shared<plot_options>();
  command.take("figure", options->name);
  command.take("--svg", options->svg);
  command.take("--png", options->png);
  command.take("--text", options->as_text);
  command.take("--json", options->json);
  command.take("--list", options->lists);
  command.take("--data", options->data);
  command.take("--dtype", options->dtypes);
  take_all(command, options->subject);
  command.run([options, &session] { return draw(*options, session); });
}

}  // namespace ropewalk::command
