#include "bench/comparison_request.hpp"

#include <wordexp.h>

#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "bench/comparison.hpp"
#include "bench/comparison_text.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "measure/interval.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::bench {
namespace {

using command::bench_options;
using measure::bench_record;

/// Whether an option chooses what is measured.
bool chooses_run(const bench_options& options) {
  return command::first_given(options, {"--compare", "--threshold", "--markdown", "--out",
                                        "--benchmark_filter", "--benchmark_list_tests"})
      .is_given();
}

/// Refuses options of a run if two files are compared.
void refuse_run_options(const bench_options& options) {
  const command::named_option first =
      command::first_given(options, {"--compare", "--threshold", "--markdown"});
  if (first.is_given()) throw bad_input(first.name, first.value, "only with a run now, not with two files");
}

/// The words of a command line written by shell_quoted. Nothing in it is executed.
std::vector<std::string> words_of(const std::string& line) {
  struct expansion {
    wordexp_t words{};
    ~expansion() { wordfree(&words); }
  } expansion;
  if (wordexp(line.c_str(), &expansion.words, WRDE_NOCMD | WRDE_UNDEF) != 0)
    throw bad_input("compare", "a run by " + line, "a run with a valid shell command, or two files");
  return {expansion.words.we_wordv, expansion.words.we_wordv + expansion.words.we_wordc};
}

/// The options in the command line of a recorded run.
bench_options options_of(const bench_record& record) {
  const auto command = record.context.find("command");
  if (command == record.context.end())
    throw bad_input("compare", "a run without a recorded command", "two files, or one file and options");
  std::vector<std::string> words = words_of(command->second);
  if (words.size() < 2 || words[0] != "ropewalk" || words[1] != "bench")
    throw bad_input("compare", "a run by " + command->second, "a run by ropewalk bench");
  std::vector<char*> line;
  for (std::string& word : words) line.push_back(word.data());
  line.push_back(nullptr);
  command::session session;
  command::parser program(session);
  command::subcommand bench = program.add("bench");
  bench_options options;
  command::take_all(bench, options);
  bench.run([] { return command::exit_code::holds; });
  program.parse(static_cast<int>(words.size()), line.data());
  return options;
}

/// Refuses options that only the user may give: loading or running a program, and reading standard input.
void refuse_programs(const bench_options& options) {
  constexpr const char* allowed = "two files, or one file and the options of its run";
  for (const std::string& kernel : options.kernels)
    if (kernel.find(':') != kernel.npos) throw bad_input("compare", "a run with --kernel " + kernel, allowed);
  for (const std::string& config : options.which.configs)
    if (config == "-") throw bad_input("compare", "a run with --config -", allowed);
}

/// A regular expression for exactly these names, which consist of letters, digits and ._:+-/.
std::string filter_of(const bench_record& record) {
  std::string names;
  for (const measure::bench_row& row : record.rows) {
    names += names.empty() ? "" : "|";
    for (const char letter : row.name) {
      const bool is_special = std::string_view("^$\\.*+?()[]{}|").find(letter) != std::string_view::npos;
      names += is_special ? std::string{'\\', letter} : std::string(1, letter);
    }
  }
  return "^(" + names + ")$";
}

}  // namespace

double threshold_of(const std::string& text) {
  if (text.empty()) return measure::smallest_change;
  constexpr double most = 1000, percent = 100;
  const auto number = input::number_from<double>(text);
  if (!number || !(*number >= 0 && *number <= most)) throw command::refusal("--threshold", text);
  return *number / percent;
}

void refuse_without_comparison(const bench_options& options) {
  if (!options.threshold.empty()) throw bad_input("threshold", options.threshold, "beside --compare");
  if (options.markdown) throw bad_input("markdown", command::flag_is_given, "beside --compare");
}

bench_options options_again(const bench_options& options, const bench_record& record) {
  bench_options again = options;
  if (!chooses_run(options)) {
    again = options_of(record);
    refuse_programs(again);
    again.output = options.output;
    again.filter = options.filter;
  }
  if (again.filter.empty()) again.filter = filter_of(record);
  again.lists = false;
  return again;
}

command::exit_code compare_runs(const bench_options& options, const measuring& measure_now) {
  const bool is_measured = options.compared.size() == 1;
  if (options.compared.size() > 2) throw command::refusal("--compare", options.compared[2], "bench");
  if (!is_measured) refuse_run_options(options);
  if (options.output == "-") throw bad_input("out", "-", "a file: the comparison is on standard output");
  const double threshold = threshold_of(options.threshold);
  const bench_record before = measure::read_bench_record(options.compared[0], "compare");
  const bench_record after = is_measured ? measure_now(options_again(options, before))
                                         : measure::read_bench_record(options.compared[1], "compare");
  const comparison comparison = compare(before, after, threshold);
  std::cout << (options.markdown ? as_markdown(comparison) : as_text(comparison));
  return comparison.has_slowdown() ? command::exit_code::fails : command::exit_code::holds;
}

}  // namespace ropewalk::bench
