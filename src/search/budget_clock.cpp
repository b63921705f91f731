#include "search/budget_clock.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <vector>

namespace ropewalk::search {
namespace {

using std::chrono::microseconds, std::chrono::nanoseconds, std::chrono::seconds;

nanoseconds of(const timespec& time) { return seconds(time.tv_sec) + nanoseconds(time.tv_nsec); }
nanoseconds of(const timeval& time) { return seconds(time.tv_sec) + microseconds(time.tv_usec); }

std::mutex processes_mutex;
std::vector<pid_t> processes;

nanoseconds of_process(pid_t process) {
  clockid_t clock{};
  timespec time{};
  const bool is_alive = ::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &time) == 0;
  return is_alive ? of(time) : nanoseconds{};
}

nanoseconds processor_time() {
  timespec own{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  const std::lock_guard lock(processes_mutex);
  rusage ended{};
  ::getrusage(RUSAGE_CHILDREN, &ended);
  nanoseconds time = of(own) + of(ended.ru_utime) + of(ended.ru_stime);
  for (const pid_t process : processes) time += of_process(process);
  return time;
}

nanoseconds time_passed() {
  static const auto began = std::chrono::steady_clock::now();
  return std::chrono::steady_clock::now() - began;
}

}  // namespace

budget_clock::time_point budget_clock::now() {
  constexpr seconds after_epoch{1};  // the epoch stands for "no end"
  static std::atomic<nanoseconds::rep> latest{0};
  const nanoseconds time = std::max(processor_time(), time_passed() / most_waiting);
  // The time of a process that has just ended is missing until its parent has added it.
  nanoseconds::rep before = latest;
  while (before < time.count() && !latest.compare_exchange_weak(before, time.count())) {
  }
  return time_point(after_epoch + nanoseconds(std::max(before, time.count())));
}

double processor_seconds() { return std::chrono::duration<double>(processor_time()).count(); }

counted_process::counted_process(pid_t process) : process_(process) {
  if (process_ <= 0) return;
  const std::lock_guard lock(processes_mutex);
  processes.push_back(process_);
}

counted_process::~counted_process() {
  if (process_ <= 0) return;
  const std::lock_guard lock(processes_mutex);
  processes.erase(std::find(processes.begin(), processes.end(), process_));
}

}  // namespace ropewalk::search
