// recipe-hf-eager: a rotation as eager PyTorch runs Hugging Face's apply_rotary_pos_emb, operation by
// operation on whole tensors.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "kernel/page_memory.hpp"
#include "kernel/recipe/application.hpp"
#include "kernel/recipe/dense_head.hpp"
#include "kernel/recipe/single_row.hpp"
#include "kernel/recipe/tensor_passes.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/token_places.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk::recipe {
namespace {

constexpr std::size_t largest_table_bytes = std::size_t{1} << 30;

/// Embeddings in the data's format: for each position, first the cosines and then the sines of all rotated
/// channels.
class embedder {
 public:
  embedder(const rotation_plan& plan, const frequencies& from, ropewalk_dtype dtype)
      : plan_(plan),
        passes_(tensor_passes_of(dtype)),
        row_(known_recipes().front(), plan, from),
        sines_(static_cast<std::size_t>(plan.layout.rotary_dim * size_of(dtype))) {}

  std::size_t bytes() const { return 2 * sines_; }

  void fill(const token_place& place, bool unit, bool backward, std::byte* to) {
    row_.fill(place, unit, backward);
    passes_.spread(row_.cos(), plan_.layout.pairs(), plan_.layout.head.pairing_in, to);
    passes_.spread(row_.sin(), plan_.layout.pairs(), plan_.layout.head.pairing_in, to + sines_);
  }

 private:
  const rotation_plan& plan_;
  const tensor_passes& passes_;
  single_row row_;
  std::size_t sines_;  // bytes before them: the cosines
};

/// The embeddings of the positions that the encoding lists as frequent, computed on first use. A model
/// computes its embeddings once in a forward pass, and every layer uses them.
class kept_embeddings {
 public:
  /// The row of a listed position; null if the position is not listed or the table would be too large.
  const std::byte* at(embedder& by, position_range often, std::int64_t position, bool unit) const {
    const bool is_kept = position >= often.begin && position < often.end &&
                         static_cast<std::size_t>(size(often)) <= largest_table_bytes / by.bytes();
    if (!is_kept) return nullptr;
    std::call_once(made_, [&] {
      rows_ = page_memory<std::byte>(static_cast<std::size_t>(size(often)) * by.bytes());
      for (std::int64_t index = often.begin; index < often.end; ++index)
        by.fill({.counted = index}, unit, false, row(by, index - often.begin));
    });
    return row(by, position - often.begin);
  }

 private:
  std::byte* row(const embedder& by, std::int64_t index) const {
    return rows_.data() + static_cast<std::size_t>(index) * by.bytes();
  }

  mutable std::once_flag made_;
  mutable page_memory<std::byte> rows_;
};

/// Memory for the results of operations, kept for later calls. Eager PyTorch allocates each result, which
/// costs additional page faults for large tensors.
class kept_memory {
 public:
  using bytes = std::vector<std::byte>;

  /// Calls use(bytes) with memory that no other call uses meanwhile; `use` may enlarge it.
  template <class Use>
  void lend(Use use) const {
    bytes taken = take();
    use(taken);
    const std::lock_guard guard(mutex_);
    idle_.push_back(std::move(taken));
  }

 private:
  bytes take() const {
    const std::lock_guard guard(mutex_);
    if (idle_.empty()) return {};
    bytes result = std::move(idle_.back());
    idle_.pop_back();
    return result;
  }

  mutable std::mutex mutex_;
  mutable std::vector<bytes> idle_;
};

/// One tensor of a call. The result of each operation has its own memory.
class whole_tensor {
 public:
  whole_tensor(const rotated_tensor& tensor, const rotated_layout& layout,
               std::span<const token_place> places, std::span<const std::byte* const> embeddings)
      : tensor_(tensor),
        layout_(layout),
        places_(places),
        embeddings_(embeddings),
        passes_(tensor_passes_of(tensor.in.dtype)),
        element_(static_cast<std::size_t>(size_of(tensor.in.dtype))),
        channels_(static_cast<std::size_t>(layout.rotary_dim) * element_) {}

  /// Rotates every head. `memory`, which holds all results but the last, is enlarged if necessary.
  void turn(std::vector<std::byte>& memory) {
    const bool is_gathered = !has_dense_heads(tensor_.in);
    const std::size_t half = channels_ / 2, of_head = 3 * channels_ + half + (is_gathered ? channels_ : 0);
    if (memory.size() < of_head * heads()) memory = std::vector<std::byte>(of_head * heads());
    std::byte* const by_cos = memory.data();
    std::byte* const negated = by_cos + heads() * channels_;
    std::byte* const rotated = negated + heads() * half;
    std::byte* const by_sin = rotated + heads() * channels_;
    if (is_gathered) {
      gathered_ = by_sin + heads() * channels_;
      for_each_head([&](const place& at) {
        gather_head(given(at), tensor_.in, layout_, gathered_ + at.head * channels_);
      });
    }
    multiply_by_cos(by_cos);
    rotate_half(negated, rotated);
    multiply_by_sin(rotated, by_sin);
    sum(by_cos, by_sin);
  }

 private:
  /// A head: its token's index in the call, and its own index among all heads.
  struct place {
    std::size_t token;
    std::size_t head;
    std::int64_t of_token;
  };

  std::size_t heads() const { return places_.size() * static_cast<std::size_t>(tensor_.in.heads()); }

