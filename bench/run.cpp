#include "bench/run.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "kernel/simd/simd.hpp"
#include "measure/interval.hpp"
#include "output/terminal.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::bench {
namespace {

/// Prints nothing: the table is printed after all repetitions.
class silent_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// Runs one repetition. A row that has failed is skipped.
void repeat(benchmark_case& timed, const pace& how) {
  if (!timed.row.not_timed.empty()) return;
  try {
    timed.repeat(timed.row, how);
  } catch (const std::exception& error) {
    timed.row.not_timed = std::string("not timed: ") + error.what();
    timed.row.repetitions.clear();
  }
}

/// Sets the errors of a row. If the kernel fails at the sampled positions, there are none, and the check says
/// so.
void set_errors(benchmark_case& timed) {
  if (!timed.errors) return;
  try {
    timed.row.errors = timed.errors();
  } catch (const std::exception& error) {
    timed.row.check += std::string(timed.row.check.empty() ? "" : "; ") + "no errors: " + error.what();
  }
}

void register_case(benchmark_case& timed, const pace& how, const std::function<void()>& done) {
  const auto run = [&timed, how, done](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      const auto begin = std::chrono::steady_clock::now();
      repeat(timed, how);
      state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    done();
  };
  benchmark::RegisterBenchmark(timed.row.name.c_str(), run)
      ->Iterations(1)
      ->Repetitions(how.repetitions)
      ->UseManualTime();
}

/// Starts Google Benchmark with repetitions of all rows in random order.
void initialize() {
  std::string words[] = {"ropewalk_bench", "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> chars;
  for (std::string& word : words) chars.push_back(word.data());
  int count = static_cast<int>(chars.size());
  chars.push_back(nullptr);
  benchmark::Initialize(&count, chars.data());
}

/// Model name of the first processor, as the system reports it.
std::string processor() {
  std::ifstream text("/proc/cpuinfo");
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

#if defined(__clang__)
constexpr std::string_view compiler = "clang " __clang_version__;
#else
constexpr std::string_view compiler = "g++ " __VERSION__;
#endif

}  // namespace

void filter(case_list& cases, const std::string& regex) {
  if (regex.empty()) return;
  const bool excludes = regex.starts_with('-');
  std::regex wanted;
  try {
    wanted.assign(excludes ? regex.substr(1) : regex, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    throw bad_input("benchmark_filter", regex, "an ECMAScript regular expression");
  }
  std::erase_if(cases, [&](const benchmark_case& timed) {
    const std::string& name = timed.row.name;
    return (std::regex_search(name, wanted) || std::regex_search(name + "/", wanted)) == excludes;
  });
  if (cases.empty())
    throw bad_input("benchmark_filter", regex,
                    "a regular expression that matches a name of --benchmark_list_tests");
}

void measure_all(case_list& cases, const pace& how, bool is_quiet) {
  const auto repetitions = static_cast<std::uint64_t>(how.repetitions);
  output::progress_bar progress("bench", cases.size() * (repetitions + 1), is_quiet);
  std::uint64_t steps = 0;
  const auto step = [&] { progress.show(++steps); };
  initialize();
  for (benchmark_case& test_case : cases) register_case(test_case, how, step);
  silent_reporter nothing;
  benchmark::RunSpecifiedBenchmarks(&nothing);
  benchmark::ClearRegisteredBenchmarks();
  for (benchmark_case& test_case : cases) {
    set_errors(test_case);
    measure::estimate_row(test_case.row);
    step();
  }
}

std::map<std::string, std::string> context_of(const std::string& command_line) {
  std::string targets;
  for (const simd::target* target : simd::targets())
    targets += (targets.empty() ? "" : " ") + std::string(target->name);
  std::map<std::string, std::string> context{
      {"ropewalk", version},
      {"compiler", std::string(compiler)},
      {"processor", processor()},
      {"processors", std::to_string(benchmark::CPUInfo::Get().num_cpus)},
      {"targets", targets},
      {"command", command_line},
      {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
  if (vulkan::why_no_device().empty()) context["vulkan_device"] = vulkan::device_text();
  return context;
}

}  // namespace ropewalk::bench
