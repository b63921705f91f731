#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string_view>

#include "bench/measured_error.hpp"
#include "gpu/kernel_device.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::bench {
namespace {

using run_type = benchmark::BenchmarkReporter::Run;

constexpr std::string_view precision_header =
    "kernel            dtype pairing     tokens   GB/s /memcpy  max ulp < 2048  < 131,072    < 2^20"
    "    < 2^31  correctly rounded";
constexpr std::string_view ratio_header =
    "what              kernel            dtype pairing     tokens       time   GB/s  ratio";

struct name_parts {
  std::string noun, kernel, dtype, pairing, tokens;
};

name_parts parts_of(const run_type& run) {
  name_parts r;
  std::istringstream name(run.run_name.function_name);
  for (std::string* part : {&r.noun, &r.kernel, &r.dtype, &r.pairing, &r.tokens})
    std::getline(name, *part, '/');
  return r;
}

double counter(const run_type& run, const std::string& name) {
  const auto found = run.counters.find(name);
  return found == run.counters.end() ? std::nan("") : found->second.value;
}

std::string ulp_text(double ulp) {
  return ulp < 1000 ? fmt::format("{:.3f}", ulp) : fmt::format("{:.1e}", ulp);
}

/// Truncated, not rounded: only a share of exactly 1 prints as 100 %.
std::string share_text(double share) {
  return share == 1 ? "100 %" : fmt::format("{:.2f} %", std::floor(share * 10000) / 100);
}

std::string speed_text(double bytes_per_second) {
  return std::isnan(bytes_per_second) ? "-" : fmt::format("{:.2f}", bytes_per_second / 1e9);
}

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.1f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  return fmt::format("{:.3f} ms", seconds * 1e3);
}

std::string precision_line(const run_type& run, const name_parts& name) {
  std::string line =
      fmt::format("{:<17} {:<5} {:<11} {:>6} {:>6} {:>7.2f}", name.kernel, name.dtype, name.pairing,
                  name.tokens, speed_text(counter(run, "bytes_per_second")), counter(run, "to_memcpy"));
  constexpr std::array width = {16, 11, 10, 10};
  for (std::size_t i = 0; i < error_limits.size(); ++i)
    line +=
        fmt::format("{:>{}}", ulp_text(counter(run, "max_ulp_" + std::to_string(error_limits[i]))), width[i]);
  const double share = counter(run, "correctly_rounded_" + std::to_string(error_limits.back()));
  return line + fmt::format("{:>19}", share_text(share));
}

std::string ratio_line(const run_type& run, const name_parts& name) {
  std::string ratio;
  for (const auto& [key, value] : run.counters)
    if (key.starts_with("to_"))
      ratio += (ratio.empty() ? "" : ", ") +
               (value < 0.1 ? fmt::format("1/{:.0f}", 1 / value) : fmt::format("{:.2f}", value.value)) +
               " of " + key.substr(3);
  std::replace(ratio.begin(), ratio.end(), '_', ' ');
  return fmt::format("{:<17} {:<17} {:<5} {:<11} {:>6} {:>10} {:>6}  {}", name.noun, name.kernel, name.dtype,
                     name.pairing, name.tokens, time_text(counter(run, "median_seconds")),
                     speed_text(counter(run, "bytes_per_second")), ratio);
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

bool table_reporter::ReportContext(const Context& context) {
  GetOutputStream() << fmt::format("ropewalk {}, {}, {} processors of {}, best target {}\n", version,
                                   compiler, context.cpu_info.num_cpus, processor(),
                                   simd::targets().front()->name);
  if (vulkan::why_no_device().empty()) GetOutputStream() << "Vulkan: " << vulkan::device_text() << '\n';
  return true;
}

void table_reporter::ReportRuns(const std::vector<Run>& runs) {
  std::ostream& out = GetOutputStream();
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    const name_parts name = parts_of(run);
    if (run.error_occurred) {
      out << run.run_name.function_name << ": " << run.error_message << '\n';
      continue;
    }
    const bool is_apply = name.noun == "apply";
    const std::string_view header = is_apply ? precision_header : ratio_header;
    if (header != header_) out << '\n' << (header_ = header) << '\n';
    out << (is_apply ? precision_line(run, name) : ratio_line(run, name)) << std::endl;
  }
}

void json_reporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> named = runs;
  for (Run& run : named) {
    run.run_name.iterations.clear();
    run.run_name.time_type.clear();
  }
  JSONReporter::ReportRuns(named);
}

void describe_build() {
  std::string targets;
  for (const simd::target* target : simd::targets()) (targets += targets.empty() ? "" : " ") += target->name;
  benchmark::AddCustomContext("ropewalk", version);
  benchmark::AddCustomContext("compiler", std::string(compiler));
  benchmark::AddCustomContext("processor", processor());
  benchmark::AddCustomContext("targets", targets);
  if (vulkan::why_no_device().empty()) benchmark::AddCustomContext("vulkan_device", vulkan::device_text());
}

}  // namespace ropewalk::bench
