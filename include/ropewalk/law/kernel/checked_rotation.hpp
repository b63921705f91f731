#pragma once
// A rotation kernel under test, with plans of one encoding and the exact values of that encoding.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/judge/bound_domain.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// The positions that a model gives the tokens of one call, on all axes.
struct placed_call {
  std::vector<double> positions{};  // [axes][tokens], as kernels take them; int32 numbers unless is_real
  bool is_real = false;             // the call gives them in binary64
};

/// Properties of a model's rotations besides the encoding.
struct rotated_model {
  std::string config_json{};  // for kernels that read it
  rope_axes axes{};
  int query_heads = 0;  // 0: unknown
  int key_heads = 0;
  std::int64_t max_positions = 0;  // context length; 0: unknown
  // Coordinates of indices; a kernel's positions are then position_of_index.
  axis_coordinates coordinates{};
  std::vector<placed_call> calls{};  // of pictures and videos
};

class checked_rotation : public checked_kernel {
 public:
  /// throws  std::invalid_argument naming the field and its value
  checked_rotation(const ropewalk_kernel& kernel, promise promised, const rope& encoding,
                   const head_layout& layout, rotated_model model = {}, const asked_calls& calls = {});

  /// Another kernel with the same promise, limits, encoding and calls, which shares the exact values.
  checked_rotation with_kernel(const ropewalk_kernel& other) const { return {*this, other}; }

  /// Configuration of the rotary embedding that the kernel is given.
  const rope& encoding() const { return exact_->encoding; }
  /// Pairings of the kernel's input and output, and channels of a head.
  const head_layout& layout() const { return exact_->layout; }
  /// Properties of the model besides the encoding.
  const rotated_model& model() const { return exact_->model; }
  /// Exact and correctly rounded rows of the encoding.
  const rope_rows& rows() const { return exact_->rows; }

  /// The attention factor; 1 for a unit rotation.
  template <int N>
  enclosure<N> attention(bool unit) const {
    return unit ? enclosure<N>::of(1) : with_limbs<N>(exact_->attention);
  }

  /// The binary64 nearest to the attention factor.
  double nearest_attention() const { return exact_->nearest_attention; }

  /// Whether the attention factor is known to be exactly 1.
  bool has_attention_one() const;

  /// Whether the promise bounds the error for data of a format.
  bool has_bound(ropewalk_dtype dtype) const;

  /// Whether the promise bounds the error of every frequency. It does if the kernel receives frequencies.
  bool knows_frequencies() const;

  /// Error that the promise allows one rotated pair.
  template <floating_format Float>
  pair_bound accuracy_at(double position, int pair, bool unit) const {
    return accuracy_within<Float>(position, static_cast<std::size_t>(pair), unit);
  }

  /// Error that the promise allows any rotated pair: the largest over all pairs.
  template <floating_format Float>
  pair_bound accuracy_at(double position, bool unit) const {
    pair_bound bound{};
    for (std::size_t pair = 0; pair < exact_->inv_freq_above.size(); ++pair) {
      const pair_bound limit = accuracy_within<Float>(position, pair, unit);
      bound = {std::max(bound.relative, limit.relative), std::max(bound.absolute, limit.absolute)};
      if (!grows_with_position(promised())) break;  // one bound for all
    }
    return bound;
  }

  /// Error that the promise allows the norm of a rotated pair.
  template <floating_format Float>
  pair_bound norm_within(bool unit) const {
    return norm_bound<Float>(promised(), unit ? 1 : nearest_attention());
  }

  /// The smallest |position| at which a law's bound decides nothing: for every pair if `of_every_pair`, else
  /// for some pair. nullopt where the bound still decides at 2^31.
  std::optional<std::int64_t> vacuous_from(const law<checked_rotation>& law, ropewalk_dtype dtype,
                                           bool of_every_pair) const;

  /// Number of positions that the law of sizes requests once each; 0: none.
  std::int64_t context() const { return others_->calls.context; }

  /// Values of head_dim above the layout's that cases may have, so that channels pass through.
  std::vector<int> wider_head_dims() const;

