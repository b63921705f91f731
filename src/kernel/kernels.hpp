#pragma once
// The kernels of this library, by their C entries.

#include <span>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// Every output is the exact value rounded once: slow, the truth.
ropewalk_kernel exact_kernel();

/// The canonical operation with each token's row computed from integer phases: on the best target that the
/// processor has as `cpu-turns`, then on every one as `cpu-turns-TARGET`. Binary64 data is left to cpu-table.
std::vector<ropewalk_kernel> cpu_turns_kernels();
ropewalk_kernel cpu_turns_kernel();

/// The canonical operation with rows from a table: `cpu-table`, then `cpu-table-TARGET`.
std::vector<ropewalk_kernel> cpu_table_kernels();
ropewalk_kernel cpu_table_kernel();

/// Sinusoidal rows added to tokens, canonical: `cpu-sinusoidal-add`, then `cpu-sinusoidal-add-TARGET`.
std::vector<ropewalk_kernel> sinusoidal_add_kernels();

/// ALiBi's bias added to scores, canonical: `cpu-alibi-add`, then `cpu-alibi-add-TARGET`.
std::vector<ropewalk_kernel> alibi_add_kernels();

/// Each rotation on its best target: what is held to the laws of rotations unless more is named.
std::span<const ropewalk_kernel> built_in_kernels();

/// These first, then every rotation on each target.
std::span<const ropewalk_kernel> all_kernels();

/// Each addition on its best target, and then on each.
std::span<const ropewalk_kernel> addition_kernels();
std::span<const ropewalk_kernel> all_addition_kernels();

/// What ropewalk_kernels hands out: built_in_kernels and addition_kernels.
std::span<const ropewalk_kernel> exported_kernels();
/// Pointers to them.
std::span<const ropewalk_kernel* const> kernel_pointers();

/// What engines do instead, for comparing: kernel/recipe/recipes.hpp describes each. None is canonical, none
/// is exported.
std::span<const ropewalk_kernel> recipe_kernels();

}  // namespace ropewalk
