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
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
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
  rounded_real r{.decided = fraction.decided};
  bool wrapped = true;
  for (std::size_t word = 0; word < 8; ++word) {
    r.value.significand[word] = fraction.bits[word];
    if (fraction.bits[word] != 0) wrapped = false;
  }
  r.value.exponent = top - 256;
  if (wrapped) {  // rounded up to 2^top
    r.value.significand[7] = std::uint32_t{1} << 31;
    r.value.exponent = top - 255;
  }
  return r;
}

/// A number of 0 or above rounded to 256 significant bits: from an enclosure at hand if that decides, otherwise
/// from `exact<N>()`.
///
/// throws  undecided at the cap of Ziv's loop
template <int N, class Exact>
ropewalk_real real_of(const char* what, const enclosure<N>& at_hand, Exact exact) {
  if (is_exact(at_hand) && is_zero(at_hand.midpoint)) return {};
  if (const rounded_real quick = round_real(at_hand); quick.decided) return quick.value;
  return with_enough_limbs(what, [&]<int M>() { return round_real(exact.template operator()<M>()); }).value;
}

}  // namespace detail

/// Owns the arrays of a ropewalk_rotation with one axis: a token's only position rotates every pair.
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
      : layout_(layout),
        rotary_dim_(config.rotary_dim),
        often_(often),
        seq_len_(depends_on_seq_len(config.scaling) ? config.seq_len : 0),
        config_json_(std::move(config_json)) {
    validate(layout, config);
    if (often.begin != often.end) validate(often);
    for (const std::uint64_t bits : inv_freqs<double>(config)) inv_freq_.push_back(from_bits<double>(bits));
    for (const auto& fraction : turn_fractions<4>(config))
      turns_.insert(turns_.end(), fraction.begin(), fraction.end());
    for (const auto& fraction : turn_fractions<8>(config))
      turns_256_.insert(turns_256_.end(), fraction.begin(), fraction.end());
    const auto shared = share<real_limbs>(config);
    for (int pair = 0; pair < pair_count(config); ++pair)
      turns_real_.push_back(detail::real_of("turns_real", rope_turns<real_limbs>(pair, config, shared),
                                            [&]<int N>() { return rope_turns<N>(pair, config); }));
    attention_factor_ = from_bits<double>(round_with_enough_limbs<double>(
        "attention_factor", [&]<int N>() { return rope_attention_factor<N>(config); }));
    attention_real_ = with_enough_limbs("attention_factor", [&]<int N>() {
                        return detail::round_real(rope_attention_factor<N>(config));
                      }).value;
  }

  /// Overwrites every array that view() points into, because a kernel may read them only while it makes a
  /// plan.
  void spoil() {
    std::fill(inv_freq_.begin(), inv_freq_.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(turns_.begin(), turns_.end(), 0xa5a5a5a5u);
    std::fill(turns_256_.begin(), turns_256_.end(), 0xa5a5a5a5u);
    std::fill(turns_real_.begin(), turns_real_.end(), ropewalk_real{{0xa5a5a5a5u}, 1});
    std::fill(config_json_.begin(), config_json_.end(), ' ');
  }

  /// The C struct, which points into this object.
  ropewalk_rotation view() const {
    return {
        .head = head_of<rotate, ropewalk_rotation>(),
        .head_dim = layout_.head_dim,
        .rotary_dim = rotary_dim_,
        .pairing_in = layout_.pairing_in == pairing::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT,
        .pairing_out =
            layout_.pairing_out == pairing::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT,
        .axes = 1,
        .inv_freq = inv_freq_.data(),
        .turns = turns_.data(),
        .turns_256 = turns_256_.data(),
        .axis = nullptr,
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
  static constexpr int real_limbs = 5;  // enough for 256 significant bits, but for rare numbers

  head_layout layout_;
  int rotary_dim_;
  position_range often_;
  std::int64_t seq_len_;
  std::string config_json_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
  double attention_factor_ = 1;
  ropewalk_real attention_real_{};
};

}  // namespace ropewalk
