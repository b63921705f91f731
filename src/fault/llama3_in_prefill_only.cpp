// Llama 3 scaling in prefill only: a call of one token, as in decoding, uses the unscaled frequencies.

#include <optional>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct llama3_in_prefill_only_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<llama3>(encoding);
    if (!own) return;
    const rope unscaled{.base = own->base, .rotary_dim = own->rotary_dim};
    decode_ = plan;
    decode_->rows = rope_rows(unscaled);
  }

  const rotation_plan& plan_for(const checked_call& call, const rotation_plan& prefill) const {
    return call.tokens == 1 && decode_ ? *decode_ : prefill;
  }

 private:
  std::optional<rotation_plan> decode_;
};

}  // namespace

ropewalk_kernel llama3_in_prefill_only() {
  return kernel_with<llama3_in_prefill_only_steps>("fault-llama3-in-prefill-only");
}

}  // namespace ropewalk::fault
