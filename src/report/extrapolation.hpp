#pragma once
// Prints measurements beyond the training length of a model: of its RoPE, of every other encoding for
// comparison, and of every rule of context extension.

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/measure/context_extension.hpp"
#include "ropewalk/measure/error_growth.hpp"
#include "ropewalk/measure/phase_coverage.hpp"
#include "ropewalk/measure/rounding_growth.hpp"

namespace ropewalk::report {

/// The trained and the target length, and the option or field that each comes from.
struct asked_lengths {
  length_pair lengths;
  std::string trained_from;
  std::string target_from;
};

/// Prints the measurements for both lengths; `model` is at the target length.
void print_extrapolation(const model::model& model, const asked_lengths& lengths, bool as_json);

}  // namespace ropewalk::report
