#include "kernel/kernels.hpp"

#include <cstddef>

namespace ropewalk {
namespace {

constexpr std::size_t best_kernels = 3;

std::vector<ropewalk_kernel> make_kernels() {
  const std::vector<ropewalk_kernel> turns = cpu_turns_kernels(), table = cpu_table_kernels();
  std::vector<ropewalk_kernel> r{exact_kernel(), turns.front(), table.front()};
  r.insert(r.end(), turns.begin() + 1, turns.end());
  r.insert(r.end(), table.begin() + 1, table.end());
  return r;
}

}  // namespace

std::span<const ropewalk_kernel> all_kernels() {
  static const std::vector<ropewalk_kernel> kernels = make_kernels();
  return kernels;
}

ropewalk_kernel cpu_turns_kernel() { return all_kernels()[1]; }

ropewalk_kernel cpu_table_kernel() { return all_kernels()[2]; }

std::span<const ropewalk_kernel> built_in_kernels() { return all_kernels().first(best_kernels); }

}  // namespace ropewalk
