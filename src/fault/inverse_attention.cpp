// Inverse in place of the adjoint: backward divides by the attention factor instead of multiplying by it.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

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

}  // namespace

ropewalk_kernel inverse_attention() {
  return kernel_with<inverse_attention_steps>("fault-inverse-attention");
}

}  // namespace ropewalk::fault
