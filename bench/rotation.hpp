#pragma once
// A measured rotation: an encoding and the shape of its tensors. Also kernels with plans for it.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "input/axis_positions.hpp"
#include "input/kernel_words.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::bench {

inline constexpr rope configuration{.base = 10000, .rotary_dim = 128};  // encoding of the fixed rows
inline constexpr int head_dim = 128;
inline constexpr int heads = 32;
inline constexpr std::int64_t usual_positions = 8192;
inline constexpr position_range often{0, usual_positions};

inline resolved_encoding encoding_with(pairing pairs) {
  return {configuration, {.head_dim = head_dim, .pairing_in = pairs, .pairing_out = pairs}, often};
}

/// Positions of a call's tokens on the axes of their model.
struct tokens_on_axes {
  input::axis_positions positions{};  // in the form for kernels
  std::string text{};                 // the options that gave them
};

/// An encoding and the number of heads to rotate. Tokens are counted from 0 unless they stand on axes.
struct measured_rotation {
  measured_rotation(model::model rotated, int query_heads, int key_heads, int rows, position_range range,
                    std::optional<tokens_on_axes> tokens = {})
      : model(std::move(rotated)),
        layout(model.layout),
        heads(query_heads),
        kv_heads(key_heads),
        batch(rows),
        often(range),
        on_axes(std::move(tokens)),
        encoding(placed_encoding(), model.layout, range, model.config) {}

  /// The encoding; on its axes if the tokens stand on axes.
  placed_rope placed_encoding() const { return on_axes ? model::placed(model) : placed_rope{model.encoding}; }

  /// Elements of query and key together.
  std::size_t elements(std::int64_t tokens) const {
    return static_cast<std::size_t>(tokens * batch * (heads + kv_heads) * layout.head_dim);
  }

  ropewalk::model::model model;
  head_layout layout;
  int heads;
  int kv_heads;  // 0: no key
  int batch;
  position_range often;  // frequent positions, given to plans
  std::optional<tokens_on_axes> on_axes;
  resolved_encoding encoding;
};

/// The rotation of the fixed rows; each call returns the same object.
inline std::shared_ptr<const measured_rotation> fixed_rotation(pairing pairs) {
  static std::map<pairing, std::shared_ptr<const measured_rotation>> known;
  std::shared_ptr<const measured_rotation>& rotation = known[pairs];
  if (rotation) return rotation;
  model::model model =
      model::model_by_hand(configuration.base, head_dim, configuration.rotary_dim, pairs, "");
  return rotation = std::make_shared<measured_rotation>(std::move(model), heads, 0, 1, often);
}

/// A kernel and its plan.
class planned_kernel {
 public:
  /// throws  std::runtime_error with the kernel's error text
  template <class Encoding>
  planned_kernel(const ropewalk_kernel& kernel, const Encoding& encoding) : kernel_(kernel) {
    ropewalk_plan* plan = nullptr;
    ropewalk_error error{};
    const std::int32_t status = kernel.plan(&encoding.head, &plan, &error);
    plan_ = {plan, kernel.free_plan};
    require(status, error);
  }

  const ropewalk_kernel& kernel() const { return kernel_; }
  const ropewalk_plan* plan() const { return plan_.get(); }

  /// throws  std::runtime_error with the kernel's error text
  template <class Call>
  void apply(const Call& call) const {
    ropewalk_error error{};
    require(kernel_.apply(plan(), &call.head, &error), error);
  }

 private:
  static void require(std::int32_t status, const ropewalk_error& error) {
    if (status != ROPEWALK_OK) throw std::runtime_error(input::words_of(error));
  }

  ropewalk_kernel kernel_;
  std::unique_ptr<ropewalk_plan, void (*)(ropewalk_plan*)> plan_{nullptr, nullptr};
};

constexpr std::size_t tensor_bytes(ropewalk_dtype dtype, std::int64_t tokens) {
  return static_cast<std::size_t>(tokens * heads * head_dim * size_of(dtype));
}

static_assert(all_dtypes[0] == ROPEWALK_F64);
inline constexpr auto narrow_dtypes = std::span(all_dtypes).subspan(1);
inline constexpr pairing pairings[] = {pairing::half_split, pairing::interleaved};

}  // namespace ropewalk::bench