  /// Number of channel pairs that rotate.
  int pairs() const { return pair_count(exact_->encoding); }
  /// Channels of one pair in the input.
  ///
  /// domain  0 <= pair < pairs()
  channel_pair channels_in(int pair) const { return channels_as(pair, exact_->layout.pairing_in); }
  /// Channels of one pair in the output.
  ///
  /// domain  0 <= pair < pairs()
  channel_pair channels_out(int pair) const { return channels_as(pair, exact_->layout.pairing_out); }
  /// The same in another pairing.
  channel_pair channels_as(int pair, pairing in) const {
    const channel_pair at = channels_of(pair, exact_->model.axes, exact_->encoding, in);
    return {exact_->layout.rotary_begin + at.first, exact_->layout.rotary_begin + at.second};
  }
  /// Whether cases use only the model's own axes: others would change the channels of a pair, or give it
  /// frequencies of another axis's pairs.
  bool has_own_axes_alone() const {
    return exact_->model.axes.count > 1 &&
           (is_by_axis(exact_->layout) || !keeps_frequencies(exact_->model.axes));
  }
  /// Whether a channel of a head rotates; otherwise it passes through.
  bool rotates(int channel) const {
    return channel >= exact_->layout.rotary_begin &&
           channel < exact_->layout.rotary_begin + exact_->encoding.rotary_dim;
  }

  /// The case rotated by the kernel in its own layout.
  ///
  /// throws  kernel_trouble
  rotated turned(const law_case& test_case, const call_form& form = {}) const;

  /// The case rotated by the kernel in another layout; not recorded.
  rotated turned(const law_case& test_case, pairing in, pairing out, const call_form& form = {}) const;

  /// The same kernel with an unscaled encoding of the same base that rotates whole heads of rotary_dim
  /// channels, recorded with this one; a copy of this one if rotary_dim is 0.
  checked_rotation of_rotary_dim(int rotary_dim) const;

  /// The canonical kernel to compare this one with, recorded with it; nullopt if there is none or it does
  /// not serve the format.
  std::optional<checked_rotation> reference(ropewalk_dtype dtype) const;

  /// The other kernel of the law same-as, with the same encoding, recorded with this one; nullopt if there is
  /// none.
  std::optional<checked_rotation> same_as() const;
  /// Whether the kernel serves a case, and so does the other kernel of the law same-as.
  bool allows(const law_case& test_case) const;

  /// The same kernel, whose calls write a record, which must outlive it.
  checked_rotation recording(call_record& record) const;

  /// Makes a call in the kernel's own layout, with tensors of the case's head_dim.
  ///
  /// throws  kernel_trouble
  void turn(const law_case& test_case, ropewalk_rotation_call& call) const;

  /// Makes every invalid call that can be derived from the case.
  ///
  /// throws  kernel_trouble where the valid call is refused
  void ask_invalid(const law_case& test_case, const judge_invalid& judge) const;

 private:
  static constexpr int attention_limbs = 12;

  template <floating_format Float>
  pair_bound accuracy_within(double position, std::size_t pair, bool unit) const {
    const double angle = detail::product_up(std::abs(position), exact_->inv_freq_above[pair]);
    const double frequency_error = exact_->frequency_error.empty() ? 0 : exact_->frequency_error[pair];
    if (!std::isfinite(frequency_error))
      throw std::invalid_argument("the error of a formed frequency is not known");
    return accuracy_bound<Float>(promised(), unit ? 1 : nearest_attention(), angle, frequency_error);
  }

  template <floating_format Float>
  std::optional<std::int64_t> vacuous_from_in(const law<checked_rotation>& law, bool of_every_pair) const;

  bool lacks_axes(const law_case& test_case) const { return has_own_axes_alone() && test_case.axis.empty(); }
  law_case on_own_axes(const law_case& test_case) const;
  shared_plan plan_in(const law_case& test_case, pairing in, pairing out) const;

  checked_rotation(const checked_rotation& like, const ropewalk_kernel& kernel);

  /// The encoding and its exact values, which kernels of one promise share.
  struct exact_encoding {
    rope encoding;
    head_layout layout;
    rotated_model model;
    rope_rows rows;
    enclosure<attention_limbs> attention;
    double nearest_attention = 1;
    std::vector<double> inv_freq_above{};  // per pair, rounded up
    // Per pair, where the promise lets the kernel form its frequencies.
    std::vector<double> frequency_error{};
    std::mutex handed_mutex{};  // of the two below
    std::optional<resolved_encoding> resolved{};
    // The encoding of the last plan. It is overwritten, to expose a plan that refers to it.
    std::unique_ptr<resolved_encoding> handed{};
  };

  /// The requested calls, and the other kernels that laws compare with, each made at its first use.
  struct other_kernels {
    asked_calls calls;
    std::mutex mutex{};
    std::map<int, std::unique_ptr<const checked_rotation>> of_rotary_dim{};
    std::unique_ptr<const checked_rotation> reference{};
    std::unique_ptr<const checked_rotation> same_as{};
  };

  /// A copy of a kernel that is compared with this one, recorded with it.
  checked_rotation beside(const checked_rotation& other) const;

  std::shared_ptr<exact_encoding> exact_;
  std::shared_ptr<other_kernels> others_;
};

}  // namespace ropewalk
