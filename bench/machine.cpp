#include "bench/machine.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/ceilings.hpp"
#include "bench/device_ceiling.hpp"
#include "gpu/kernel_device.hpp"
#include "measure/interval.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::string_view device_level = "device";

measure::ceiling_record record_of(const ceiling& ceiling) {
  return {ceiling.level, std::max(ceiling.threads, 1), static_cast<double>(ceiling.working_set),
          measure::estimate_of({ceiling.bytes_per_second})};
}

/// Whether the device itself times a row, on tensors in its memory.
bool is_on_device(const benchmark_case& timed) { return timed.row.other == contiguous_copy; }

/// The ceiling of a row; null if it has none.
const ceiling* ceiling_for(const benchmark_case& timed, const std::vector<ceiling>& ceilings) {
  if (is_on_device(timed)) {
    const auto match = std::find_if(ceilings.begin(), ceilings.end(),
                                    [](const ceiling& ceiling) { return ceiling.level == device_level; });
    return match == ceilings.end() ? nullptr : &*match;
  }
  if (timed.working_set == 0) return nullptr;
  return ceiling_of(ceilings, static_cast<std::size_t>(timed.working_set), timed.row.threads);
}

void add_device(ceiling_list& list) {
  try {
    list.ceilings.push_back(device_ceiling(*vulkan::shared_device()));
  } catch (const std::exception& error) {
    list.left_out.push_back(std::string(device_level) + ": " + error.what());
  }
}

}  // namespace

void measure_ceilings(measure::bench_record& record, case_list& cases) {
  std::set<int> threads;
  bool has_device = false;
  for (const benchmark_case& test_case : cases) {
    if (test_case.working_set > 0) threads.insert(test_case.row.threads);
    has_device = has_device || is_on_device(test_case);
  }
  ceiling_list list = machine_ceilings(std::vector<int>(threads.begin(), threads.end()));
  if (has_device) add_device(list);
  for (const ceiling& ceiling : list.ceilings) record.ceilings.push_back(record_of(ceiling));
  for (const std::string& reason : list.left_out)
    record.context["no ceiling of " + reason.substr(0, reason.find(':'))] = reason;
  for (benchmark_case& test_case : cases)
    if (const ceiling* ceiling = ceiling_for(test_case, list.ceilings)) {
      test_case.row.ceiling = ceiling->level;
      test_case.row.share =
          test_case.row.bytes / test_case.row.seconds.median / measure::median(ceiling->bytes_per_second);
    }
}

}  // namespace ropewalk::bench
