// The exact additions, slow: each output is x + t as a real number, rounded once to the tensor's format. t is
// an entry of a sinusoidal row, or a bias of ALiBi.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk {
namespace {

/// x + t rounded once, where entry.operator()<N>() encloses t. An exact zero becomes +0.
template <floating_format Float, class Entry>
bits_of<Float> exact_sum(bits_of<Float> x, const Entry& entry) {
  if (is_nan<Float>(x)) return format<Float>::quiet_nan;
  if (!is_finite<Float>(x)) return x;
  return with_enough_limbs("output",
                           [&]<int N>() -> rounding<Float> {
                             const enclosure<N> sum = enclosure<N>{exact_dyadic_of_bits<N, Float>(x), {}} +
                                                      entry.template operator()<N>();
                             if (is_exact(sum) && is_zero(sum.midpoint)) return {0, true};
                             return round<Float>(sum);
                           })
      .bits;
}

/// The entries of sinusoidal rows.
class exact_row_addition {
 public:
  using operation = add_row;

  explicit exact_row_addition(const ropewalk_row_addition& encoding) : plan_(encoding) {
    pair_of_.resize(static_cast<std::size_t>(plan_.channels()));
    for (int pair = 0; pair < plan_.channels() / 2; ++pair) {
      const channel_pair at = plan_.channels_of_pair(pair);
      pair_of_[static_cast<std::size_t>(at.first)] = {pair, true};
      pair_of_[static_cast<std::size_t>(at.second)] = {pair, false};
    }
  }

  checked_call checked(const ropewalk_row_call& call) const {
    return check(call, plan_.width(), plan_.may_be_real());
  }

  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, const token_place& place, std::int64_t /*head*/, std::int64_t channel,
                     std::int64_t /*channels*/) const {
    return place.is_real() ? sum_at<Float>(x, place.real_position(), channel)
                           : sum_at<Float>(x, place.position(), channel);
  }

 private:
  struct wave_of_pair {
    int pair = 0;
    bool is_sine = false;
  };

  template <floating_format Float, position_number Position>
  bits_of<Float> sum_at(bits_of<Float> x, Position position, std::int64_t channel) const {
    if (channel >= plan_.channels()) return x;
    return exact_sum<Float>(x, [&]<int N>() {
      if (plan_.is_zero_row(position)) return enclosure<N>::of(0);
      const auto [pair, is_sine] = pair_of_[static_cast<std::size_t>(channel)];
      const cos_sin<N> at = plan_.pairs.rows.exact<N>(pair, plan_.row_of(position), true);
      return is_sine ? at.sin : at.cos;
    });
  }

  row_plan plan_;
  std::vector<wave_of_pair> pair_of_;  // of each channel that is added to
};

/// ALiBi's biases. A slope is known to 256 bits.
class exact_bias_addition {
 public:
  using operation = add_bias;

  explicit exact_bias_addition(const ropewalk_bias_addition& encoding) : plan_(encoding) {}

  checked_call checked(const ropewalk_bias_call& call) const { return check(call, plan_.heads()); }

  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, const token_place& place, std::int64_t head, std::int64_t key,
                     std::int64_t keys) const {
    if (is_nan<Float>(x)) return format<Float>::quiet_nan;
    if (!is_finite<Float>(x)) return x;
    constexpr int limb_count = rope_rows::limb_count;
    using real = enclosure<limb_count>;
    const std::int64_t reach = plan_.reach(key - plan_.origin_of(place.position(), keys));
    const real sum = real{exact_dyadic_of_bits<limb_count, Float>(x), {}} +
                     plan_.slopes[static_cast<std::size_t>(head)] * real::of(reach);
    if (is_exact(sum) && is_zero(sum.midpoint)) return 0;
    const rounding<Float> result = round<Float>(sum);
    if (!result.decided)
      throw refused_call("slopes", "a sum with a slope of 256 bits is not decided", ROPEWALK_UNDECIDED);
    return result.bits;
  }

 private:
  bias_plan plan_;
};

/// A plan that visits every element.
template <class Entries>
class exact_addition {
 public:
  using operation = typename Entries::operation;

  explicit exact_addition(const typename operation::encoding& encoding) : entries_(encoding) {}

  void apply(const typename operation::call& call) const {
    const checked_call checked = entries_.checked(call);
    with_format(checked.dtype, [&]<class Float>() { add<Float>(checked); });
  }

 private:
  template <floating_format Float>
  void add(const checked_call& call) const {
    const tensor_view &in = call.query.in, &out = call.query.out;
    for_each_token(call, [&](const token_place& place) {
      for (std::int64_t head = 0; head < in.heads(); ++head) {
        const std::byte* from = in.head(place.row, place.token, head);
        std::byte* to = out.head(place.row, place.token, head);
        for (std::int64_t channel = 0; channel < in.channels(); ++channel)
          store<Float>(to + channel * out.stride[3],
                       entries_.template sum<Float>(load<Float>(from + channel * in.stride[3]), place, head,
                                                    channel, in.channels()));
      }
    });
  }

  Entries entries_;
};

}  // namespace

std::span<const ropewalk_kernel> exact_addition_kernels() {
  static const ropewalk_kernel kernels[] = {
      kernel_of<exact_addition<exact_row_addition>>("exact-sinusoidal-add", promise::exact,
                                                    &every_position_kind),
      kernel_of<exact_addition<exact_bias_addition>>("exact-alibi-add", promise::exact, &every_bias_form)};
  return kernels;
}

}  // namespace ropewalk
