#include "ropewalk/law/kernel/call_memory.hpp"

#include <map>
#include <mutex>

namespace ropewalk {

namespace {

struct shared_memories {
  std::mutex mutex;
  std::map<decltype(ropewalk_kernel::plan), call_memory*> of_plan;  // keyed by the kernel's function
};

shared_memories& all_shared_memories() {
  static shared_memories all;
  return all;
}

}  // namespace

void share_memory(const ropewalk_kernel& kernel, call_memory& memory) {
  shared_memories& all = all_shared_memories();
  const std::lock_guard lock(all.mutex);
  all.of_plan[kernel.plan] = &memory;
}

call_memory* shared_memory_of(const ropewalk_kernel& kernel) {
  shared_memories& all = all_shared_memories();
  const std::lock_guard lock(all.mutex);
  const auto match = all.of_plan.find(kernel.plan);
  return match == all.of_plan.end() ? nullptr : match->second;
}

}  // namespace ropewalk
