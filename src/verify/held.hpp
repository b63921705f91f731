#pragma once
// Pairs a kernel with a promise and a subject, ready for the laws.

#include <memory>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "search/size_cases.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {

/// A canonical kernel to compare with; never the judged kernel on another target.
inline const ropewalk_kernel& canonical_beside(const ropewalk_kernel& judged) {
  static const ropewalk_kernel table = cpu_table_kernel(), turns = cpu_turns_kernel();
  return std::string_view(judged.name).starts_with(table.name) ? turns : table;
}

/// Whether a kernel runs every position of a model's context. Built-in kernels need not, since a proof covers
/// every row; nor do kernels whose calls are gathered first.
inline bool asks_each_position(const judged_kernel& kernel) {
  return !kernel.chosen.is_built_in() && !is_gathered(*kernel.chosen.entry);
}

/// Number of positions in a model's context; if unknown, of the largest call.
inline std::int64_t context_of(const model::model& model) {
  return model.max_position_embeddings > 0 ? model.max_position_embeddings : search::most_positions_at_once;
}

/// The model's own calls, in the form that cases use.
inline std::vector<placed_call> placed_calls_of(const model::model& model) {
  std::vector<placed_call> calls;
  for (const input::axis_positions& call : own_calls(model))
    calls.push_back(
        {call.is_real() ? call.real : std::vector<double>(call.numbers.begin(), call.numbers.end()),
         call.is_real()});
  return calls;
}

/// A rotation under a promise, with a canonical kernel to compare it with.
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
