#pragma once
// A kernel held to a promise on a subject.

#include <memory>

#include "verify/verification.hpp"

namespace ropewalk::verify {

inline std::unique_ptr<held_rotation> hold(const judged_kernel& kernel, const promise& promised,
                                           const rotation_subject& on, const asked_calls& asked) {
  const model::model& of = on.model;
  return std::make_unique<held_rotation>(*kernel.chosen.kernel, promised, of.encoding, of.layout,
                                         rotated_model{of.config, of.axes, of.query_heads, of.key_heads},
                                         asked);
}

inline std::unique_ptr<held_addition> hold(const judged_kernel& kernel, const promise& promised,
                                           const addition_subject& on, const asked_calls& asked) {
  return std::make_unique<held_addition>(*kernel.chosen.kernel, promised, on.truth, asked);
}

}  // namespace ropewalk::verify
