#pragma once
// The calls that a law may make: those within the kernel's ropewalk_limits and the requested positions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

namespace detail {

/// One bit of ropewalk_limits.not_served, in words.
struct unserved_call {
  std::uint32_t bit;
  const char* words;
};

inline constexpr unserved_call unserved_calls[] = {
    {ROPEWALK_NO_PARTIAL, "whole heads alone"},
    {ROPEWALK_NO_CROSSING, "one pairing in and out"},
    {ROPEWALK_NO_BACKWARD, "no backward"},
    {ROPEWALK_NO_UNIT, "no unit rotation"},
    {ROPEWALK_NO_KEY, "no key"},
    {ROPEWALK_NO_STRIDES, "dense tensors"},
    {ROPEWALK_NO_IN_PLACE, "not in place"},
    {ROPEWALK_NO_SPLITS, "whole calls"},
    {ROPEWALK_NO_SEQUENCES, "no sequences"},
    {ROPEWALK_NO_UNALIGNED, "aligned elements"},
    {ROPEWALK_NO_CHECKS, "no invalid calls"},
    {ROPEWALK_NO_ENVIRONMENT, "the default floating-point environment"},
};

inline constexpr position_range all_positions{smallest_position, largest_position + 1};

/// Forms of ALiBi as bits of ropewalk_limits.forms.
constexpr std::uint64_t forms_of(std::initializer_list<alibi_form> forms) {
  std::uint64_t bits = 0;
  for (const alibi_form form : forms) bits |= form_bit(form);
  return bits;
}
inline constexpr std::uint64_t all_forms =
    forms_of({alibi_form::causal, alibi_form::symmetric, alibi_form::key, alibi_form::last_key});

}  // namespace detail

class served_calls {
 public:
  /// Serves every call.
  served_calls() = default;

  /// Serves the calls within a kernel's limits.
  ///
  /// throws  std::invalid_argument naming the field of the limits and its value
  explicit served_calls(const ropewalk_limits& limits)
      : dtypes_(limits.dtypes),
        pairings_(limits.pairings),
        not_served_(limits.not_served),
        axes_(limits.axes == 0 ? most_axes : std::min(limits.axes, most_axes)),
        forms_(limits.forms),
        kinds_(limits.position_kinds) {
    require(limits.head_dim_count >= 0 && (limits.head_dim_count == 0 || limits.head_dims != nullptr),
            "limits.head_dim_count", limits.head_dim_count, "the length of head_dims, or 0");
    require(limits.shape_count >= 0 && (limits.shape_count == 0 || limits.shapes != nullptr),
            "limits.shape_count", static_cast<double>(limits.shape_count), "the length of shapes, or 0");
    require(limits.axes >= 0, "limits.axes", limits.axes, "0 or above");
    std::uint32_t known = ROPEWALK_NO_BEGIN;  // without words: few models have such heads
    for (const detail::unserved_call& call : detail::unserved_calls) known |= call.bit;
    require((limits.not_served & ~known) == 0, "limits.not_served", limits.not_served,
            "a sum of ROPEWALK_NO_... of this version");
    require((limits.forms & ~detail::all_forms) == 0, "limits.forms", static_cast<double>(limits.forms),
            "a sum of UINT64_C(1) << ROPEWALK_BIAS_... of this version");
    constexpr std::uint64_t whole = std::uint64_t{1} << ROPEWALK_COUNTED | std::uint64_t{1}
                                                                               << ROPEWALK_POSITIONS_I32;
    require(kinds_ == 0 || kinds_ == whole || kinds_ == all_position_kinds, "limits.position_kinds",
            static_cast<double>(kinds_), "0, or counted and int32 positions, or these and binary64");
    head_dims_.assign(limits.head_dims, limits.head_dims + limits.head_dim_count);
    for (const std::int32_t head_dim : head_dims_)
      require(head_dim > 0, "limits.head_dims", head_dim, "1 or above");
    for (std::int64_t i = 0; i < limits.shape_count; ++i)
      for (const std::int64_t extent : limits.shapes[i])
        require(extent > 0 && extent <= std::numeric_limits<std::int32_t>::max(), "limits.shapes",
                static_cast<double>(extent), "from 1 to 2^31 - 1");
    for (std::int64_t i = 0; i < limits.shape_count; ++i)
      shapes_.push_back({limits.shapes[i][0], limits.shapes[i][1], limits.shapes[i][2], limits.shapes[i][3]});
    if (limits.position_begin == 0 && limits.position_end == 0) return;
    require(limits.position_begin < limits.position_end, "limits.position_end",
            static_cast<double>(limits.position_end), "a number above position_begin");
    positions_ = common(positions_, {limits.position_begin, limits.position_end});
  }

