#pragma once
// The kernels of this library, as entries of the C interface.

#include <span>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// The slow rotation that rounds every exact value once.
ropewalk_kernel exact_kernel();

/// The canonical rotation with each token's row computed from integer phases: `cpu-turns` on the processor's
/// best target, then one `cpu-turns-TARGET` per target. Declines binary64 data, which cpu-table serves.
std::vector<ropewalk_kernel> cpu_turns_kernels();
ropewalk_kernel cpu_turns_kernel();

/// The canonical rotation with rows from a table: `cpu-table`, then `cpu-table-TARGET`.
std::vector<ropewalk_kernel> cpu_table_kernels();
ropewalk_kernel cpu_table_kernel();

/// Sinusoidal rows added to tokens, canonical: `cpu-sinusoidal-add`, then `cpu-sinusoidal-add-TARGET`.
std::vector<ropewalk_kernel> sinusoidal_add_kernels();

/// ALiBi's bias added to scores, canonical: `cpu-alibi-add`, then `cpu-alibi-add-TARGET`.
std::vector<ropewalk_kernel> alibi_add_kernels();

/// Each rotation on its best target: the kernels that the rotation laws check by default.
std::span<const ropewalk_kernel> built_in_kernels();

/// The built-in kernels first, then every rotation on each target.
std::span<const ropewalk_kernel> all_kernels();

/// Each addition on its best target.
std::span<const ropewalk_kernel> addition_kernels();
/// These first, then every addition on each target.
std::span<const ropewalk_kernel> all_addition_kernels();

/// The slow additions that round every exact value once: `exact-sinusoidal-add` and `exact-alibi-add`. Not
/// exported.
std::span<const ropewalk_kernel> exact_addition_kernels();

/// The kernels that ropewalk_kernels returns: built_in_kernels and addition_kernels.
std::span<const ropewalk_kernel> exported_kernels();
/// Pointers to the exported kernels, as ropewalk_kernels returns them.
std::span<const ropewalk_kernel* const> kernel_pointers();

/// Rotations as inference engines compute them, for comparison: kernel/recipe/recipes.hpp describes all but
/// the last, `recipe-hf-eager`, which application.hpp describes. None is canonical or exported.
std::span<const ropewalk_kernel> recipe_kernels();

}  // namespace ropewalk
