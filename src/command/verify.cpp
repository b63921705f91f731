// ropewalk verify: judges kernels by the laws.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <utility>

#include "command/interruption.hpp"
#include "command/parser.hpp"
#include "command/python_function.hpp"
#include "command/report_files.hpp"
#include "command/supervised.hpp"
#include "command/verify_request.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "kernel/simd/simd.hpp"
#include "report/verifiable.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

/// Prints the results as text, the verdicts before the causes of failures are looked for: on stderr if a
/// report takes standard output, and then not if quiet.
class printed_text {
 public:
  printed_text(const session& session, output::stream to)
      : shown_(session.verbose ? report::detail::everything : report::detail::screen),
        to_(to),
        is_quiet_(to == output::stream::error && session.quiet) {}

  void print_verdicts(const verify::results& found) {
    print(report::verdicts_as_text(found, shown_, to_, output::columns(to_)));
    has_verdicts_ = true;
  }

  void print_rest(const verify::results& found) {
    if (!has_verdicts_) print_verdicts(found);
    print(report::findings_as_text(found, shown_, to_));
  }

 private:
  void print(const std::string& text) const {
    if (!is_quiet_) (to_ == output::stream::out ? std::cout : std::cerr) << text << std::flush;
  }

  report::detail shown_;
  output::stream to_;
  bool is_quiet_;
  bool has_verdicts_ = false;
};

exit_code judge(const verify_options& options, session& session) {
  std::vector<std::string> reports = options.reports;
  if (options.json) reports.push_back("json=-");
  set_transports(options, was_interrupted);
  const verify::verification asked = asked_for(options, session);
  const report_files files(reports);
  announce(session);
  interruption until_reported;
  printed_text text(session, files.takes_standard_output() ? output::stream::error : output::stream::out);
  verify::results found = checked_against_laws(
      asked, was_interrupted, [&](const verify::results& so_far) { text.print_verdicts(so_far); });
  if (found.awaits_verdicts && !was_interrupted) throw missing_requirement(found.awaits.front());
  found.command_line = session.command_line;
  text.print_rest(found);
  until_reported.restore();
  if (was_interrupted) {  // no report file is written: a partial report would pass for a complete one
    std::raise(SIGINT);
    return exit_code::fails;
  }
  files.write(found);
  report_github(found, files.takes_standard_output() ? std::cerr : std::cout);
  return verify::all_hold(found) ? exit_code::holds : exit_code::fails;
}

/// Prints what can be verified, or the named kernels.
void list(const verify_options& options) {
  if (options.kernels.empty()) return report::print_verifiable(options.json);
  set_transports(options, was_interrupted);
  std::vector<verify::chosen_kernel> kernels;
  for (const std::string& name : options.kernels)
    for (const verify::chosen_kernel& one : verify::chosen_kernels(name)) kernels.push_back(one);
  report::print_kernels(kernels, options.json);
}

/// Whether the name of a file ends so, before the # of an array or a kernel in it.
bool ends_so(const std::string& subject, std::string_view ending) {
  return std::string_view(subject).substr(0, subject.find('#')).ends_with(ending);
}

/// The options with each subject as the kernel or the array that its name says it is.
verify_options with_subjects(verify_options options) {
  for (const std::string& one : options.subjects) {
    if (ends_so(one, ".so"))
      options.kernels.push_back(
          one.starts_with(verify::library_prefix) ? one : std::string(verify::library_prefix) + one);
    else if (ends_so(one, ".npy") || ends_so(one, ".npz") || ends_so(one, ".safetensors"))
      options.arrays.tables.push_back(one);
    else
      throw bad_input("subject", one,
                      "FILE.so, FILE.py::FUNCTION, FILE.npy, FILE.npz#NAME or FILE.safetensors#NAME; "
                      "--kernel takes other "
                      "kernels");
  }
  return options;
}

