#pragma once
// A kernel that is held to the laws: asked through the C interface alone, with plans of one encoding, beside
// the truth about that encoding.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/addition_truth.hpp"
#include "ropewalk/law/bound.hpp"
#include "ropewalk/law/kernel_call.hpp"
#include "ropewalk/law/law_case.hpp"
#include "ropewalk/law/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

class held_kernel {
 public:
  held_kernel(const ropewalk_kernel& kernel, ropewalk_promise promise, const rope& encoding,
              const head_layout& layout, std::string config_json = {})
      : kernel_(kernel),
        promise_(promise),
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
  /// A kernel that adds: the rotation's numbers stay at their defaults.
  held_kernel(const ropewalk_kernel& kernel, ropewalk_promise promise,
              std::shared_ptr<const addition_truth> addition)
      : held_kernel(kernel, promise, rope{.rotary_dim = 2},
                    head_layout{.head_dim = std::max(addition->width(), 2)}) {
    addition_ = std::move(addition);
  }
  ~held_kernel() {
    for (const auto& [key, plan] : plans_) kernel_.free_plan(plan);
  }
  held_kernel(const held_kernel&) = delete;
  held_kernel& operator=(const held_kernel&) = delete;

  const char* name() const { return kernel_.name; }
  ropewalk_operation operation() const { return static_cast<ropewalk_operation>(kernel_.operation); }
  /// domain  operation() is not ROPEWALK_ROTATE
  const addition_truth& addition() const { return *addition_; }
  ropewalk_promise promise() const { return promise_; }
  const rope& encoding() const { return encoding_; }
  const head_layout& layout() const { return layout_; }
  const rope_rows& rows() const { return rows_; }

  /// The attention factor; 1 for a unit rotation.
  template <int N>
  enclosure<N> attention(bool unit) const {
    return unit ? enclosure<N>::of(1) : with_limbs<N>(attention_);
  }

  /// The binary64 nearest to the attention factor.
  double nearest_attention() const { return nearest_attention_; }

  bool has_attention_one() const {
    return compare(attention_, enclosure<attention_limbs>::of(1)) == order::equal;
  }

  /// By how much the promise lets one rotated pair be off.
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

  int pairs() const { return pair_count(encoding_); }
  channel_pair channels_in(int pair) const {
    return channels_of(pair, encoding_.rotary_dim, layout_.pairing_in);
  }
  channel_pair channels_out(int pair) const {
    return channels_of(pair, encoding_.rotary_dim, layout_.pairing_out);
  }

  /// The case turned by the kernel, in the layout of the encoding.
  ///
  /// throws  kernel_trouble
  rotated rotate(const law_case& given, const call_form& form = {}) const {
    return rotate(given, layout_.pairing_in, layout_.pairing_out, form);
  }

  /// A kernel that serves rank 3 alone is asked again so, where there is one batch row.
  rotated rotate(const law_case& given, pairing in, pairing out, const call_form& form = {}) const {
    const ropewalk_plan* plan = plan_for(given.head_dim, in, out);
    try {
      return apply_kernel(kernel_, plan, given, form);
    } catch (const kernel_trouble& trouble) {
      if (trouble.status() != ROPEWALK_UNSUPPORTED || given.batch != 1 || form.rank_3) throw;
      call_form rank_3 = form;
      rank_3.rank_3 = true;
      return apply_kernel(kernel_, plan, given, rank_3);
    }
  }

 private:
  static constexpr int attention_limbs = 12;

  template <floating_format Float>
  pair_bound accuracy_within(std::int64_t position, double inv_freq, bool unit) const {
    const double angle = detail::product_up(std::abs(static_cast<double>(position)), inv_freq);
    return accuracy_bound<Float>(promise_, unit ? 1 : nearest_attention(), angle);
  }

  const ropewalk_plan* plan_for(int head_dim, pairing in, pairing out) const {
    const std::lock_guard lock(plans_mutex_);
    ropewalk_plan*& plan = plans_[{head_dim, in, out}];
    if (plan != nullptr) return plan;
    ropewalk_error error{};
    ropewalk_plan* made = nullptr;
    if (addition_) {
      detail::expect_ok(detail::plan_once(kernel_, addition_->view(), made, error), error);
    } else {
      const resolved_encoding resolved(encoding_, {head_dim, in, out}, {}, config_json_);
      detail::expect_ok(detail::plan_once(kernel_, resolved.view(), made, error), error);
    }
    if (made == nullptr) throw kernel_trouble(ROPEWALK_OK, "the kernel made no plan and gave no reason");
    plan = made;  // whatever a kernel that refuses leaves behind is never applied, nor freed
    return plan;
  }

  ropewalk_kernel kernel_;
  ropewalk_promise promise_;
  std::shared_ptr<const addition_truth> addition_;  // of a kernel that adds
  rope encoding_;
  head_layout layout_;
  std::string config_json_;
  rope_rows rows_;
  enclosure<attention_limbs> attention_;
  double nearest_attention_ = 1;
  std::vector<double> inv_freq_above_;  // per pair, rounded up
  mutable std::mutex plans_mutex_;
  mutable std::map<std::tuple<int, pairing, pairing>, ropewalk_plan*> plans_;
};

}  // namespace ropewalk
