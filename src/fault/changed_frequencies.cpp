// Frequencies of a rule other than the model's.

#include <optional>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

enum class frequency_change {
  unscaled,
  unscaled_without_factor,
  all_divided,
  other_list,
  truncated,
  exponent_halved,
  usual_base
};

constexpr double most_common_base = 10000;

/// A model's configuration with a change applied; nullopt where the change does not apply.
std::optional<rope> changed(const rope& own, frequency_change change) {
  const auto with = [&](const rope_scaling& scaling) {
    return rope{.base = own.base, .rotary_dim = own.rotary_dim, .scaling = scaling};
  };
  const bool is_unscaled = own.scaling.is<ropewalk::unscaled>();
  switch (change) {
    case frequency_change::unscaled:
    case frequency_change::unscaled_without_factor:
      if (is_unscaled || own.scaling.is<dynamic>())
        return std::nullopt;  // dynamic NTK has a fault of its own
      return with({});
    case frequency_change::all_divided:
      if (!own.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; })) return std::nullopt;
      return with(linear{factor_of(own.scaling)});
    case frequency_change::other_list: {
      if (!own.scaling.is<longrope>()) return std::nullopt;
      const auto& rule = own.scaling.as<longrope>();
      rope other = own;
      other.seq_len = takes_long_list(rule, own.seq_len)
                          ? 0
                          : static_cast<std::int64_t>(rule.original_max_position_embeddings) + 1;
      return other;
    }
    case frequency_change::truncated: {
      if (!own.scaling.is<yarn>() || own.scaling.as<yarn>().truncate) return std::nullopt;
      rope other = own;
      other.scaling.as<yarn>().truncate = true;
      return other;
    }
    case frequency_change::exponent_halved:
      if (!is_unscaled || 2 * own.rotary_dim > largest_head_dim) return std::nullopt;
      return rope{.base = own.base, .rotary_dim = 2 * own.rotary_dim};
    case frequency_change::usual_base: break;
  }
  if (!is_unscaled || own.base == most_common_base) return std::nullopt;
  return rope{.base = most_common_base, .rotary_dim = own.rotary_dim};
}

struct changed_frequency_steps : canonical_steps {
  frequency_change change = frequency_change::unscaled;

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    if (!own) return;
    const std::optional<rope> other = changed(own->encoding, change);
    if (!other) return;
    const bool has_factor = compare(plan.rows.attention_factor(), own_number::of(1)) != order::equal;
    if (change == frequency_change::unscaled_without_factor && !has_factor) return;  // same as `unscaled`
    const auto shared = share<rope_rows::limb_count>(*other);
    plan.rows =
        rows_of(plan, [&](int pair) { return rope_inv_freq<rope_rows::limb_count>(pair, *other, shared); });
    if (change == frequency_change::unscaled_without_factor)
      plan.rows = rows_with_factor(plan, own_number::of(1));
    if (change == frequency_change::other_list)
      plan.rows = rows_with_factor(plan, rope_attention_factor<rope_rows::limb_count>(*other));
  }
};

struct bfloat16_frequency_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    plan.rows = rows_of(plan, [&](int pair) {
      const auto rounded = convert<bfloat16, double>(to_bits(encoding.inv_freq[pair]));
      return own_number::of(from_bits<double>(convert<double, bfloat16>(rounded)));
    });
  }
};

}  // namespace

std::vector<known_fault> changed_frequencies() {
  using enum frequency_change;
  return {
      {kernel_with_steps<changed_frequency_steps{{}, frequency_change::unscaled}>("fault-unscaled"),
       "the frequencies are the unscaled ones"},
      {kernel_with_steps<changed_frequency_steps{{}, unscaled_without_factor}>(
           "fault-unscaled-without-factor"),
       "the scaling rule is not applied: unscaled frequencies, and no attention factor"},
      {kernel_with_steps<changed_frequency_steps{{}, all_divided}>("fault-all-divided"),
       "all frequencies are divided by the factor, where a ramp keeps some"},
      {kernel_with_steps<changed_frequency_steps{{}, other_list}>("fault-longrope-other-list"),
       "longrope takes the other list of factors: it switches at another length"},
      {kernel_with_steps<changed_frequency_steps{{}, truncated}>("fault-yarn-truncated"),
       "the YaRN ramp runs between whole pairs, although truncate is false"},
      {kernel_with_steps<changed_frequency_steps{{}, exponent_halved}>("fault-exponent-halved"),
       "the exponents are half of what they should be: pair / rotary_dim in place of 2 pair / rotary_dim"},
      {kernel_with_steps<changed_frequency_steps{{}, usual_base}>("fault-base-10000"),
       "the base is 10000, whatever the model's is"},
      {kernel_with<bfloat16_frequency_steps>("fault-frequencies-bf16"),
       "the frequencies are rounded to bfloat16"},
  };
}

}  // namespace ropewalk::fault
