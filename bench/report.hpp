#pragma once
// The table that a run prints and the JSON that it writes.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace ropewalk::bench {

/// Prints runs in the order in which they finish, in two kinds of tables: precision against speed for
/// `apply`, ratios for every other noun.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  std::string header_;  // the last one printed
};

/// Writes Google Benchmark's JSON, with names as they were registered.
class json_reporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;
};

/// Adds version, compiler, processor, targets and Vulkan device to the JSON's context.
void describe_build();

}  // namespace ropewalk::bench