exit_code run_verify(const verify_options& typed, session& session) {
  for (const std::string& one : typed.subjects) {
    if (!is_python_function(one)) continue;
    if (typed.subjects.size() > 1)
      throw bad_input("subject", typed.subjects.back(), "nothing beside a function");
    return become_check(one, session.arguments);
  }
  const verify_options options = with_subjects(typed);
  if (options.list) {
    if (const named_option other = first_besides_list(options); !other.name.empty())
      throw bad_input(other.name, other.value, "only without --list, which takes --kernel and --json");
    list(options);
    return exit_code::holds;
  }
  const bool is_foreign =
      std::any_of(options.kernels.begin(), options.kernels.end(),
                  [](const std::string& name) { return name.starts_with(verify::library_prefix); });
  const auto work = [&] { return judge(options, session); };
  return is_foreign && options.in_process ? run_supervised(work) : work();
}

}  // namespace

void add_verify(parser& program, session& session) {
  subcommand command = program.add("verify", "hold kernels and tables to the laws");
  const auto options = std::make_shared<verify_options>();
  command.option(
      "subject", options->subjects, "FILE",
      "a library of kernels, FILE.so or FILE.so#NAME, as --kernel library: takes it; a function, "
      "FILE.py::FUNCTION, as ropewalk.check in Python takes it; or an array, FILE.npy, FILE.npz#NAME or "
      "FILE.safetensors#NAME, as --table does");
  add_which_options(command, options->which, how_many::any, named_axes::taken);
  command.heading("Which kernels", "--kernel library:./libmine.so --promise rounded-table");
  command.option(
      "--kernel", options->kernels, "NAME",
      "a kernel of --list, library:PATH, program:COMMAND or files:DIR (default: every built-in one)");
  command.option("--promise", options->promise, "NAME|PARTS",
                 "what an array, a library's kernel or a recipe is judged by: " + promise_names() +
                     ", or the format of each rounding: " + promise_part_texts() +
                     " (default: its own promise)");
  command.option(
      "--same-as", options->same_as, "NAME",
      "ask one thing alone: that every output has the bits of this other kernel, named as --kernel "
      "names one, or FILE.py::FUNCTION beside a function");
  command.option(
      "--target", options->target, "NAME",
      "judge only the CPU's kernels, on this instruction set or on all; --list names them (default: "
      "the best, and Vulkan kernels beside them)");
  command.option("--dtype", options->dtypes, "DTYPE",
                 dtype_names() + " (default: all, merged into the worst; --verbose: a row each)");
  add_array_options(command, options->arrays);
  command.heading("Which laws", "--law accuracy norm --positions 0:131072");
  command.option("--law", options->laws, "NAME", "one law (default: all); --list names them");
  command.option("--skip-law", options->skipped_laws, "NAME=REASON", "a law to leave out, and why");
  command.option(
      "--positions", options->positions, "A:B",
      "judge only positions from A to B - 1 (default: all that a kernel serves); of arrays, N, A:B "
      "or FILE.npy: the positions of their rows (default: from 0)");
  command.option(
      "--environment", options->environment, "default|all",
      "all: require equal bits under flush-to-zero and upward rounding from every kernel, not only "
      "from those that promise bits (default: default)");
  command.heading("How many cases", "--cases 10000 --seed 7");
  command.option(
      "--cases", options->cases, "N",
      "cases of each verdict (default: at least those that it needs, and more while the budget lasts)");
  command.option(
      "--seed", options->seed, "N",
      "the same seed draws the same cases (default: one that is drawn, and printed; 1 with files:DIR)");
  command.option("--budget", options->budget, "SECONDS",
                 "processor time to divide among the verdicts, of this program and of the kernels' "
                 "processes; up to three "
                 "times as long may pass (default: 60, or 140 for all built-in kernels, and up to four times "
                 "that for the cases that verdicts need)");
  command.option(
      "--diagnosis", options->diagnosis, "SECONDS",
      "processor time beside the budget, to find the causes of failures (default: 20; with --cases as "
      "much as it takes; 0: none is looked for)");
  command.option("--threads", options->threads, "N", "worker threads (default: what the machine has)");
  command.heading("Libraries and programs", "--kernel 'program:python3 mine.py' --call-limit 60");
  command.option("--call-limit", options->call_limit, "SECONDS",
                 "time for an answer of a library or program (default: 10; 120 for loading, plans and a "
                 "plan's first call)");
  command.option("--memory-limit", options->memory_limit, "BYTES",
                 "data that its process may allocate (default: no limit)");
  command.flag("--in-process", options->in_process,
               "load libraries into this process: for debuggers and sanitizers; a crash ends the run");
  command.heading("What fails", "--fail-on vacuous --fail-on growth=1@131072");
  command.option("--fail-on", options->fail_on, "WHAT",
                 "exit 1 also for vacuous, skipped, or growth=PERCENT@POSITION: an error that grows "
                 "beyond PERCENT at positions up to POSITION");
  command.flag("--allow-declined", options->allows_declined,
               "exit 0 although calls within a kernel's limits were declined");
  command.flag("--allow-cut", options->allows_cut,
               "exit 0 although fewer cases were asked than verdicts need, for --cases or the budget");
  command.heading("Reports", "--report junit=verify.xml --report json=verify.json");
  command.option("--report", options->reports, "KIND=FILE",
                 report::report_forms() + "; - is standard output");
  command.flag("--json", options->json,
               "the report, or the list, as JSON on standard output; the table goes to stderr");
  command.flag("--list", options->list,
               "print kernels, targets, laws, promises and models; with --kernel, only those kernels");
  command.heading("Vulkan", "--device 1 --require-vulkan");
  command.option("--device", options->device, "N|NAME", verify::device_help);
  command.flag("--require-vulkan", options->requires_vulkan, "exit 3 where no Vulkan device can serve");
  command.values("--kernel", [](const auto&) {
    std::vector<std::string> names;
    for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
      names.emplace_back(one.kernel->name);
    return names;
  });
  command.values("--same-as", [](const auto&) {
    std::vector<std::string> names;
    for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
      names.emplace_back(one.kernel->name);
    return names;
  });
  command.values("--law", [](const auto&) { return law_names(); });
  command.values("--skip-law", [](const auto&) {
    std::vector<std::string> names = law_names();
    for (std::string& name : names) name += "=";
    return names;
  });
  command.values("--promise", input::names_in(promises));
  command.parts("--promise", promise_part_list());
  command.values("--dtype", dtype_name_list());
  command.values("--target", [](const auto&) {
    std::vector<std::string> names{"all"};
    for (const simd::target* one : simd::targets()) names.emplace_back(one->name);
    return names;
  });
  command.values("--environment", {"default", "all"});
  command.values("--fail-on", {"vacuous", "skipped", "growth="});
  command.values("--report", report::report_beginnings());
  command.footer(
      "Examples:\n"
      "  ropewalk verify\n"
      "  ropewalk verify --config config.json --report junit=verify.xml\n"
      "  ropewalk verify libmine.so --model llama-3.1-8b --promise rounded-table\n"
      "  ropewalk verify mine.py::rope --model llama-3.1-8b\n"
      "  ropewalk verify --table engine.npz#cos --as cos --model llama-3.1-8b --promise hf\n"
      "  ropewalk verify --table model.safetensors#'layers.{layer}.inv_freq' --as inv-freq --model "
      "gemma-3-1b\n"
      "  ropewalk verify libnew.so --same-as library:./libold.so --model llama-3.1-8b\n"
      "  ropewalk verify --kernel cpu-table --law accuracy --cases 10000\n"
      "  ropewalk verify --target all --law canonical");
  command.run([options, &session] { return run_verify(*options, session); });
}

}  // namespace ropewalk::command
