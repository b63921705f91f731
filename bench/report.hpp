#pragma once
// What a run prints and what it writes.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace ropewalk::bench {

/// Two tables as the runs come: `apply` as precision against speed, then every other noun with its ratios.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  std::string header_;  // the last that was printed
};

/// Google Benchmark's JSON, names as they were registered.
class json_reporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;
};

/// Tells Google Benchmark what was built and where it runs, for the JSON's context.
void describe_build();

}  // namespace ropewalk::bench
