#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "measure/interval.hpp"

namespace ropewalk::bench {
namespace {

using measure::bench_record;
using measure::bench_row;

constexpr std::string_view precision_header =
    "kernel            dtype pairing     tokens   GB/s   of level /memcpy  95 % interval   ulp<2048 <131,072"
    "    <2^20    <2^31  off by";
constexpr std::string_view header_on_axes =
    "kernel            dtype pairing     tokens   GB/s   of level /memcpy  95 % interval       ulp  off by";
constexpr std::string_view footer_on_axes =
    "ulp: of the rounded entry, at sampled tokens; off by: the largest distance of a pair from the exact one";
constexpr std::int64_t shown_limit = 131072;
constexpr std::string_view precision_footer =
    "ulp: of the rounded entry, at positions below a number; off by: the largest distance of a pair from the "
    "exact"
    " (cos, sin) below 131,072";
constexpr std::string_view ratio_header =
    "what              kernel                dtype pairing     tokens       time   GB/s  ratio";

std::string ulp_text(const measure::error_below& error) {
  if (!error.is_served) return "-";
  return error.ulp < 1000 ? fmt::format("{:.3f}", error.ulp) : fmt::format("{:.1e}", error.ulp);
}

/// Whether the errors are those at sampled tokens on axes.
bool is_on_axes(const bench_row& row) { return row.errors.size() == 1 && row.errors.front().limit == 0; }

/// The distance to print.
std::string distance_text(const bench_row& row) {
  for (const measure::error_below& error : row.errors)
    if ((error.limit == shown_limit || is_on_axes(row)) && error.is_served)
      return fmt::format("{:.1e}", error.distance);
  return "-";
}

std::string speed_text(const bench_row& row) {
  const double speed = row.bytes / row.seconds.median;
  return std::isnan(speed) || speed == 0 ? "-" : fmt::format("{:.2f}", speed / 1e9);
}

std::string time_text(double seconds) {
  return std::isnan(seconds) ? "not timed" : measure::time_text(seconds);
}

std::string ratio_text(double ratio) {
  return ratio < 0.1 ? fmt::format("1/{:.0f}", 1 / ratio) : fmt::format("{:.2f}", ratio);
}

/// "1.40 - 1.45", with a ~ if the row is too noisy.
std::string interval_text(const bench_row& row) {
  if (std::isnan(row.ratio.median)) return "not timed";
  return fmt::format("{}{:.2f} - {:.2f}", row.noise.empty() ? "" : "~", row.ratio.low, row.ratio.high);
}

/// The share of the ceiling at the row's level of memory: "62 % L3".
std::string share_text(const bench_row& row) {
  if (std::isnan(row.share)) return "-";
  return fmt::format("{:.0f} % {}", row.share * 100, row.ceiling == "memory" ? "mem" : row.ceiling);
}

std::string precision_line(const bench_row& row) {
  std::string line = fmt::format("{:<17} {:<5} {:<11} {:>6} {:>6} {:>10} {:>7} {:>14} ", row.kernel,
                                 row.dtype, row.pairing, row.tokens, speed_text(row), share_text(row),
                                 std::isnan(row.ratio.median) ? "-" : fmt::format("{:.2f}", row.ratio.median),
                                 interval_text(row));
  for (const measure::error_below& error : row.errors) line += fmt::format(" {:>8}", ulp_text(error));
  return line + fmt::format(" {:>7}", distance_text(row)) + (row.is_wrong ? "  WRONG" : "");
}

std::string ratio_line(const bench_row& row) {
  std::string ratio;
  const auto add = [&](double value, std::string_view other) {
    if (!std::isnan(value))
      ratio += (ratio.empty() ? "" : ", ") + fmt::format("{} of {}", ratio_text(value), other);
  };
  add(row.ratio.median, row.other);
  for (const auto& [key, value] : row.counters) {
    if (!key.starts_with("to_")) continue;
    std::string other = key.substr(3);
    std::replace(other.begin(), other.end(), '_', ' ');
    add(value, other);
  }
  if (!row.noise.empty()) ratio += " ~";
  if (row.is_wrong) ratio += "  WRONG";
  return fmt::format("{:<17} {:<21} {:<5} {:<11} {:>6} {:>10} {:>6}  {}", row.group, row.kernel, row.dtype,
                     row.pairing, row.tokens, time_text(row.seconds.median), speed_text(row), ratio);
}

/// Labels of kernels that are not built in are paths or commands; these are shortened from the left.
bench_row with_short_label(bench_row row, std::size_t longest) {
  if (row.kernel.size() > longest) row.kernel = "..." + row.kernel.substr(row.kernel.size() - longest + 3);
  return row;
}

std::string machine_text(const bench_record& record) {
  const auto said = [&](const char* key) {
    const auto match = record.context.find(key);
    return match == record.context.end() ? std::string("unknown") : match->second;
  };
  std::string targets = said("targets");
  std::string text = fmt::format("ropewalk {}, {}, {} processors of {}, best target {}\n", said("ropewalk"),
                                 said("compiler"), said("processors"), said("processor"),
                                 targets.substr(0, targets.find(' ')));
  if (record.context.contains("vulkan_device")) text += "Vulkan: " + said("vulkan_device") + "\n";
  return text;
}

/// Copy speeds of the machine, one line per number of threads.
std::string ceilings_of(const bench_record& record) {
  std::string text;
  int threads = 0;
  for (const measure::ceiling_record& ceiling : record.ceilings) {
    const bool is_device = ceiling.level == "device";
    if (ceiling.threads != threads || is_device)
      text += (text.empty() ? "\nCopies, GB/s read and written" : "") +
              (is_device ? std::string("\n  the device's own memory:")
                         : fmt::format("\n  {} thread{}:", ceiling.threads, ceiling.threads == 1 ? "" : "s"));
    threads = ceiling.threads;
    text += fmt::format("{} {:.1f}", is_device ? std::string() : "  " + ceiling.level,
                        ceiling.bytes_per_second.median / 1e9);
  }
  return text.empty() ? text : text + "\n";
}

/// Remarks on rows beyond their numbers.
std::string remarks_of(const bench_record& record) {
  std::string text;
  std::size_t noisy = 0, timed = 0;
  bool has_limits = false, has_axes = false;
  for (const bench_row& row : record.rows) (is_on_axes(row) ? has_axes : has_limits) |= !row.errors.empty();
  if (has_limits) text += std::string(precision_footer) + "\n";
  if (has_axes) text += std::string(footer_on_axes) + "\n";
  for (const bench_row& row : record.rows) {
    if (row.is_wrong) text += row.name + ": " + row.check + "\n";
    if (!row.not_timed.empty()) text += row.name + ": " + row.not_timed + "\n";
    noisy += row.noise.empty() ? 0 : 1;
    timed += row.repetitions.empty() ? 0 : 1;
  }
  for (const auto& [key, why] : record.context)
    if (key.starts_with("no ceiling of ")) text += "no ceiling of " + why + "\n";
  for (const bench_row& row : record.rows)
    if (!row.not_counted.empty()) {
      text += "instructions: " + row.not_counted + "\n";
      break;  // the reason is the same for all rows
    }
  if (noisy > 0)
    text += fmt::format(
        "~: {} of {} rows are too noisy to show a change of {:.0f} %; a machine at rest gives "
        "narrower intervals\n",
        noisy, timed, measure::smallest_change * 100);
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string as_text(const bench_record& record) {
  std::string text = machine_text(record);
  std::string_view header;
  for (const bench_row& row : record.rows) {
    const bool is_apply = row.group == "apply";
    const std::string_view name = !is_apply         ? ratio_header
                                  : is_on_axes(row) ? header_on_axes
                                                    : precision_header;
    if (name != header) text += fmt::format("\n{}\n", header = name);
    text +=
        (is_apply ? precision_line(with_short_label(row, 17)) : ratio_line(with_short_label(row, 21))) + "\n";
  }
  return text + ceilings_of(record) + remarks_of(record);
}

}  // namespace ropewalk::bench
