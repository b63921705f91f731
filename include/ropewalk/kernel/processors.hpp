#pragma once
// Processors on which threads may run.

#include <span>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace ropewalk {

/// The processors on which the calling thread may run, in ascending order; empty if unknown.
inline std::vector<int> allowed_processors() {
  std::vector<int> processors;
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set)) processors.push_back(processor);
#endif
  return processors;
}

/// Pins the calling thread to some processors. Returns false, and changes nothing, if the system refuses.
inline bool stay_on(std::span<const int> processors) noexcept {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    if (processor >= 0 && processor < CPU_SETSIZE) CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
#else
  return processors.empty();
#endif
}

}  // namespace ropewalk
