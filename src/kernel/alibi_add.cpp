// ALiBi's bias added to attention scores. The bias depends only on the head and on key - query, so the
// queries of a call share one run of entries per head.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernel/bias_budget.hpp"
#include "kernel/kernels.hpp"
#include "kernel/row_adder.hpp"
#include "kernel/targeted_kernel.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t most_shared_entries = std::int64_t{1} << 18;  // per head; these fit in a cache

class alibi_add {
 public:
  using operation = add_bias;

  alibi_add(const ropewalk_bias_addition& encoding, const simd::target& target)
      : plan_(encoding), target_(target) {
    for (const detail::resolved_number& slope : plan_.slopes) {
      nearest_.push_back(from_bits<double>(round<double>(slope).bits));
      relative_error_.push_back(is_power_of_two(slope) ? 0 : bias_budget::relative_error);
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
  /// If so, products of the slope with integers below 2^53 are exact in binary64.
  static bool is_power_of_two(const detail::resolved_number& slope) {
    decltype(slope.midpoint.significand) highest_bit{};
    highest_bit.word[rope_rows::limb_count - 1] = std::uint64_t{1} << 63;
    return is_exact(slope) && slope.midpoint.significand == highest_bit;
  }

  template <class Lane>
  void add_biases(const checked_call& call) const {
    const std::int64_t keys = call.query.in.channels();
    const std::int64_t queries = call.end - call.begin;
    if (keys == 0 || queries == 0) return;
    const auto [first, last] = position_ends(call);
    row_adder adder(call, keys, target_);
    std::vector<Lane> entries;
    const std::int64_t shared = last - first + keys;
    if (queries > 1 && shared <= most_shared_entries && shared <= queries * keys) {
      entries.resize(static_cast<std::size_t>(shared));
      for (int head = 0; head < plan_.heads(); ++head) {
        fill(head, -last, entries);
        for_each_token(call, [&](const token_place& place) {
          adder.add(place, head, entries.data() + (last - place.position()));
        });
      }
    } else {
      entries.resize(static_cast<std::size_t>(keys));
      for_each_token(call, [&](const token_place& place) {
        for (int head = 0; head < plan_.heads(); ++head) {
          fill(head, -place.position(), entries);
          adder.add(place, head, entries.data());
        }
      });
    }
    adder.finish();
  }

  struct ends {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
  };

  static ends position_ends(const checked_call& call) {
    ends r;
    for_each_token(call, [&](const token_place& place) {
      r.first = std::min(r.first, place.position());
      r.last = std::max(r.last, place.position());
    });
    return r;
  }

  /// Fills `to` with a head's entries at key - query = first, first + 1, ...
  void fill(int head, std::int64_t first, std::vector<float>& to) const {
    const auto h = static_cast<std::size_t>(head);
    std::uint16_t undecided[simd::most_bias_entries];
    for (std::size_t at = 0; at < to.size(); at += simd::most_bias_entries) {
      const std::int64_t begin = first + static_cast<std::int64_t>(at);
      const int listed =
          target_.bias({nearest_[h], relative_error_[h], static_cast<double>(begin), plan_.is_symmetric},
                       std::min(simd::most_bias_entries, to.size() - at), &to[at], undecided);
      for (int i = 0; i < listed; ++i) to[at + undecided[i]] = exact_entry<float>(head, begin + undecided[i]);
    }
  }

  void fill(int head, std::int64_t first, std::vector<double>& to) const {
    for (std::size_t at = 0; at < to.size(); ++at)
      to[at] = exact_entry<double>(head, first + static_cast<std::int64_t>(at));
  }

  template <class Lane>
  Lane exact_entry(int head, std::int64_t ahead) const {
    return from_bits<Lane>(plan_.entry<Lane>(head, plan_.reach(-ahead, 0)));
  }

  bias_plan plan_;
  const simd::target& target_;
  std::vector<double> nearest_;         // per head: the slope, rounded to binary64
  std::vector<double> relative_error_;  // per head: of a product with that slope
};

}  // namespace

std::vector<ropewalk_kernel> alibi_add_kernels() { return targeted_kernels<alibi_add>("cpu-alibi-add"); }

}  // namespace ropewalk
