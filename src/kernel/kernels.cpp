#include "kernel/kernels.hpp"

#include <cstddef>
#include <initializer_list>

namespace ropewalk {
namespace {

constexpr std::size_t rotations = 3;  // exact, cpu-turns, cpu-table
constexpr std::size_t additions = 2;

/// Appends the first kernel of each list, the best target's, and then all the others.
void append_best_first(std::vector<ropewalk_kernel>& to,
                       std::initializer_list<std::vector<ropewalk_kernel>> lists) {
  for (const auto& kernels : lists) to.push_back(kernels.front());
  for (const auto& kernels : lists) to.insert(to.end(), kernels.begin() + 1, kernels.end());
}

}  // namespace

// The lists are never freed: callers may keep kernels forever, and their statics may outlive ours.

std::span<const ropewalk_kernel> all_kernels() {
  static const auto& kernels = *[] {
    auto* made = new std::vector<ropewalk_kernel>{exact_kernel()};
    append_best_first(*made, {cpu_turns_kernels(), cpu_table_kernels()});
    return made;
  }();
  return kernels;
}

std::span<const ropewalk_kernel> all_addition_kernels() {
  static const auto& kernels = *[] {
    auto* made = new std::vector<ropewalk_kernel>;
    append_best_first(*made, {sinusoidal_add_kernels(), alibi_add_kernels()});
    return made;
  }();
  return kernels;
}

std::span<const ropewalk_kernel> exported_kernels() {
  static const auto& kernels = *[] {
    auto* made = new std::vector<ropewalk_kernel>(built_in_kernels().begin(), built_in_kernels().end());
    made->insert(made->end(), addition_kernels().begin(), addition_kernels().end());
    return made;
  }();
  return kernels;
}

std::span<const ropewalk_kernel* const> kernel_pointers() {
  static const auto& pointers = *[] {
    auto* made = new std::vector<const ropewalk_kernel*>;
    for (const ropewalk_kernel& kernel : exported_kernels()) made->push_back(&kernel);
    return made;
  }();
  return pointers;
}

ropewalk_kernel cpu_turns_kernel() { return all_kernels()[1]; }

ropewalk_kernel cpu_table_kernel() { return all_kernels()[2]; }

std::span<const ropewalk_kernel> built_in_kernels() { return all_kernels().first(rotations); }

std::span<const ropewalk_kernel> addition_kernels() { return all_addition_kernels().first(additions); }

}  // namespace ropewalk
