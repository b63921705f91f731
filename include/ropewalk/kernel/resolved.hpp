#pragma once
// A rotary encoding resolved for a kernel: numbers to which every scaling rule has been applied, each rounded
// once.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {

namespace detail {

struct rounded_real {
  ropewalk_real value{};
  bool decided = false;
};

/// A positive real rounded to 256 significant bits, to nearest.
template <int N>
constexpr rounded_real round_real(const enclosure<N>& x) {
  if (is_unbounded(x) || may_be_zero(x)) return {};
  const int top = top_exponent(x.midpoint);  // 2^(top - 1) <= midpoint < 2^top
  const auto fraction = round_fraction<8>(times_power_of_two(x, -top));
  rounded_real real{.decided = fraction.decided};
  bool wrapped = true;
  for (std::size_t word = 0; word < 8; ++word) {
    real.value.significand[word] = fraction.bits[word];
    if (fraction.bits[word] != 0) wrapped = false;
  }
  real.value.exponent = top - 256;
  if (wrapped) {  // rounded up to 2^top
    real.value.significand[7] = std::uint32_t{1} << 31;
    real.value.exponent = top - 255;
  }
  return real;
}

/// A number >= 0 rounded to 256 significant bits: from the given enclosure if that decides the rounding,
/// otherwise from `exact<N>()`.
///
/// throws  undecided at the cap of Ziv's loop
template <int N, class Exact>
ropewalk_real real_of(const char* what, const enclosure<N>& at_hand, Exact exact) {
  if (is_exact(at_hand) && is_zero(at_hand.midpoint)) return {};
  if (const rounded_real quick = round_real(at_hand); quick.decided) return quick.value;
  return with_enough_limbs(what, [&]<int M>() { return round_real(exact.template operator()<M>()); }).value;
}

}  // namespace detail

/// Owns the arrays of a ropewalk_rotation. Its calls give one position row per axis: the index on that axis,
/// or position_of_index if the axis has its own coordinate.
///
/// error   inv_freq, turns, turns_256, turns_real, attention_factor and attention_real are correctly rounded
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
class resolved_encoding {
 public:
  /// `often` is a hint: a range of frequent positions; empty means no hint. `config_json` is for kernels that
  /// read it.
  template <std::same_as<rope> Config = rope>
  resolved_encoding(const Config& config, const head_layout& layout, position_range often = {},
                    std::string config_json = {})
      : resolved_encoding(placed_rope{config}, layout, often, std::move(config_json)) {}
  resolved_encoding(const placed_rope& placed, const head_layout& layout, position_range often = {},
                    std::string config_json = {})
      : layout_(layout),
        rotary_dim_(placed.encoding.rotary_dim),
        axes_(placed.axes.count),
        often_(often),
        seq_len_(depends_on_seq_len(placed) ? placed.encoding.seq_len : 0),
        config_json_(std::move(config_json)) {
    const rope& config = placed.encoding;
    validate(placed);
    validate(layout, config, placed.axes);
    if (often.begin != often.end) validate(often);
    const auto shared = share<real_limbs>(placed);
    for (int pair = 0; pair < pair_count(config); ++pair) add_pair(pair, placed, shared);
    attention_factor_ = from_bits<double>(round_with_enough_limbs<double>(
        "attention_factor", [&]<int N>() { return rope_attention_factor<N>(config); }));
    attention_real_ = with_enough_limbs("attention_factor", [&]<int N>() {
                        return detail::round_real(rope_attention_factor<N>(config));
                      }).value;
  }

  /// Overwrites every array that view() points into, to expose kernels that read them after plan() has
  /// returned.
  void spoil() {
    std::fill(inv_freq_.begin(), inv_freq_.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(turns_.begin(), turns_.end(), 0xa5a5a5a5u);
    std::fill(turns_256_.begin(), turns_256_.end(), 0xa5a5a5a5u);
    std::fill(turns_real_.begin(), turns_real_.end(), ropewalk_real{{0xa5a5a5a5u}, 1});
    std::fill(config_json_.begin(), config_json_.end(), ' ');
  }

  /// The C struct, which points into this object.
  ropewalk_rotation view() const {
    return {.head = head_of<rotate, ropewalk_rotation>(),
            .head_dim = layout_.head_dim,
            .rotary_dim = rotary_dim_,
            .pairing_in = number_of(layout_.pairing_in),
            .pairing_out = number_of(layout_.pairing_out),
            .axes = axes_,
            .inv_freq = inv_freq_.data(),
            .turns = turns_.data(),
            .turns_256 = turns_256_.data(),
            .axis = axes_ == 1 ? nullptr : axis_.data(),
            .attention_factor = attention_factor_,
            .attention_real = attention_real_,
            .table_begin = often_.begin,
            .table_end = often_.end,
            .seq_len = seq_len_,
            .config_json = config_json_.empty() ? nullptr : config_json_.c_str(),
            .rotary_begin = layout_.rotary_begin,
            .turns_real = turns_real_.data()};
  }

 private:
  static constexpr int real_limbs = 5;  // enough for 256 significant bits, except for rare numbers

  void add_pair(int pair, const placed_rope& placed, const axes_shared<real_limbs>& shared) {
    const auto turns_with = [&]<int N>() { return turns_of_index(pair, placed, share<N>(placed)); };
    const enclosure<real_limbs> turns = turns_of_index(pair, placed, shared);
    inv_freq_.push_back(inv_freq_of(pair, placed, shared));
    append<4>(turns_, turns, turns_with);
    append<8>(turns_256_, turns, turns_with);
    turns_real_.push_back(detail::real_of("turns_real", turns, turns_with));
    axis_.push_back(axis_of(pair, placed.axes, placed.encoding).axis);
  }

  static double inv_freq_of(int pair, const placed_rope& placed, const axes_shared<real_limbs>& shared) {
    if (const auto quick = round<double>(inv_freq_of_index(pair, placed, shared)); quick.decided)
      return from_bits<double>(quick.bits);
    return from_bits<double>(round_with_enough_limbs<double>(
        "inv_freq", [&]<int N>() { return inv_freq_of_index(pair, placed, share<N>(placed)); }));
  }

  template <int Words, class Exact>
  static void append(std::vector<std::uint32_t>& to, const enclosure<real_limbs>& at_hand, Exact exact) {
    auto fraction = round_fraction<Words>(at_hand);
    if (!fraction.decided)
      fraction = with_enough_limbs(
          "turns", [&]<int N>() { return round_fraction<Words>(exact.template operator()<N>()); });
    to.insert(to.end(), fraction.bits.begin(), fraction.bits.end());
  }

  head_layout layout_;
  int rotary_dim_;
  int axes_;
  position_range often_;
  std::int64_t seq_len_;
  std::string config_json_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
  std::vector<std::int32_t> axis_;
  double attention_factor_ = 1;
  ropewalk_real attention_real_{};
};

}  // namespace ropewalk