  /// The same calls, restricted to a range of positions; an empty range restricts nothing.
  served_calls within(position_range positions) const {
    served_calls within = *this;
    if (positions.begin != positions.end) within.positions_ = common(positions_, positions);
    return within;
  }

  /// Positions that laws may use; empty if the limits and the requested range are disjoint.
  position_range positions() const { return positions_; }
  bool has_all_positions() const { return positions_ == detail::all_positions; }
  bool has_position(std::int64_t position) const {
    return position >= positions_.begin && position < positions_.end;
  }
  /// Whether a case may have a real position, if real positions are served: no kernel promises anything at
  /// -2^31.
  bool has_real_position(double position) const {
    return position >= static_cast<double>(positions_.begin) &&
           position < static_cast<double>(positions_.end) &&
           position > static_cast<double>(smallest_position);
  }
  /// Whether positions in binary64 are served, too.
  bool serves_real_positions() const { return (kinds_ >> ROPEWALK_POSITIONS_F64 & 1) != 0; }
  /// Whether cases may have two positions and their sum.
  bool has_sums() const {
    const auto [begin, end] = positions_;
    return has_position(0) || (begin > 0 ? 2 * begin < end : 2 * (end - 1) >= begin);
  }
  /// Positions p for which -p is allowed as well.
  position_range opposites() const { return common(positions_, {1 - positions_.end, 1 - positions_.begin}); }
  bool has_opposites() const { return opposites().begin != opposites().end; }
  /// The largest number of position rows that a case may have.
  int axes() const { return axes_; }
  bool serves(ropewalk_dtype dtype) const { return dtypes_ == 0 || (dtypes_ >> dtype & 1) != 0; }
  bool serves(pairing in, pairing out) const {
    return has_pairing(in) && has_pairing(out) && (in == out || !lacks(ROPEWALK_NO_CROSSING));
  }
  /// Whether heads of a layout are served, of which rotary_dim channels rotate.
  bool serves(const head_layout& layout, int rotary_dim) const {
    return serves_head_dim(layout.head_dim) && serves(layout.pairing_in, layout.pairing_out) &&
           !(rotary_dim < layout.head_dim && lacks(ROPEWALK_NO_PARTIAL)) &&
           !(layout.rotary_begin > 0 && lacks(ROPEWALK_NO_BEGIN));
  }
  /// Whether the limits list the forms of ALiBi that are served.
  bool names_forms() const { return forms_ != 0; }
  /// Whether a form is served; if the limits list none, causal and symmetric are.
  bool serves(alibi_form form) const {
    return ((names_forms() ? forms_ : detail::forms_of({alibi_form::causal, alibi_form::symmetric})) &
            form_bit(form)) != 0;
  }
  bool serves_head_dim(int head_dim) const {
    return head_dims_.empty() ||
           std::find(head_dims_.begin(), head_dims_.end(), head_dim) != head_dims_.end();
  }
  /// Whether the limits state a given ROPEWALK_NO_...
  bool lacks(std::uint32_t call) const { return (not_served_ & call) != 0; }
  /// The only shapes that are served, each batch, tokens, heads, head_dim; empty: any shape.
  const std::vector<std::array<std::int64_t, 4>>& shapes() const { return shapes_; }

  /// Whether a listed shape has this head_dim, or no shapes are listed.
  bool lists(int head_dim) const {
    return shapes_.empty() || std::any_of(shapes_.begin(), shapes_.end(),
                                          [&](const auto& shape) { return shape[3] == head_dim; });
  }
  /// Whether laws other than `sizes` can have cases of this head_dim: a listed shape that is small enough has
  /// it, or no shapes are listed.
  bool has_drawn_shape(int head_dim) const {
    return shapes_.empty() || std::any_of(shapes_.begin(), shapes_.end(), [&](const auto& shape) {
             return shape[3] == head_dim && is_drawn(shape);
           });
  }
  /// Number of elements of a listed shape, as a double: the product may overflow 64 bits.
  static double elements_of(const std::array<std::int64_t, 4>& shape) {
    return static_cast<double>(shape[0]) * static_cast<double>(shape[1]) * static_cast<double>(shape[2]) *
           static_cast<double>(shape[3]);
  }
  /// Most elements of a listed shape that laws other than `sizes` use: they evaluate every element exactly.
  static constexpr std::int64_t most_drawn_elements = 1 << 17;
  /// Whether laws other than `sizes` may use a listed shape.
  static bool is_drawn(const std::array<std::int64_t, 4>& shape) {
    return elements_of(shape) <= most_drawn_elements;
  }

