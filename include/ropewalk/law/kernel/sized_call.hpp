#pragma once
// A rotation call of any size, with its tensors in mapped memory.

#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/law/kernel/case_elements.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/kernel/mapped_tensor.hpp"

namespace ropewalk {

/// The tensors of one call, filled with the case's elements, and the call itself.
template <floating_format Float>
class sized_call {
 public:
  /// Refers to the case, which must outlive this. `shared`: the memory of a kernel in another process, or
  /// NULL.
  ///
  /// throws  case_set_aside
  sized_call(const law_case& test_case, call_memory* shared)
      : test_case_(test_case),
        query_(test_case, operand::query, test_case.query_in, shared),
        key_(test_case, operand::key, test_case.key_in, shared),
        positions_(test_case, shared) {
    if (!test_case.in_place) {
      query_out_.emplace(test_case, operand::query, test_case.query_out, shared);
      key_out_.emplace(test_case, operand::key, test_case.key_out, shared);
    }
    std::vector<bits_of<Float>> head(static_cast<std::size_t>(test_case.head_dim));
    for_each_head(test_case, [&](const place& at) {
      read_head<Float>(test_case, at, head.data());
      input(at).write(head.data());
    });
  }

  /// One head of the input; a call in place overwrites it.
  detail::mapped_head input(const place& at) const {
    return (at.tensor == operand::query ? query_ : key_).head(at.row, at.token, at.head);
  }
  /// One head of the output.
  detail::mapped_head output(const place& at) const {
    return written(at.tensor).head(at.row, at.token, at.head);
  }

  /// A call for tokens first .. last - 1, counted across batch rows.
  ropewalk_rotation_call call(std::int64_t first, std::int64_t last) const {
    ropewalk_rotation_call call = empty_call<rotate>();
    call.tokens.positions = positions_.view();
    call.tokens.begin = first;
    call.tokens.end = last;
    call.flags = test_case_.flags;
    call.query_in = query_.view();
    call.key_in = key_.view();
    call.query_out = written(operand::query).view();
    call.key_out = written(operand::key).view();
    if (test_case_.sequence_offset.empty()) return call;
    call.tokens.sequence_offset = test_case_.sequence_offset.data();
    call.tokens.sequences = static_cast<std::int64_t>(test_case_.sequence_offset.size()) - 1;
    detail::take_rank_3(call);
    return call;
  }

  /// Whether nothing was written outside the heads. Each head must be cleared first.
  bool is_untouched() const {
    return query_.is_untouched() && key_.is_untouched() &&
           (test_case_.in_place || (query_out_->is_untouched() && key_out_->is_untouched()));
  }

 private:
  const mapped_tensor& written(operand which) const {
    if (test_case_.in_place) return which == operand::query ? query_ : key_;
    return which == operand::query ? *query_out_ : *key_out_;
  }

  const law_case& test_case_;
  mapped_tensor query_;
  mapped_tensor key_;
  std::optional<mapped_tensor> query_out_;
  std::optional<mapped_tensor> key_out_;
  mapped_positions positions_;
};

/// A dense block of tokens of one batch row: its input heads, and the reference kernel's output.
template <floating_format Float>
class token_block {
 public:
  /// Refers to the case and to the kernel, which must outlive this. If the kernel is NULL, there is no
  /// output.
  token_block(const law_case& test_case, const checked_rotation* reference)
      : test_case_(test_case), reference_(reference) {}

  /// Takes tokens first .. last - 1 of a batch row.
  ///
  /// throws  case_set_aside where the reference kernel refuses the call
  void take(std::int64_t row, std::int64_t first, std::int64_t last) {
    first_ = first;
    law_case part = plain_part(row, last);
    for (const operand which : {operand::query, operand::key}) {
      auto& heads = in_[which == operand::query ? 0 : 1];
      heads.resize(
          static_cast<std::size_t>((last - first) * heads_of(test_case_, which) * test_case_.head_dim));
      for (std::int64_t token = first; token < last; ++token)
        for (std::int64_t head = 0; head < heads_of(test_case_, which); ++head) {
          const place at{which, row, token, head};
          read_head<Float>(test_case_, at, heads.data() + start(at));
        }
    }
    if (reference_ != nullptr) turn(part);
  }

  /// One head of the input.
  ///
  /// shape   [head_dim]
  const bits_of<Float>* input(const place& at) const { return in_[index(at)].data() + start(at); }
  /// The same head rotated by the reference kernel; NULL without a reference kernel.
  const bits_of<Float>* expected(const place& at) const {
    return reference_ == nullptr ? nullptr : out_[index(at)].data() + start(at);
  }

 private:
  static std::size_t index(const place& at) { return at.tensor == operand::query ? 0 : 1; }

  std::size_t start(const place& at) const {
    return static_cast<std::size_t>(((at.token - first_) * heads_of(test_case_, at.tensor) + at.head) *
                                    test_case_.head_dim);
  }

  law_case plain_part(std::int64_t row, std::int64_t last) const {
    law_case part;
    part.dtype = test_case_.dtype;
    part.head_dim = test_case_.head_dim;
    part.tokens = last - first_;
    part.query_heads = test_case_.query_heads;
    part.key_heads = test_case_.key_heads;
    part.flags = test_case_.flags;
    for (std::int64_t token = first_; token < last; ++token)
      part.positions.push_back(position_of(test_case_, row, token));
    return part;
  }

  ropewalk_tensor dense(const law_case& part, operand which) {
    ropewalk_tensor dense = placed(part, heads_of(part, which), {}).view;
    auto& heads = out_[which == operand::query ? 0 : 1];
    heads.reserve(1);  // so that data() is not NULL: a NULL tensor is absent
    if (which == operand::query || part.key_heads > 0) dense.data = heads.data();
    return dense;
  }

  void turn(const law_case& part) {
    for (int i = 0; i < 2; ++i) out_[i] = in_[i];
    ropewalk_rotation_call call = empty_call<rotate>();
    const std::vector<std::int32_t> positions(part.positions.begin(), part.positions.end());
    call.tokens.positions = {ROPEWALK_POSITIONS_I32, 1, positions.data(), {part.tokens, part.tokens, 1}};
    call.tokens.end = part.tokens;
    call.flags = part.flags;
    call.query_in = call.query_out = dense(part, operand::query);
    call.key_in = call.key_out = dense(part, operand::key);
    try {
      reference_->turn(part, call);
    } catch (const kernel_trouble& trouble) {
      throw case_set_aside("the reference kernel " + std::string(reference_->name()) +
                           " refused the call: " + trouble.what());
    }
  }

  const law_case& test_case_;
  const checked_rotation* reference_;
  std::int64_t first_ = 0;
  std::vector<bits_of<Float>> in_[2];  // query, key
  std::vector<bits_of<Float>> out_[2];
};

}  // namespace ropewalk
