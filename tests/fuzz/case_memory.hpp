#pragma once
// The structs and the tensors of one case, in memory of their own, as kernel.h has them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "fuzz/kernel_case.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROPEWALK_POISONS 1
#endif
#endif
#ifdef ROPEWALK_POISONS
#include <sanitizer/asan_interface.h>
#endif

namespace ropewalk::fuzz {

/// A struct of kernel.h with zeros behind it, so that a larger struct_size is no lie.
struct struct_memory {
  alignas(16) std::array<std::byte, 4096> bytes{};

  template <class Struct>
  void hold(const Struct& value) {
    std::memcpy(bytes.data(), &value, sizeof value);
  }
  template <class Struct>
  Struct& as() {
    return *reinterpret_cast<Struct*>(bytes.data());
  }
  const ropewalk_head* head() const { return reinterpret_cast<const ropewalk_head*>(bytes.data()); }
};

/// The encoding of a case; its arrays are longer than it says, so that some larger counts are no lies either.
class case_encoding {
 public:
  static constexpr std::size_t pairs_there_are = 64;
  static constexpr std::size_t slopes_there_are = 128;

  explicit case_encoding(const kernel_case& test_case) {
    if (test_case.operation == ROPEWALK_ROTATE) {
      ropewalk_rotation encoding = resolved(test_case.rotary).view();
      encoding.head_dim = test_case.layout.head_dim;
      encoding.rotary_begin = test_case.layout.rotary_begin;
      encoding.pairing_in = static_cast<std::int32_t>(test_case.layout.pairing_in);
      encoding.pairing_out = static_cast<std::int32_t>(test_case.layout.pairing_out);
      encoding.table_begin = test_case.often.begin;
      encoding.table_end = test_case.often.end;
      keep_pairs(encoding, static_cast<std::size_t>(pair_count(test_case.rotary)));
      axis_.assign(test_case.axis.begin(), test_case.axis.end());
      axis_.resize(pairs_there_are);
      encoding.axes = test_case.axes;
      encoding.axis = test_case.axes == 1 ? nullptr : axis_.data();
      memory.hold(encoding);
    } else if (test_case.operation == ROPEWALK_ADD_ROW) {
      const resolved_sinusoidal resolved(test_case.rows, test_case.often);
      ropewalk_row_addition addition = resolved.view();
      keep_pairs(addition, static_cast<std::size_t>(pair_count(test_case.rows)));
      memory.hold(addition);
    } else {
      const resolved_alibi resolved(test_case.biases);
      ropewalk_bias_addition addition = resolved.view();
      slopes_.assign(addition.slopes, addition.slopes + addition.heads);
      slopes_.resize(slopes_there_are, slopes_.front());
      addition.slopes = slopes_.data();
      memory.hold(addition);
    }
  }
  case_encoding(const case_encoding&) = delete;
  case_encoding& operator=(const case_encoding&) = delete;

  struct_memory memory;

 private:
  /// Kept: under sanitizers these numbers take longer than all kernels.
  static const resolved_encoding& resolved(const rope& config) {
    static std::map<std::tuple<double, int, std::string_view>, resolved_encoding> known;
    const std::tuple key{config.base, config.rotary_dim, name_of(config.scaling)};
    const auto match = known.find(key);
    if (match != known.end()) return match->second;
    const head_layout all{.head_dim = config.rotary_dim};
    return known.emplace(key, resolved_encoding(config, all)).first->second;
  }

  template <class Encoding>
  void keep_pairs(Encoding& to, std::size_t pairs) {
    inv_freq_.assign(to.inv_freq, to.inv_freq + pairs);
    turns_.assign(to.turns, to.turns + 4 * pairs);
    turns_256_.assign(to.turns_256, to.turns_256 + 8 * pairs);
    turns_real_.assign(to.turns_real, to.turns_real + pairs);
    inv_freq_.resize(pairs_there_are);
    turns_.resize(4 * pairs_there_are);
    turns_256_.resize(8 * pairs_there_are);
    turns_real_.resize(pairs_there_are);
    to.inv_freq = inv_freq_.data();
    to.turns = turns_.data();
    to.turns_256 = turns_256_.data();
    to.turns_real = turns_real_.data();
  }

  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_, turns_256_;
  std::vector<ropewalk_real> turns_real_;
  std::vector<std::int32_t> axis_;
  std::vector<ropewalk_real> slopes_;
};

/// The tensors of a case and the call that refers to them.
class case_call {
 public:
  static constexpr std::int64_t offsets_there_are = 17;