  /// Whether a case is served in a form.
  bool allow(const law_case& test_case, const call_form& form = {}) const {
    const bool is_whole = form.cuts.empty() && !form.part;
    const auto lacks_layout = [&](const tensor_layout& layout) {
      tensor_layout dense = layout;
      dense.unaligned = 0;
      const int size = size_of(test_case.dtype);
      return (lacks(ROPEWALK_NO_STRIDES) && dense != tensor_layout{}) ||
             (lacks(ROPEWALK_NO_UNALIGNED) && layout.unaligned % size != 0);
    };
    return serves(test_case.dtype) && serves_head_dim(test_case.head_dim) && test_case.axes <= axes_ &&
           !((test_case.flags & ROPEWALK_BACKWARD) != 0 && lacks(ROPEWALK_NO_BACKWARD)) &&
           !((test_case.flags & ROPEWALK_UNIT) != 0 && lacks(ROPEWALK_NO_UNIT)) &&
           !(test_case.key_heads > 0 && lacks(ROPEWALK_NO_KEY)) &&
           !((test_case.in_place || test_case.key_otherwise) && lacks(ROPEWALK_NO_IN_PLACE)) &&
           !((test_case.shares_heads || test_case.fused) && lacks(ROPEWALK_NO_STRIDES)) &&
           (is_whole || !lacks(ROPEWALK_NO_SPLITS)) &&
           (form.sequence_offset.empty() || !lacks(ROPEWALK_NO_SEQUENCES)) &&
           !lacks_layout(test_case.query_in) && !lacks_layout(test_case.query_out) &&
           !lacks_layout(test_case.key_in) && !lacks_layout(test_case.key_out) &&
           !(test_case.has_real_positions && !serves_real_positions()) &&
           std::all_of(test_case.positions.begin(), test_case.positions.end(),
                       [&](double position) {
                         return test_case.has_real_positions
                                    ? has_real_position(position)
                                    : has_position(static_cast<std::int64_t>(position));
                       }) &&
           has_shape(test_case, test_case.query_heads) &&
           (test_case.key_heads == 0 || has_shape(test_case, test_case.key_heads));
  }

  /// The restrictions, and whether positions in binary64 are served, in one line; empty if nothing is
  /// restricted.
  std::string text() const {
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
    if (!has_all_positions())
      add("positions " + std::to_string(positions_.begin) + " to " + std::to_string(positions_.end - 1));
    if (serves_real_positions()) add("positions in binary64 as well");
    if (dtypes_ != 0) {
      std::string names;
      for (const ropewalk_dtype dtype : all_dtypes)
        if (serves(dtype)) names += (names.empty() ? "" : " ") + std::string(name_of(dtype));
      add(names.empty() ? "no dtype of this version" : names);
    }
    for (const pairing layout : every_pairing)
      if (pairings_ != 0 && pairings_ != all_pairings && has_pairing(layout)) add(name_of(layout));
    if (!head_dims_.empty()) {
      std::string dims = "head_dim";
      for (const int head_dim : head_dims_) dims += " " + std::to_string(head_dim);
      add(dims);
    }
    if (axes_ < most_axes) add("axes to " + std::to_string(axes_));
    if (names_forms() && forms_ != detail::all_forms) {
      std::string forms = "forms";
      for (const alibi_form form : alibi_forms)
        if (serves(form)) forms += std::string(" ") + name_of(form);
      add(forms);
    }
    for (const detail::unserved_call& call : detail::unserved_calls)
      if (lacks(call.bit)) add(call.words);
    if (!shapes_.empty()) add(std::to_string(shapes_.size()) + " shapes");
    return text;
  }

 private:
  static position_range common(position_range a, position_range b) {
    const position_range common{std::max(a.begin, b.begin), std::min(a.end, b.end)};
    return common.begin < common.end ? common : position_range{};
  }

  bool has_pairing(pairing layout) const {
    if (pairings_ == 0) return layout != pairing::half_split_by_axis;
    return (pairings_ >> number_of(layout) & 1) != 0;
  }

  bool has_shape(const law_case& test_case, std::int64_t heads) const {
    const std::array<std::int64_t, 4> wanted{test_case.batch, test_case.tokens, heads, test_case.head_dim};
    return shapes_.empty() || std::find(shapes_.begin(), shapes_.end(), wanted) != shapes_.end();
  }

  std::uint32_t dtypes_ = 0;
  std::uint32_t pairings_ = 0;
  std::uint32_t not_served_ = 0;
  int axes_ = most_axes;
  std::uint64_t forms_ = 0;
  std::uint64_t kinds_ = 0;
  std::vector<int> head_dims_;
  std::vector<std::array<std::int64_t, 4>> shapes_;
  position_range positions_ = detail::all_positions;
};

}  // namespace ropewalk
