// ALiBi's bias added to attention scores. The bias depends only on the head and on key - origin. Queries
// share one run of entries per head: each uses its own part of the run or, in a form by key, all of it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/row_adder.hpp"
#include "kernel/slope_bounds.hpp"
#include "kernel/targeted_kernel.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk {
namespace {

// Entries of a head that are computed at once, which fit in the first-level cache, and keys that they serve;
// the other entries serve further queries.
constexpr std::int64_t most_entries = 4096, most_keys = most_entries / 2;
// Tokens of a stretch in a form by key: few enough that their scores stay in a cache from head to head.
constexpr std::int64_t most_keyed_tokens = most_entries / 2;
static_assert(most_entries % simd::row_multiple == 0);  // fill pads its output

/// Stretches of queries that share the entries of a head.
class stretch_batch {
 public:
  /// With `by_key`, every query needs the same entries, one per key.
  stretch_batch(std::int64_t keys, bool by_key) : keys_(keys), by_key_(by_key) {}

  /// Whether the stretch needs no more entries together with the others than alone, and all of them fit.
  bool may_take(const token_stretch& stretch) const {
    if (size_ == 0) return true;
    if (by_key_) return size_ < stretches_.size();
    const std::int64_t positions =
        std::max(last_, stretch.last_position()) - std::min(first_, stretch.position);
    return size_ < stretches_.size() && positions + keys_ <= most_entries &&
           positions <= last_ - first_ + stretch.tokens + keys_;
  }

  void take(const token_stretch& stretch) {
    first_ = size_ == 0 ? stretch.position : std::min(first_, stretch.position);
    last_ = size_ == 0 ? stretch.last_position() : std::max(last_, stretch.last_position());
    stretches_[size_++] = stretch;
  }
  void clear() { size_ = 0; }

  std::span<const token_stretch> stretches() const { return std::span(stretches_).first(size_); }
  std::int64_t last() const { return last_; }
  /// Entries that a block of keys needs: one per distance.
  std::size_t entries(std::int64_t keys) const {
    return static_cast<std::size_t>((by_key_ ? 0 : last_ - first_) + keys);
  }

 private:
  std::int64_t keys_;
  bool by_key_;
  std::size_t size_ = 0;
  std::int64_t first_ = 0;  // positions
  std::int64_t last_ = 0;
  std::array<token_stretch, 64> stretches_;
};

class alibi_add {
 public:
  using operation = add_bias;

  alibi_add(const ropewalk_bias_addition& encoding, const simd::target& target)
      : plan_(encoding), target_(target) {
    for (const detail::resolved_number& slope : plan_.slopes) {
      const double nearest = from_bits<double>(round<double>(slope).bits);
      bounds_.push_back(bounds_of_slope(nearest, is_power_of_two(slope)));
    }
  }

  void apply(const ropewalk_bias_call& call) const {
    const checked_call checked = check(call, plan_.heads());
    if (checked.dtype == ROPEWALK_F64)
      add_biases<double>(checked);
    else
      add_biases<float>(checked);
  }

 private:
  /// If true, products of the slope with integers below 2^53 are exact in binary64, and round to binary32 as
  /// the integers do.
  static bool is_power_of_two(const detail::resolved_number& slope) {
    decltype(slope.midpoint.significand) highest_bit{};
    highest_bit.word[rope_rows::limb_count - 1] = std::uint64_t{1} << 63;
    return is_exact(slope) && slope.midpoint.significand == highest_bit;
  }

  template <class Lane>
  void add_biases(const checked_call& call) const {
    const std::int64_t keys = call.query.in.channels();
    if (keys == 0) return;
    row_adder adder(call, target_);
    const std::int64_t keys_at_once = std::min(keys, most_keys);
    stretch_batch batch(keys_at_once, plan_.is_by_key());
    const std::int64_t most_tokens = plan_.is_by_key() ? most_keyed_tokens : most_entries - keys_at_once;
    for_each_stretch(call, most_tokens, [&](const token_stretch& stretch) {
      if (!batch.may_take(stretch)) {
        add_batch<Lane>(adder, batch, keys);
        batch.clear();
      }
      batch.take(stretch);
    });
    add_batch<Lane>(adder, batch, keys);
    adder.finish();
  }

  /// Adds to all heads and keys of a batch. The entries of a query begin one element after those of the next
  /// query; in a form by key, at the same element.
  template <class Lane>
  void add_batch(row_adder& adder, const stretch_batch& batch, std::int64_t keys) const {
    if (batch.stretches().empty()) return;
    std::array<Lane, most_entries> entries;  // uninitialised
    for (int head = 0; head < plan_.heads(); ++head)
      for (std::int64_t begin = 0; begin < keys; begin += most_keys) {
        const added_channels block{begin, std::min(keys - begin, most_keys)};
        fill(head, begin - plan_.origin_of(batch.last(), keys),
             std::span(entries).first(batch.entries(block.count)));
        for (const token_stretch& stretch : batch.stretches())
          if (plan_.is_by_key())
            adder.add_to_head(stretch, head, block, entries.data(), 0);
          else
            adder.add_to_head(stretch, head, block, entries.data() + (batch.last() - stretch.position),
                              -static_cast<std::ptrdiff_t>(sizeof(Lane)));
      }
  }

  /// Fills `to` with a head's entries at key - origin = first, first + 1, ...
  void fill(int head, std::int64_t first, std::span<float> to) const {
    const auto h = static_cast<std::size_t>(head);
    std::uint16_t undecided[simd::most_bias_entries];
    for (std::size_t at = 0; at < to.size(); at += simd::most_bias_entries) {
      const std::int64_t begin = first + static_cast<std::int64_t>(at);
      const int listed = target_.bias({bounds_[h], begin, plan_.is_symmetric},
                                      std::min(simd::most_bias_entries, to.size() - at), &to[at], undecided);
      for (int i = 0; i < listed; ++i) to[at + undecided[i]] = exact_entry<float>(head, begin + undecided[i]);
    }
  }

  void fill(int head, std::int64_t first, std::span<double> to) const {
    for (std::size_t at = 0; at < to.size(); ++at)
      to[at] = exact_entry<double>(head, first + static_cast<std::int64_t>(at));
  }

  template <class Lane>
  Lane exact_entry(int head, std::int64_t ahead) const {
    return from_bits<Lane>(plan_.entry<Lane>(head, plan_.reach(ahead)));
  }

  bias_plan plan_;
  const simd::target& target_;
  std::vector<simd::slope_bounds> bounds_;  // per head
};

}  // namespace

std::vector<ropewalk_kernel> alibi_add_kernels() {
  return targeted_kernels<alibi_add>("cpu-alibi-add", &every_bias_form);
}

}  // namespace ropewalk