  template <class Visit>
  void for_each_head(Visit visit) const {
    place at{};
    for (; at.token < places_.size(); ++at.token)
      for (at.of_token = 0; at.of_token < tensor_.in.heads(); ++at.of_token, ++at.head) visit(at);
  }

  const std::byte* given(const place& at) const {
    return tensor_.in.head(places_[at.token].row, places_[at.token].token, at.of_token);
  }
  const std::byte* x(const place& at) const {
    return gathered_ != nullptr ? gathered_ + at.head * channels_ : given(at);
  }

  void multiply_by_cos(std::byte* to) const {
    for_each_head([&](const place& at) {
      passes_.multiply(x(at), embeddings_[at.token], layout_.rotary_dim, to + at.head * channels_);
    });
  }

  /// rotate_half(x), or rotate_every_two(x) for interleaved pairs: two operations.
  void rotate_half(std::byte* negated, std::byte* to) const {
    const std::size_t half = channels_ / 2;
    for_each_head([&](const place& at) {
      passes_.negate(x(at), layout_.pairs(), layout_.head.pairing_in, negated + at.head * half);
    });
    for_each_head([&](const place& at) {
      passes_.join(negated + at.head * half, x(at), layout_.pairs(), layout_.head.pairing_in,
                   to + at.head * channels_);
    });
  }

  void multiply_by_sin(const std::byte* rotated, std::byte* to) const {
    for_each_head([&](const place& at) {
      passes_.multiply(rotated + at.head * channels_, embeddings_[at.token] + channels_, layout_.rotary_dim,
                       to + at.head * channels_);
    });
  }

  void sum(const std::byte* by_cos, const std::byte* by_sin) const {
    const bool is_direct =
        has_dense_heads(tensor_.out) && layout_.head.pairing_in == layout_.head.pairing_out;
    std::vector<std::byte> head(is_direct ? 0 : channels_);
    for_each_head([&](const place& at) {
      const token_place& token = places_[at.token];
      std::byte* const to = tensor_.out.head(token.row, token.token, at.of_token);
      passes_.add(by_cos + at.head * channels_, by_sin + at.head * channels_, layout_.rotary_dim,
                  is_direct ? to : head.data());
      if (!is_direct) scatter_head(head.data(), layout_, tensor_.out, to);
      copy_pass_through(given(at), tensor_.in.stride[3], to, tensor_.out.stride[3], element_, layout_);
    });
  }

  const rotated_tensor& tensor_;
  const rotated_layout& layout_;
  std::span<const token_place> places_;
  std::span<const std::byte* const> embeddings_;
  const tensor_passes& passes_;
  std::size_t element_;
  std::size_t channels_;           // bytes of the rotated ones
  std::byte* gathered_ = nullptr;  // the input, if its channels are not side by side
};

class eager_rotation {
 public:
  using operation = rotate;

  explicit eager_rotation(const ropewalk_rotation& encoding)
      : plan_(encoding), from_(from_resolved(plan_.inv_freq, plan_.attention_factor)) {}
  eager_rotation(const eager_rotation&) = delete;
  eager_rotation& operator=(const eager_rotation&) = delete;

  void apply(const ropewalk_rotation_call& call) const {
    turn_channels(call, plan_, [&](const checked_call& checked) { turn(checked); });
  }

 private:
  void turn(const checked_call& call) const {
    const std::vector<token_place> places = places_of(call);
    embedder by(plan_, from_, call.dtype);
    std::vector<std::byte> computed;
    const std::vector<const std::byte*> embeddings = embeddings_of(call, places, by, computed);
    results_.lend([&](std::vector<std::byte>& memory) {
      for (const rotated_tensor* tensor : {&call.query, &call.key})
        if (tensor->is_present) whole_tensor(*tensor, plan_.layout, places, embeddings).turn(memory);
    });
  }

  /// Each token's embedding: cached, or in `computed`.
  std::vector<const std::byte*> embeddings_of(const checked_call& call, std::span<const token_place> places,
                                              embedder& by, std::vector<std::byte>& computed) const {
    const kept_embeddings& kept = kept_[static_cast<std::size_t>(call.dtype)][call.unit ? 1 : 0];
    const bool may_be_kept = plan_.axes == 1 && !call.backward;
    std::vector<const std::byte*> embeddings;
    for (const token_place& place : places)
      embeddings.push_back(may_be_kept ? kept.at(by, plan_.often, place.position(), call.unit) : nullptr);
    computed.resize(static_cast<std::size_t>(std::count(embeddings.begin(), embeddings.end(), nullptr)) *
                    by.bytes());
    std::byte* next = computed.data();
    for (std::size_t token = 0; token < embeddings.size(); ++token) {
      if (embeddings[token] != nullptr) continue;
      by.fill(places[token], call.unit, call.backward, next);
      embeddings[token] = std::exchange(next, next + by.bytes());
    }
    return embeddings;
  }

  rotation_plan plan_;
  frequencies from_;
  std::array<std::array<kept_embeddings, 2>, all_formats::size> kept_;  // by format; scaled, unit
  kept_memory results_;
};

}  // namespace

ropewalk_kernel eager_kernel() { return kernel_of<eager_rotation>("recipe-hf-eager", promise::hf); }

}  // namespace ropewalk::recipe
