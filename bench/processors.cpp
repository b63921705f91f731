#include "bench/processors.hpp"

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <string>

#include "ropewalk/kernel/processors.hpp"

namespace ropewalk::bench {
namespace {

/// Whether a processor is the first of its core, as far as the system states it.
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
  int processor = -1;
  std::from_chars(list.data(), list.data() + list.size(), processor);
  return processor;
}

std::vector<int> usable_processors() {
  std::vector<int> processors, others;
  for (const int processor : allowed_processors())
    (begins_core(processor) ? processors : others).push_back(processor);
  processors.insert(processors.end(), others.begin(), others.end());
  return processors;
}

long departures() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw;
}

moved_thread::moved_thread(int processor) : before_(allowed_processors()) {
  if (!stay_on({&processor, 1})) before_.clear();
}

moved_thread::~moved_thread() {
  if (!before_.empty()) stay_on(before_);
}

}  // namespace ropewalk::bench
