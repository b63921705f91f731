#pragma once
// Reads from the options what a run measures.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/benchmark_case.hpp"
#include "bench/rotation.hpp"
#include "command/bench_options.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::bench {

/// A run's model, kernels and shapes.
struct request {
  bool is_fixed = false;  // measures the fixed rows: no option chooses a model, kernel or shape
  bool is_quick = false;
  pace how{};
  std::vector<verify::chosen_kernel> kernels;  // rotations; in a fixed run, the compared ones
  std::vector<std::shared_ptr<const measured_rotation>> rotations;  // a fixed run has one per pairing
  std::vector<ropewalk_dtype> dtypes;
  std::vector<std::int64_t> tokens;  // token counts of calls on whole tensors
};

/// Parses the options that choose what to measure. session.understood then describes the model.
///
/// throws  bad_input naming the option, its value and what is allowed; missing_requirement if a device or
///         memory is missing
request asked_for(const command::bench_options& options, command::session& session);

/// cpu-turns and cpu-table on the best target.
std::vector<verify::chosen_kernel> canonical_kernels();

}  // namespace ropewalk::bench
