// Frequencies of a rule other than the model's.

#include <optional>
#include <utility>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/known_faults.hpp"
#include "model/fourth_row.hpp"

namespace ropewalk::fault {
namespace {

struct changed_frequency_steps : canonical_steps {
  rope_change change = rope_change::unscaled;
  bool drops_factor = false;  // the attention factor, too

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> other = changed_rope(encoding, change);
    if (!other) return;
    const bool has_factor = compare(plan.rows.attention_factor(), own_number::of(1)) != order::equal;
    if (drops_factor && !has_factor) return;  // same as without
    const auto shared = share<rope_rows::limb_count>(*other);
    plan.rows =
        rows_of(plan, [&](int pair) { return rope_inv_freq<rope_rows::limb_count>(pair, *other, shared); });
    if (drops_factor) plan.rows = rows_with_factor(plan, own_number::of(1));
    if (change == rope_change::other_list)
      plan.rows = rows_with_factor(plan, rope_attention_factor<rope_rows::limb_count>(*other));
  }
};

/// Frequencies rounded to a format.
template <floating_format Format>
struct rounded_frequency_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    plan.rows = rows_of(plan, [&](int pair) {
      const auto rounded = convert<Format, double>(to_bits(encoding.inv_freq[pair]));
      return own_number::of(from_bits<double>(convert<double, Format>(rounded)));
    });
  }
};

/// Pairs of interleaved axes beyond the sections, rotated by a fourth row of positions, all 0.
struct fourth_row_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    if (!own || !is_mrope_interleaved(own->axes)) return;
    std::vector<own_number> turns;
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) turns.push_back(plan.rows.turns(pair));
    for (const int pair : model::pairs_of_fourth_row(sections_of(own->axes), plan.layout.pairs()))
      turns[static_cast<std::size_t>(pair)] = own_number::of(0);
    plan.rows = rope_rows(
        rope_rows::resolved{.turns = std::move(turns), .attention_factor = plan.rows.attention_factor()});
  }
};

/// A ramp reduced to a step: its pairs are all kept, or all divided by the factor.
template <bool divides>
struct stepped_ramp_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    if (!own) return;
    const std::vector<own_number> stepped = stepped_ramp(own->encoding, divides);
    if (!stepped.empty())
      plan.rows = rows_of(plan, [&](int pair) { return stepped[static_cast<std::size_t>(pair)]; });
  }
};

/// Exponents from 0 to 1, both included, evenly spaced.
struct exponent_to_one_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    const int pairs = plan.layout.pairs();
    if (!own || !own->encoding.scaling.is<unscaled>() || pairs < 3) return;
    const rope shorter{.base = own->encoding.base, .rotary_dim = own->encoding.rotary_dim - 2};
    const auto shared = share<rope_rows::limb_count>(shorter);
    plan.rows = rows_of(plan, [&](int pair) {
      return pair + 1 < pairs ? rope_inv_freq<rope_rows::limb_count>(pair, shorter, shared)
                              : own_number::of(1) / own_number::of(shorter.base);
    });
  }
};

/// Periods as frequencies: first x base^share instead of first x base^-share, where `first` is the first
/// rotating pair's frequency. Pairs that do not rotate are unchanged.
struct period_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    const own_number radians = own_number::of(1) / inverse_two_pi<rope_rows::limb_count>();
    const auto right = [&](int pair) { return plan.rows.turns(pair) * radians; };
    int turning = 0;
    while (turning < plan.layout.pairs() && is_zero(plan.rows.turns(turning).midpoint)) ++turning;
    if (turning == plan.layout.pairs()) return;
    const own_number first = right(turning);
    plan.rows = rows_of(plan, [&](int pair) {
      const own_number frequency = right(pair);
      return is_zero(frequency.midpoint) ? frequency : first * first / frequency;
    });
  }
};

/// Positions multiplied by a factor that interpolation should divide them by.
struct multiplied_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<linear>(encoding);
    if (!own) return;
    const own_number factor = own_number::of(factor_of(own->scaling));
    const auto shared = share<rope_rows::limb_count>(*own);
    plan.rows = rows_of(plan, [&](int pair) {
      return factor * factor * rope_inv_freq<rope_rows::limb_count>(pair, *own, shared);
    });
  }
};

}  // namespace

std::vector<known_fault> changed_frequencies() {
  using enum rope_change;
  return {
      {kernel_with_steps<changed_frequency_steps{{}, rope_change::unscaled}>("fault-unscaled"),
       "the frequencies are the unscaled ones"},
      {kernel_with_steps<changed_frequency_steps{{}, rope_change::unscaled, true}>(
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
      {kernel_with<rounded_frequency_steps<bfloat16>>("fault-frequencies-bf16"),
       "the frequencies are rounded to bfloat16"},
      {kernel_with<rounded_frequency_steps<binary16>>("fault-frequencies-f16"),
       "the frequencies are rounded to binary16"},
      {kernel_with<rounded_frequency_steps<float>>("fault-frequencies-f32"),
       "the frequencies are rounded to binary32"},
      {kernel_with<stepped_ramp_steps<false>>("fault-ramp-kept"),
       "the pairs on the scaling rule's ramp, between those kept and those divided, are all kept"},
      {kernel_with<stepped_ramp_steps<true>>("fault-ramp-divided"),
       "the pairs on the scaling rule's ramp, between those kept and those divided, are all divided"},
      {kernel_with<fourth_row_steps>("fault-fourth-row"),
       "pairs that no section of interleaved axes reaches stand still: they turn by a fourth row of "
       "positions, "
       "which is 0"},
      {kernel_with<period_steps>("fault-period"),
       "the period is taken for the frequency: the power of the base in place of its reciprocal"},
      {kernel_with<multiplied_steps>("fault-positions-multiplied"),
       "positions are multiplied by the scaling factor, where they are divided by it"},
      {kernel_with<exponent_to_one_steps>("fault-exponent-to-one"),
       "the exponents run up to 1: pair / (pairs - 1) in place of pair / pairs"},
  };
}

}  // namespace ropewalk::fault
