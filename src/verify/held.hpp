#pragma once
// Holds a kernel to a promise on a subject.

#include <memory>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "search/size_cases.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {

/// A canonical kernel other than the judged one, whatever the judged one's target.
inline const ropewalk_kernel& canonical_beside(const ropewalk_kernel& judged) {
  static const ropewalk_kernel table = cpu_table_kernel(), turns = cpu_turns_kernel();
  return std::string_view(judged.name).starts_with(table.name) ? turns : table;
}

/// Whether each position of a model's context is asked of a kernel: of those that are not this library's own,
/// whose every row a proof covers, and that read a call where it lies.
inline bool asks_each_position(const judged_kernel& kernel) {
  return !kernel.chosen.is_built_in() && !is_gathered(*kernel.chosen.kernel);
}

/// Positions of a model's context; where it is not known, those of one call.
inline std::int64_t context_of(const model::model& model) {
  return model.max_position_embeddings > 0 ? model.max_position_embeddings : search::most_positions_at_once;
}

/// Calls of the model's own, as cases take them.
inline std::vector<placed_call> placed_calls_of(const model::model& model) {
  std::vector<placed_call> calls;
  for (const input::axis_positions& call : own_calls(model))
    calls.push_back(
        {call.is_real() ? call.real : std::vector<double>(call.numbers.begin(), call.numbers.end()),
         call.is_real()});
  return calls;
}

/// Holds a rotation, with a canonical kernel to compare it with.
inline std::unique_ptr<checked_rotation> hold(const ropewalk_kernel& kernel, const promise& promised,
                                              const rotation_subject& subject, const asked_calls& calls) {
  const model::model& model = subject.model;
  return std::make_unique<checked_rotation>(
      kernel, promised, model.encoding, model.layout,
      rotated_model{model.config, model.axes, model.query_heads, model.key_heads,
                    model.max_position_embeddings, model.coordinates, placed_calls_of(model)},
      calls.beside(canonical_beside(kernel)));
}

inline std::unique_ptr<checked_addition> hold(const ropewalk_kernel& kernel, const promise& promised,
                                              const addition_subject& subject, const asked_calls& calls) {
  return std::make_unique<checked_addition>(kernel, promised, subject.truth, calls);
}

}  // namespace ropewalk::verify
