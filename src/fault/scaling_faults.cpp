// Scaling rules applied wrongly, and frequencies computed wrongly under partial rotation.

#include <optional>

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

// YaRN ramp reversed: the weights of the kept and of the divided frequency are exchanged, so that fast pairs
// are divided and slow ones kept.
struct yarn_ramp_reversed_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    const std::vector<own_number> inv_freqs = reversed_ramp(*own);
    plan.rows = rows_of(plan, [&](int pair) { return inv_freqs[static_cast<std::size_t>(pair)]; });
  }
};

// YaRN ramp clamped to rotary_dim / 2 - 1, the last pair, instead of rotary_dim - 1: a ramp that ends beyond
// the last pair becomes too steep.
struct yarn_clamp_at_half_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    const std::vector<own_number> inv_freqs = clamped_ramp(*own);
    if (!inv_freqs.empty())
      plan.rows = rows_of(plan, [&](int pair) { return inv_freqs[static_cast<std::size_t>(pair)]; });
  }
};

// YaRN floor and ceil dropped: the ramp runs between real numbers although `truncate` is true.
struct yarn_untruncated_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    if (const std::optional<rope> other = changed_rope(encoding, rope_change::untruncated))
      plan.rows = rope_rows(*other);
  }
};

// Llama 3 scaling only in prefill: a call of one token, as in decoding, uses the unscaled frequencies.
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

// LongRoPE switch at >= L: the long list is used one token early, for a sequence of exactly the original
// length.
struct longrope_switch_at_original_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    std::optional<rope> own = own_rope<longrope>(encoding);
    if (!own ||
        static_cast<double>(own->seq_len) != own->scaling.as<longrope>().original_max_position_embeddings)
      return;
    ++own->seq_len;
    plan.rows = rope_rows(*own);
  }
};

// LongRoPE's attention factor dropped for the short list, as if it belonged only to the long list.
struct longrope_attention_short_dropped_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<longrope>(encoding);
    if (!own || takes_long_list(own->scaling.as<longrope>(), own->seq_len)) return;
    plan.rows = rows_with_factor(plan, own_number::of(1));
  }
};

// Dynamic NTK constant: the base is computed once, for max_position_embeddings, and does not grow with the
// sequence.
struct dynamic_constant_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    if (const std::optional<rope> other = changed_rope(encoding, rope_change::constant_length))
      plan.rows = rope_rows(*other);
  }
};

// Exponent over head_dim: under partial rotation, frequencies are computed as if the whole head rotated.
struct exponent_over_head_dim_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> whole = changed_rope(encoding, rope_change::exponent_over_head_dim);
    if (!whole) return;
    const auto shared = share<rope_rows::limb_count>(*whole);
    plan.rows =
        rows_of(plan, [&](int pair) { return rope_inv_freq<rope_rows::limb_count>(pair, *whole, shared); });
  }
};

}  // namespace

ropewalk_kernel yarn_ramp_reversed() {
  return kernel_with<yarn_ramp_reversed_steps>("fault-yarn-ramp-reversed");
}

ropewalk_kernel yarn_clamp_at_half() {
  return kernel_with<yarn_clamp_at_half_steps>("fault-yarn-clamp-at-half");
}

ropewalk_kernel yarn_untruncated() { return kernel_with<yarn_untruncated_steps>("fault-yarn-untruncated"); }

ropewalk_kernel llama3_in_prefill_only() {
  return kernel_with<llama3_in_prefill_only_steps>("fault-llama3-in-prefill-only");
}

ropewalk_kernel longrope_switch_at_original() {
  return kernel_with<longrope_switch_at_original_steps>("fault-longrope-switch-at-original");
}

ropewalk_kernel longrope_attention_short_dropped() {
  return kernel_with<longrope_attention_short_dropped_steps>("fault-longrope-attention-short-dropped");
}

ropewalk_kernel dynamic_constant() { return kernel_with<dynamic_constant_steps>("fault-dynamic-constant"); }

ropewalk_kernel exponent_over_head_dim() {
  return kernel_with<exponent_over_head_dim_steps>("fault-exponent-over-head-dim");
}

}  // namespace ropewalk::fault