  explicit case_call(const kernel_case& test_case)
      : case_(test_case),
        tensors_{buffer(test_case.heads), buffer(test_case.heads), buffer(test_case.key_heads),
                 buffer(test_case.key_heads)},
        positions_(test_case.positions),
        real_positions_(test_case.real_positions),
        offsets_(test_case.sequence_offset) {
    if (positions_.empty()) positions_.push_back(0);  // for its address
    in(0).write(test_case.query);
    in(1).write(test_case.key);
    offsets_.resize(static_cast<std::size_t>(offsets_there_are), -1);
    visit_operation(test_case.operation, [&]<class Operation>() { memory.hold(empty_call<Operation>()); });
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (ropewalk_tensor* const to = field(i)) *to = tensor(i);
    if (test_case.operation == ROPEWALK_ROTATE) memory.as<ropewalk_rotation_call>().flags = test_case.flags;
    ropewalk_tokens& to = tokens();
    to.begin = test_case.begin;
    to.end = test_case.end;
    if (!test_case.is_counted)
      to.positions = given_positions(
          positions_.data(), {test_case.batch * test_case.tokens, test_case.tokens, 1}, test_case.axes);
    if (!real_positions_.empty()) {
      to.positions.kind = ROPEWALK_POSITIONS_F64;
      to.positions.data = real_positions_.data();
    }
    if (!test_case.sequence_offset.empty()) {
      to.sequence_offset = offsets_.data();
      to.sequences = static_cast<std::int64_t>(test_case.sequence_offset.size()) - 1;
    }
    poison(true);
  }
  ~case_call() { poison(false); }
  case_call(const case_call&) = delete;
  case_call& operator=(const case_call&) = delete;

  struct_memory memory;

  ropewalk_tokens& tokens() {  // every call has them behind its head
    static_assert(offsetof(ropewalk_rotation_call, tokens) == offsetof(ropewalk_row_call, tokens) &&
                  offsetof(ropewalk_rotation_call, tokens) == offsetof(ropewalk_bias_call, tokens));
    return memory.as<ropewalk_rotation_call>().tokens;
  }

  /// query_in, query_out, key_in and key_out of the call; NULL where it has none.
  ropewalk_tensor* field(std::size_t i) {
    if (case_.operation != ROPEWALK_ROTATE)
      return i > 1 ? nullptr
                   : (i == 0 ? &memory.as<ropewalk_row_call>().in : &memory.as<ropewalk_row_call>().out);
    auto& call = memory.as<ropewalk_rotation_call>();
    if (i > 1 && case_.key_heads == 0) return nullptr;
    return std::array{&call.query_in, &call.query_out, &call.key_in, &call.key_out}[i];
  }

  /// The elements of both outputs.
  test::tensors outputs() {
    poison(false);
    test::tensors outputs{out(0).read(), case_.key_heads == 0 ? std::vector<std::uint64_t>() : out(1).read()};
    poison(true);
    return outputs;
  }
  /// All bytes of all tensors, gaps included.
  std::vector<std::byte> all_bytes() {
    poison(false);
    std::vector<std::byte> bytes;
    for (const test::strided_buffer& tensor : tensors_)
      bytes.insert(bytes.end(), tensor.bytes().begin(), tensor.bytes().end());
    poison(true);
    return bytes;
  }
  /// Whether every byte outside the outputs' elements is as it was.
  bool only_outputs_changed() {
    poison(false);
    bool holds = out(0).guard_is_intact() && out(1).guard_is_intact();
    if (!case_.in_place) holds = holds && in(0).read() == case_.query && in(1).read() == case_.key;
    poison(true);
    return holds;
  }

