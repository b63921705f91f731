// ropewalk verify: judges kernels by the laws.

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
#include "output/terminal.hpp"
#include "report/report.hpp"
#include "report/verifiable.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

/// Prints the results as text, the verdicts before the causes of failures are looked for: on stderr if a
/// report takes standard output, and then not if quiet.
class printed_text {
 public:
  printed_text(const session& session, output::stream stream)
      : detail_(session.verbose ? report::detail::everything : report::detail::screen),
        stream_(stream),
        is_quiet_(stream == output::stream::error && session.quiet) {}

  void print_verdicts(const verify::results& results) {
    print(report::verdicts_as_text(results, detail_, stream_, output::columns(stream_)));
    has_verdicts_ = true;
  }

  void print_rest(const verify::results& results) {
    if (!has_verdicts_) print_verdicts(results);
    print(report::findings_as_text(results, detail_, stream_));
  }

 private:
  void print(const std::string& text) const {
    if (!is_quiet_) (stream_ == output::stream::out ? std::cout : std::cerr) << text << std::flush;
  }

  report::detail detail_;
  output::stream stream_;
  bool is_quiet_;
  bool has_verdicts_ = false;
};

exit_code judge(const verify_options& options, session& session) {
  std::vector<std::string> reports = options.reports;
  if (options.json) reports.push_back("json=-");
  set_transports(options, was_interrupted);
  const verify::verification request = verification_from(options, session);
  const report_files files(reports);
  announce(session);
  interruption until_reported;
  printed_text text(session, files.takes_standard_output() ? output::stream::error : output::stream::out);
  verify::results results = checked_against_laws(
      request, was_interrupted, [&](const verify::results& verdicts) { text.print_verdicts(verdicts); });
  if (results.awaits_verdicts && !was_interrupted) throw missing_requirement(results.awaits.front());
  results.command_line = session.command_line;
  text.print_rest(results);
  until_reported.restore();
  if (was_interrupted) {  // no report file is written: a partial report would pass for a complete one
    std::raise(SIGINT);
    return exit_code::fails;
  }
  files.write(results);
  report_github(results, files.takes_standard_output() ? std::cerr : std::cout);
  return verify::all_hold(results) ? exit_code::holds : exit_code::fails;
}

/// Prints what can be verified, or the named kernels.
void list(const verify_options& options) {
  if (options.kernels.empty()) return report::print_verifiable(options.json);
  set_transports(options, was_interrupted);
  std::vector<verify::chosen_kernel> kernels;
  for (const std::string& name : options.kernels)
    for (verify::chosen_kernel& kernel : verify::chosen_kernels(name)) kernels.push_back(std::move(kernel));
  report::print_kernels(kernels, options.json);
}

/// Whether the name of a file ends so, before the # of an array or a kernel in it.
bool ends_so(const std::string& subject, std::string_view ending) {
  return std::string_view(subject).substr(0, subject.find('#')).ends_with(ending);
}

/// The options with each subject as the kernel or the array that its name says it is.
verify_options with_subjects(verify_options options) {
  for (const std::string& subject : options.subjects) {
    if (ends_so(subject, ".so"))
      options.kernels.push_back(subject.starts_with(verify::library_prefix)
                                    ? subject
                                    : std::string(verify::library_prefix) + subject);
    else if (ends_so(subject, ".npy") || ends_so(subject, ".npz") || ends_so(subject, ".safetensors"))
      options.arrays.tables.push_back(subject);
    else
      throw refusal("subject", subject, "verify");
  }
  options.subjects.clear();
  return options;
}

exit_code run_list(const verify_options& options) {
  const named_option other = first_given(
      options, {"--list", "--kernel", "--json", "--call-limit", "--memory-limit", "--in-process"});
  if (other.is_given())
    throw bad_input(other.name, other.value, "only without --list, which takes --kernel and --json");
  list(options);
  return exit_code::holds;
}

exit_code run_verify(const verify_options& typed, session& session) {
  for (const std::string& subject : typed.subjects) {
    if (!is_python_function(subject)) continue;
    if (typed.subjects.size() > 1)
      throw bad_input("subject", typed.subjects.back(), "nothing beside a function");
    return become_check(subject, session.arguments);
  }
  const verify_options options = with_subjects(typed);
  if (options.list) return run_list(options);
  const bool is_foreign =
      std::any_of(options.kernels.begin(), options.kernels.end(),
                  [](const std::string& name) { return name.starts_with(verify::library_prefix); });
  const auto work = [&] { return judge(options, session); };
  return is_foreign && options.in_process ? run_supervised(work) : work();
}

}  // namespace

void add_verify(parser& program, session& session) {
  subcommand command = program.add("verify");
  const auto options = std::make_shared<verify_options>();
  take_all(command, *options);
  command.run([options, &session] { return run_verify(*options, session); });
}

}  // namespace ropewalk::command
