#include "bench/instructions.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>

namespace ropewalk::bench {
namespace {

/// Layout of a counter's read, by the read_format below.
struct reading {
  std::uint64_t value = 0;
  std::uint64_t enabled = 0;  // nanoseconds
  std::uint64_t running = 0;  // less than `enabled` if other programs used the counter meanwhile
};

int open_counter() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = PERF_COUNT_HW_INSTRUCTIONS;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  constexpr int this_thread = 0, any_processor = -1, no_group = -1;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, this_thread, any_processor, no_group, PERF_FLAG_FD_CLOEXEC));
}

std::string_view cause_of(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
      return "the system does not allow it; root, CAP_PERFMON or kernel.perf_event_paranoid below 3 would";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV: return "this processor or virtual machine offers no counter of instructions";
    case ENOSYS: return "this system has no such call, or a container's filter hides it";
    default: return "the counter could not be opened";
  }
}

std::string refusal_of(int error) {
  std::string refusal = "perf_event_open: " + std::system_category().message(error) + " (errno " +
                        std::to_string(error) + "): " + std::string(cause_of(error));
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  if (int level = 0; file >> level) refusal += "; kernel.perf_event_paranoid is " + std::to_string(level);
  return refusal;
}

std::optional<reading> read_from(int file) {
  reading result;
  return ::read(file, &result, sizeof result) == static_cast<ssize_t>(sizeof result) ? std::optional(result)
                                                                                     : std::nullopt;
}

}  // namespace

instruction_counter::instruction_counter() : instruction_counter(open_counter) {}

instruction_counter::instruction_counter(const opener& open) : file_(open()) {
  if (file_ < 0) not_counted_ = refusal_of(errno);
}

instruction_counter::~instruction_counter() {
  if (file_ >= 0) close(file_);
}

std::optional<double> instruction_counter::instructions_of(const std::function<void()>& work, int calls) {
  if (file_ < 0) return std::nullopt;
  work();
  const std::optional<reading> begin = read_from(file_);
  for (int call = 0; call < calls; ++call) work();
  const std::optional<reading> end = read_from(file_);
  not_counted_.clear();
  if (!begin || !end)
    not_counted_ = "the counter could not be read";
  else if (end->running == begin->running)
    not_counted_ = "the counter never ran";
  else if (end->running - begin->running != end->enabled - begin->enabled)
    not_counted_ = "other programs took the counter meanwhile";
  if (!not_counted_.empty()) return std::nullopt;
  return static_cast<double>(end->value - begin->value) / calls;
}

}  // namespace ropewalk::bench