  /// Whether the call's tensors and positions lie within their memory, or would be in no address space at
  /// all: any other call is a lie, whose memory no kernel can check.
  bool is_honest() {
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (const ropewalk_tensor* const tensor = field(i)) {
        if (tensor->rank < 3 || tensor->rank > 4 || !is_dtype(tensor->dtype) || tensor->data == nullptr)
          continue;
        if (!is_within(tensor->data, tensor->shape, tensor->stride, tensor->rank,
                       size_of(static_cast<ropewalk_dtype>(tensor->dtype)), inside(i)))
          return false;
      }
    const ropewalk_positions& at = tokens().positions;
    if (at.kind == ROPEWALK_COUNTED || at.data == nullptr) return true;
    const ropewalk_tensor& shaped = *field(0);
    const bool has_rows = shaped.rank == 4;
    const std::int64_t shape[3] = {at.axes, has_rows ? shaped.shape[0] : 1, shaped.shape[has_rows ? 1 : 0]};
    const int size = at.kind == ROPEWALK_POSITIONS_F64 ? 8 : 4;
    return is_within(at.data, shape, at.stride, 3, size, bytes_of(positions_)) ||
           is_within(at.data, shape, at.stride, 3, size, bytes_of(real_positions_));
  }

 private:
  using byte_range = std::pair<std::uintptr_t, std::uintptr_t>;
  static constexpr std::size_t guard = 16;  // elements on either side, as strided_buffer has them

  test::strided_buffer buffer(std::int64_t heads) const {
    return {case_.dtype, {case_.batch, case_.tokens, heads, case_.channels}, case_.how};
  }
  test::strided_buffer& in(std::size_t tensor) { return tensors_[2 * tensor]; }
  test::strided_buffer& out(std::size_t tensor) { return tensors_[2 * tensor + (case_.in_place ? 0 : 1)]; }

  ropewalk_tensor tensor(std::size_t i) {
    ropewalk_tensor tensor = tensors_[case_.in_place ? i / 2 * 2 : i].tensor(case_.rank);
    tensor.dtype = case_.dtype;
    return tensor;
  }

  /// The bytes of a tensor's memory without its guards.
  byte_range inside(std::size_t i) {
    const std::vector<std::byte>& all = tensors_[case_.in_place ? i / 2 * 2 : i].bytes();
    const auto begin = reinterpret_cast<std::uintptr_t>(all.data());
    const std::size_t beside = guard * static_cast<std::size_t>(size_of(case_.dtype));
    return {begin + beside, begin + all.size() - beside};
  }

  template <class Number>
  static byte_range bytes_of(const std::vector<Number>& numbers) {
    const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data());
    return {begin, begin + sizeof(Number) * numbers.size()};
  }

  static bool is_within(const void* data, const std::int64_t* shape, const std::int64_t* stride, int rank,
                        std::int64_t size, byte_range memory) {
    using wide = signed_wide_word;
    constexpr wide most = INT64_MAX;
    const auto at = static_cast<wide>(reinterpret_cast<std::uintptr_t>(data));
    wide lowest = at, highest = at + size;
    for (int i = 0; i < rank; ++i) {
      if (shape[i] <= 0) return true;
      if (shape[i] == 1) continue;
      const wide reach = static_cast<wide>(shape[i] - 1) * stride[i];
      if (reach > most || reach < -most) return true;
      (reach < 0 ? lowest : highest) += reach * size;
    }
    const bool is_nowhere = highest - lowest > most || lowest < 0;
    return is_nowhere ||
           (lowest >= static_cast<wide>(memory.first) && highest <= static_cast<wide>(memory.second));
  }

  /// Makes an access to the guards a finding of the address sanitizer.
  void poison([[maybe_unused]] bool is_poisoned) {
#ifdef ROPEWALK_POISONS
    for (const test::strided_buffer& tensor : tensors_) {
      const std::vector<std::byte>& all = tensor.bytes();
      const std::size_t beside = guard * static_cast<std::size_t>(size_of(case_.dtype));
      for (const std::byte* const begin : {all.data(), all.data() + all.size() - beside})
        is_poisoned ? __asan_poison_memory_region(begin, beside)
                    : __asan_unpoison_memory_region(begin, beside);
    }
#endif
  }

  const kernel_case& case_;
  std::array<test::strided_buffer, 4> tensors_;
  std::vector<std::int32_t> positions_;
  std::vector<double> real_positions_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace ropewalk::fuzz
