#pragma once
// A rotation kernel that is held to the laws, with plans of one encoding and its exact values.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/judge/bound_domain.hpp"
#include "ropewalk/law/kernel/held_kernel.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

class held_rotation : public held_kernel {
 public:
  /// throws  std::invalid_argument naming the field and its value
  held_rotation(const ropewalk_kernel& kernel, promise promised, const rope& encoding,
                const head_layout& layout, std::string config_json = {})
      : held_kernel(kernel, promised),
        encoding_(encoding),
        layout_(layout),
        config_json_(std::move(config_json)),
        rows_(encoding),
        attention_(rope_attention_factor<attention_limbs>(encoding)),
        nearest_attention_(from_bits<double>(round_with_enough_limbs<double>(
            "attention_factor", [&]<int N>() { return rope_attention_factor<N>(encoding); }))) {
    validate(layout, encoding);
    for (int pair = 0; pair < pairs(); ++pair)
      inv_freq_above_.push_back(upper_binary64(rope_inv_freq<4>(pair, encoding)));
  }

  /// Configuration of the rotary embedding that the kernel is given.
  const rope& encoding() const { return encoding_; }
  /// Pairings of the kernel's input and output, and channels of a head.
  const head_layout& layout() const { return layout_; }
  /// Exact and correctly rounded rows of the encoding.
  const rope_rows& rows() const { return rows_; }

  /// The attention factor; 1 for a unit rotation.
  template <int N>
  enclosure<N> attention(bool unit) const {
    return unit ? enclosure<N>::of(1) : with_limbs<N>(attention_);
  }

  /// The binary64 nearest to the attention factor.
  double nearest_attention() const { return nearest_attention_; }

  /// Whether the attention factor is known to be exactly 1.
  bool has_attention_one() const {
    return compare(attention_, enclosure<attention_limbs>::of(1)) == order::equal;
  }

  /// Whether the promise bounds the error for data of a format.
  bool has_bound(ropewalk_dtype dtype) const {
    return ropewalk::has_bound(promised(), dtype, nearest_attention());
  }

  /// Error that the promise allows one rotated pair.
  template <floating_format Float>
  pair_bound accuracy_at(std::int64_t position, int pair, bool unit) const {
    return accuracy_within<Float>(position, inv_freq_above_[static_cast<std::size_t>(pair)], unit);
  }

  /// The same for every pair.
  template <floating_format Float>
  pair_bound accuracy_at(std::int64_t position, bool unit) const {
    return accuracy_within<Float>(position, *std::max_element(inv_freq_above_.begin(), inv_freq_above_.end()),
                                  unit);
  }

  /// Number of channel pairs that rotate.
  int pairs() const { return pair_count(encoding_); }
  /// Channels of one pair in the input.
  ///
  /// domain  0 <= pair < pairs()
  channel_pair channels_in(int pair) const {
    return channels_of(pair, encoding_.rotary_dim, layout_.pairing_in);
  }
  /// Channels of one pair in the output.
  ///
  /// domain  0 <= pair < pairs()
  channel_pair channels_out(int pair) const {
    return channels_of(pair, encoding_.rotary_dim, layout_.pairing_out);
  }

  /// The case turned by the kernel, in the layout of the encoding.
  ///
  /// throws  kernel_trouble
  rotated turned(const law_case& given, const call_form& form = {}) const {
    return turned(given, layout_.pairing_in, layout_.pairing_out, form);
  }

  /// The same in another layout.
  rotated turned(const law_case& given, pairing in, pairing out, const call_form& form = {}) const {
    return ask<rotate>(plan_in(given.head_dim, in, out), given, form);
  }

 private:
  static constexpr int attention_limbs = 12;

  template <floating_format Float>
  pair_bound accuracy_within(std::int64_t position, double inv_freq, bool unit) const {
    const double angle = detail::product_up(std::abs(static_cast<double>(position)), inv_freq);
    return accuracy_bound<Float>(promised(), unit ? 1 : nearest_attention(), angle);
  }

  const ropewalk_plan* plan_in(int head_dim, pairing in, pairing out) const {
    return plan_for({head_dim, in, out}, [&](auto use) {
      const resolved_encoding resolved(encoding_, {head_dim, in, out}, {}, config_json_);
      const ropewalk_rotation encoding = resolved.view();
      use(encoding.head);
    });
  }

  rope encoding_;
  head_layout layout_;
  std::string config_json_;
  rope_rows rows_;
  enclosure<attention_limbs> attention_;
  double nearest_attention_ = 1;
  std::vector<double> inv_freq_above_;  // per pair, rounded up
};

}  // namespace ropewalk
