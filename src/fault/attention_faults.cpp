// The attention factor: missing, applied twice, or applied to wrong numbers.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

// Inverse in place of the adjoint: backward divides by the attention factor instead of multiplying by it.
struct inverse_attention_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    const bool inverts = backward && !unit;
    row.fill(plan, place, unit || inverts, backward);
    if (!inverts) return;
    const Table factor = static_cast<Table>(plan.attention_factor);
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
      const auto [c, s] = row.at(pair);
      row.set(pair,
              {to_bits<Table>(from_bits<Table>(c) / factor), to_bits<Table>(from_bits<Table>(s) / factor)});
    }
  }
};

// Attention factor dropped: cosine and sine are not multiplied by it.
struct attention_dropped_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, own_number::of(1));
  }
};

// Attention factor applied in the unit rotation, too: a cached key that already carries the factor gets it
// again when it is shifted.
struct attention_in_unit_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool,
            bool backward) const {
    row.fill(plan, place, false, backward);
  }
};

// Attention factor applied to the cosine only.
struct attention_cos_only_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    token_row<Table> without(plan.layout.pairs());
    without.fill(plan, place, true, backward);
    row.fill(plan, place, unit, backward);
    for (int pair = 0; pair < plan.layout.pairs(); ++pair)
      row.set(pair, {row.at(pair).first, without.at(pair).second});
  }
};

// Attention factor applied twice: in the table, and again when the table is applied.
struct attention_twice_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, plan.rows.attention_factor() * plan.rows.attention_factor());
  }
};

}  // namespace

ropewalk_kernel inverse_attention() {
  return kernel_with<inverse_attention_steps>("fault-inverse-attention");
}

ropewalk_kernel attention_dropped() {
  return kernel_with<attention_dropped_steps>("fault-attention-dropped");
}

ropewalk_kernel attention_in_unit() {
  return kernel_with<attention_in_unit_steps>("fault-attention-in-unit");
}

ropewalk_kernel attention_cos_only() {
  return kernel_with<attention_cos_only_steps>("fault-attention-cos-only");
}

ropewalk_kernel attention_twice() { return kernel_with<attention_twice_steps>("fault-attention-twice"); }

}  // namespace ropewalk::fault
