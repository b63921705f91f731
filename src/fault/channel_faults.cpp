// Channels that are paired wrongly, rotated in place of others, or not passed through.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

// One pairing for input and output: channels are paired as in GPT-NeoX or as in GPT-J, although the encoding
// states the other. The fault half-split leaves the halves of an axis unchanged.
template <pairing Fixed>
struct fixed_pairing_steps : canonical_steps {
  rotated_layout layout(rotated_layout layout) const {
    for (pairing* const pairs : {&layout.head.pairing_in, &layout.head.pairing_out})
      if (Fixed != pairing::half_split || *pairs == pairing::interleaved) *pairs = Fixed;
    return layout;
  }
};

// Halves of all channels, although each axis has its own.
struct halves_over_axes_steps : canonical_steps {
  rotated_layout layout(rotated_layout layout) const {
    for (pairing* const pairs : {&layout.head.pairing_in, &layout.head.pairing_out})
      if (*pairs == pairing::half_split_by_axis) *pairs = pairing::half_split;
    return layout;
  }
};

// Pass-through zeroed: the channels from rotary_dim on are cleared, not kept.
struct pass_through_zeroed_steps : canonical_steps {
  void after_pass_through(std::byte* channels, std::int64_t stride, std::size_t size, int count) const {
    for (int channel = 0; channel < count; ++channel) std::memset(channels + channel * stride, 0, size);
  }
};

// Place of the rotated channels ignored: the first channels rotate.
struct first_channels_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    plan.rotary_begin = 0;
    plan.layout.head.head_dim = encoding.head_dim;
  }
};

// Partial rotation ignored: the channels that should pass through rotate, too, with the frequencies repeated
// from the first.
struct whole_head_steps : canonical_steps {
  rotated_layout layout(const rotated_layout& layout) const {
    rotated_layout whole{layout.head, layout.head.head_dim / 2 * 2};
    if (layout.halves.empty()) return whole;
    // The runs of axes are repeated like the frequencies; the last may be truncated.
    for (int pair = 0; pair < whole.pairs(); ++pair) {
      const int begin = pair / layout.pairs() * layout.pairs();
      const pair_run run = layout.halves[static_cast<std::size_t>(pair - begin)];
      whole.halves.push_back({begin + run.first, std::min(run.count, whole.pairs() - begin - run.first)});
    }
    return whole;
  }

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::vector<int> axis = plan.axis;
    plan.axis.clear();
    std::vector<own_number> turns;
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
      const int taken = pair % (encoding.rotary_dim / 2);
      turns.push_back(plan.rows.turns(taken));
      plan.axis.push_back(axis[static_cast<std::size_t>(taken)]);
    }
    plan.rows = rope_rows(
        rope_rows::resolved{.turns = std::move(turns), .attention_factor = plan.rows.attention_factor()});
  }
};

}  // namespace

ropewalk_kernel half_split() {
  return kernel_with<fixed_pairing_steps<pairing::half_split>>("fault-half-split");
}

ropewalk_kernel interleaved() {
  return kernel_with<fixed_pairing_steps<pairing::interleaved>>("fault-interleaved");
}

std::vector<known_fault> pairings_of_axes() {
  return {{kernel_with<halves_over_axes_steps>("fault-half-split-over-axes"),
           "channels are half-split over all that rotate, where each axis has halves of its own"}};
}

ropewalk_kernel pass_through_zeroed() {
  return kernel_with<pass_through_zeroed_steps>("fault-pass-through-zeroed");
}

ropewalk_kernel first_channels() { return kernel_with<first_channels_steps>("fault-first-channels"); }
ropewalk_kernel whole_head() { return kernel_with<whole_head_steps>("fault-whole-head"); }

}  // namespace ropewalk::fault
