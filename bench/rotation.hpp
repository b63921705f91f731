#pragma once
// The measured rotation: heads of 128 channels, all rotated, base 10000; and a kernel with a plan for it.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::bench {

inline constexpr rope configuration{.base = 10000, .rotary_dim = 128};
inline constexpr int head_dim = 128;
inline constexpr int heads = 32;
inline constexpr position_range often{0, 8192};  // the frequent positions that plans are told

inline resolved_encoding encoding_with(pairing pairs) {
  return {configuration, {.head_dim = head_dim, .pairing_in = pairs, .pairing_out = pairs}, often};
}

/// A kernel and its plan.
class planned_kernel {
 public:
  planned_kernel(const ropewalk_kernel& kernel, pairing pairs)
      : planned_kernel(kernel, encoding_with(pairs).view()) {}
  template <class Encoding>
  requires requires(const Encoding& encoding) { encoding.head; }
  planned_kernel(const ropewalk_kernel& kernel, const Encoding& encoding) : kernel_(kernel) {
    ropewalk_plan* plan = nullptr;
    ropewalk_error error{};
    if (kernel.plan(&encoding.head, &plan, &error) != ROPEWALK_OK) throw std::runtime_error(error.text);
    plan_ = {plan, kernel.free_plan};
  }

  const ropewalk_kernel& kernel() const { return kernel_; }
  const ropewalk_plan* plan() const { return plan_.get(); }

  /// throws  std::runtime_error with the kernel's error text
  template <class Call>
  void apply(const Call& call) const {
    ropewalk_error error{};
    if (kernel_.apply(plan(), &call.head, &error) != ROPEWALK_OK) throw std::runtime_error(error.text);
  }

 private:
  ropewalk_kernel kernel_;
  std::unique_ptr<ropewalk_plan, void (*)(ropewalk_plan*)> plan_{nullptr, nullptr};
};

/// A call with a dense query and no key, at positions from 0.
///
/// shape   from, to [tokens, heads, head_dim]
inline ropewalk_rotation_call dense_call(std::byte* from, std::byte* to, ropewalk_dtype dtype,
                                         std::int64_t tokens, std::int64_t head_count) {
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {.data = from,
                   .dtype = dtype,
                   .rank = 3,
                   .shape = {tokens, head_count, head_dim, 0},
                   .stride = {head_count * head_dim, head_dim, 1, 0}};
  call.query_out = call.query_in;
  call.query_out.data = to;
  call.tokens.end = tokens;
  return call;
}

constexpr std::size_t tensor_bytes(ropewalk_dtype dtype, std::int64_t tokens) {
  return static_cast<std::size_t>(tokens * heads * head_dim * size_of(dtype));
}

static_assert(all_dtypes[0] == ROPEWALK_F64);
inline constexpr auto narrow_dtypes = std::span(all_dtypes).subspan(1);
inline constexpr pairing pairings[] = {pairing::half_split, pairing::interleaved};

/// cpu-turns and cpu-table on the best target.
inline std::vector<ropewalk_kernel> canonical_kernels() { return {cpu_turns_kernel(), cpu_table_kernel()}; }

/// The canonical kernels, those of the Vulkan device if there is one, and the recipes of inference engines.
inline std::vector<ropewalk_kernel> compared_kernels() {
  std::vector<ropewalk_kernel> r = canonical_kernels();
  const auto append = [&](const auto& kernels) { r.insert(r.end(), kernels.begin(), kernels.end()); };
  const bool has_device = vulkan::why_no_device().empty();
  if (has_device) append(vulkan_rotations());
  append(recipe_kernels());
  if (has_device) r.push_back(vulkan_recipe());
  return r;
}

}  // namespace ropewalk::bench
