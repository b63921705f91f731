#pragma once
// A rotary embedding on several axes, resolved for a kernel: the numbers of each pair, and the position row
// that rotates it.

#include <concepts>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk {

/// Owns the arrays of a ropewalk_rotation whose calls give axis_count position rows.
///
/// error   as resolved_encoding
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
class resolved_axes {
 public:
  /// `often` is a hint: a range of frequent positions; empty means no hint.
  template <std::same_as<rope> Config = rope>
  resolved_axes(const Config& config, const rope_axes& axes, const head_layout& layout,
                position_range often = {})
      : one_axis_(config, layout, often), axes_(axis_count(axes)) {
    const ropewalk_rotation from = one_axis_.view();
    for (int pair = 0; pair < pair_count(config); ++pair) {
      const pair_axis of = axis_of(pair, axes, config);
      axis_.push_back(of.axis);
      inv_freq_.push_back(from.inv_freq[of.frequency]);
      turns_.insert(turns_.end(), from.turns + 4 * of.frequency, from.turns + 4 * of.frequency + 4);
      turns_256_.insert(turns_256_.end(), from.turns_256 + 8 * of.frequency,
                        from.turns_256 + 8 * of.frequency + 8);
      turns_real_.push_back(from.turns_real[of.frequency]);
    }
  }

  /// The C struct, which points into this object.
  ropewalk_rotation view() const {
    ropewalk_rotation r = one_axis_.view();
    r.axes = axes_;
    r.axis = axis_.data();
    r.inv_freq = inv_freq_.data();
    r.turns = turns_.data();
    r.turns_256 = turns_256_.data();
    r.turns_real = turns_real_.data();
    return r;
  }

 private:
  resolved_encoding one_axis_;
  int axes_;
  std::vector<std::int32_t> axis_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
};

}  // namespace ropewalk
