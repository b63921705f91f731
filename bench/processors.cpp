#include "bench/processors.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <string>

namespace ropewalk::bench {
namespace {

std::vector<int> allowed() {
  cpu_set_t set;
  std::vector<int> r;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return r;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set)) r.push_back(processor);
  return r;
}

bool allow(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Whether no processor before this one belongs to its core, as far as the system says.
bool begins_core(int processor) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                     "/topology/thread_siblings_list");
  std::string list;
  std::getline(file, list);
  const int first = first_processor(list);
  return first < 0 || first == processor;
}

}  // namespace

int first_processor(std::string_view list) {
  int r = -1;
  std::from_chars(list.data(), list.data() + list.size(), r);
  return r;
}

std::vector<int> usable_processors() {
  std::vector<int> r, others;
  for (const int processor : allowed()) (begins_core(processor) ? r : others).push_back(processor);
  r.insert(r.end(), others.begin(), others.end());
  return r;
}

long departures() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw + used.ru_nvcsw;
}

moved_thread::moved_thread(int processor) : before_(allowed()) {
  if (!allow({processor})) before_.clear();
}

moved_thread::~moved_thread() {
  if (!before_.empty()) allow(before_);
}

}  // namespace ropewalk::bench
