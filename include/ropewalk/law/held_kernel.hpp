#pragma once
// A kernel that is held to the laws: asked through the C interface alone, with plans of one encoding, beside the truth
// about that encoding.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/bound.hpp"
#include "ropewalk/law/law_case.hpp"
#include "ropewalk/law/tensor_memory.hpp"
#include "ropewalk/law/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// What a kernel answered instead of doing as it was asked, or wrote where it must not.
class kernel_trouble : public std::runtime_error {
 public:
  kernel_trouble(std::int32_t status, const std::string& text) : std::runtime_error(text), status_(status) {}
  std::int32_t status() const noexcept { return status_; }

 private:
  std::int32_t status_;
};

/// How one case is handed over; every form must give the same bits.
struct call_form {
  std::vector<std::int64_t> cuts{};             // token ranges: 0, cuts..., batch x tokens; one apply each
  std::vector<std::int64_t> sequence_offset{};  // sequences of a case with one batch row; rank 3
  bool rank_3 = false;                          // for a case with one batch row
  bool counted_positions = false;               // positions == NULL: tokens are counted from 0
};

/// Both tensors after the call, dense.
struct rotated {
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
};

inline const std::vector<std::uint64_t>& elements_of(const rotated& done, operand which) {
  return which == operand::query ? done.query : done.key;
}

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
  ~held_kernel() {
    for (const auto& [key, plan] : plans_) kernel_.free_plan(plan);
  }
  held_kernel(const held_kernel&) = delete;
  held_kernel& operator=(const held_kernel&) = delete;

  const char* name() const { return kernel_.name; }
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

  rotated rotate(const law_case& given, pairing in, pairing out, const call_form& form = {}) const {
    tensor_memory query(given, operand::query), key(given, operand::key);
    query.write(given.query);
    key.write(given.key);
    const ropewalk_plan* plan = plan_for(given.head_dim, in, out);
    if (given.in_place) {
      apply(plan, given, form, {query.view(), query.view(), key.view(), key.view()});
      return read(query, key);
    }
    tensor_memory query_out(given, operand::query), key_out(given, operand::key);
    apply(plan, given, form, {query.view(), query_out.view(), key.view(), key_out.view()});
    if (query.read() != given.query || key.read() != given.key)
      throw kernel_trouble(ROPEWALK_OK, "the kernel changed its input, out of place");
    return read(query_out, key_out);
  }

 private:
  static constexpr int attention_limbs = 12;

  template <floating_format Float>
  pair_bound accuracy_within(std::int64_t position, double inv_freq, bool unit) const {
    const double angle = detail::product_up(std::abs(static_cast<double>(position)), inv_freq);
    return accuracy_bound<Float>(promise_, unit ? 1 : nearest_attention(), angle);
  }

  struct tensors {
    ropewalk_tensor query_in, query_out, key_in, key_out;
  };

  static rotated read(tensor_memory& query, tensor_memory& key) {
    if (!query.is_guard_intact() || !key.is_guard_intact())
      throw kernel_trouble(ROPEWALK_OK, "the kernel wrote beside the tensor's elements");
    return {query.read(), key.read()};
  }

  static ropewalk_tensor as_rank_3(ropewalk_tensor tensor) {
    for (int axis = 0; axis < 3; ++axis) {
      tensor.shape[axis] = tensor.shape[axis + 1];
      tensor.stride[axis] = tensor.stride[axis + 1];
    }
    tensor.rank = 3;
    return tensor;
  }

  void apply(const ropewalk_plan* plan, const law_case& given, const call_form& form,
             const tensors& all) const {
    ropewalk_call call{};
    call.struct_size = sizeof call;
    call.flags = given.flags;
    const auto shaped = [&](const ropewalk_tensor& tensor) {
      return form.rank_3 ? as_rank_3(tensor) : tensor;
    };
    call.query_in = shaped(all.query_in);
    call.query_out = shaped(all.query_out);
    call.key_in = shaped(all.key_in);
    call.key_out = shaped(all.key_out);
    call.positions = form.counted_positions ? nullptr : given.positions.data();
    call.position_stride[0] = given.batch * given.tokens;
    call.position_stride[1] = given.tokens;
    call.position_stride[2] = 1;
    if (!form.sequence_offset.empty()) {
      call.sequence_offset = form.sequence_offset.data();
      call.sequences = static_cast<std::int64_t>(form.sequence_offset.size()) - 1;
    }
    std::vector<std::int64_t> cuts = form.cuts;
    cuts.push_back(given.batch * given.tokens);
    for (const std::int64_t cut : cuts) {
      call.token_end = cut;
      ropewalk_error error{};
      expect_ok(kernel_.apply(plan, &call, &error), error);
      call.token_begin = cut;
    }
  }

  static void expect_ok(std::int32_t status, const ropewalk_error& error) {
    if (status == ROPEWALK_OK) return;
    throw kernel_trouble(status, "status " + std::to_string(status) + ", " + error.field + ": " + error.text);
  }

  const ropewalk_plan* plan_for(int head_dim, pairing in, pairing out) const {
    const std::lock_guard lock(plans_mutex_);
    ropewalk_plan*& plan = plans_[{head_dim, in, out}];
    if (plan != nullptr) return plan;
    const resolved_encoding resolved(encoding_, {head_dim, in, out}, {}, config_json_);
    const ropewalk_encoding view = resolved.view();
    ropewalk_error error{};
    expect_ok(kernel_.plan(&view, &plan, &error), error);
    return plan;
  }

  ropewalk_kernel kernel_;
  ropewalk_promise promise_;
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
