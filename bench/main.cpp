// ropewalk_bench, the program that `ropewalk bench` starts: measures speed and precision of kernels, prints a
// table and writes JSON.

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/comparison_request.hpp"
#include "bench/machine.hpp"
#include "bench/report.hpp"
#include "bench/request.hpp"
#include "bench/run.hpp"
#include "command/bench_options.hpp"
#include "command/command_line.hpp"
#include "command/parser.hpp"
#include "output/output_file.hpp"

namespace ropewalk::bench {
namespace {

using command::exit_code;

case_list cases_of(const request& request) {
  case_list cases;
  add_apply(cases, request);
  if (request.is_fixed && request.is_quick) return cases;
  if (!request.is_quick) {
    add_backward(cases, request);
    add_in_place(cases, request);
  }
  add_one_token(cases, request);
  if (!request.is_fixed) return cases;
  add_attention_factor(cases);
  add_axes(cases);
  add_real(cases);
  add_two_threads(cases);
  add_rows(cases);
  add_tables(cases);
  add_additions(cases);
  add_vulkan(cases);
  add_vulkan_start(cases);
  return cases;
}

/// Whether a kernel breaks its promise in any row.
bool is_any_wrong(const measure::bench_record& record) {
  return std::any_of(record.rows.begin(), record.rows.end(),
                     [](const measure::bench_row& row) { return row.is_wrong; });
}

/// Measures the rows that the options choose, and writes them to the file given by --out.
measure::bench_record measure_chosen(const command::bench_options& options, command::session& session) {
  const request request = asked_for(options, session);
  case_list cases = cases_of(request);
  filter(cases, options.filter);
  std::unique_ptr<output::output_file> file;
  if (!options.output.empty()) file = std::make_unique<output::output_file>(options.output);
  command::announce(session);
  measure_all(cases, request.how, session.quiet);
  measure::bench_record record{context_of(session.command_line), {}, {}};
  measure_ceilings(record, cases);
  for (benchmark_case& test_case : cases) record.rows.push_back(std::move(test_case.row));
  if (file) {
    file->write(measure::as_json(record));
    file->commit();
  }
  return record;
}

exit_code list(const command::bench_options& options, command::session& session) {
  case_list cases = cases_of(asked_for(options, session));
  filter(cases, options.filter);
  session.understood.clear();
  for (const benchmark_case& test_case : cases) std::cout << test_case.row.name << '\n';
  return exit_code::holds;
}

exit_code run(const command::bench_options& options, command::session& session) {
  if (options.lists) return list(options, session);
  if (!options.compared.empty())
    return compare_runs(options, [&](const auto& now) { return measure_chosen(now, session); });
  refuse_without_comparison(options);
  const measure::bench_record record = measure_chosen(options, session);
  if (options.output != "-") std::cout << as_text(record);
  return is_any_wrong(record) ? exit_code::fails : exit_code::holds;
}

void add_commands(command::parser& program, command::session& session) {
  command::subcommand command = program.add("bench");
  const auto options = std::make_shared<command::bench_options>();
  command::take_all(command, *options);
  command.run([options, &session] { return run(*options, session); });
}

}  // namespace
}  // namespace ropewalk::bench

int main(int count, char** words) {
  std::string name = "bench";  // the parser expects the command before its options
  std::vector<char*> line(words, words + count);
  line.insert(line.begin() + 1, name.data());
  line.push_back(nullptr);
  return ropewalk::command::run_command_line(count + 1, line.data(), ropewalk::bench::add_commands);
}
