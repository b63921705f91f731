#include "search/addition_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::search {
namespace {

/// One number of a case that came out wrong.
template <floating_format Float>
struct wrong_sum {
  place where;
  bits_of<Float> x, expected, got;
};

/// The wrong numbers of a case, and which mistake gives all of them.
template <floating_format Float>
class wrong_sums {
  using wide = rotation_format<Float>;
  using wrong = wrong_sum<Float>;

 public:
  wrong_sums(const held_addition& kernel, const law_case& given) : truth_(kernel.truth()) {
    ropewalk::detail::for_each_sum<Float>(
        kernel, given, kernel.sums(given), [&](const place& where, auto x, auto got, auto entry) {
          const auto expected = where.channel < truth_.added() ? add_entry<Float>(x, entry) : x;
          if (!same_bits<Float>(expected, got)) all_.push_back({where, x, expected, got});
        });
  }

  bool is_empty() const { return all_.empty(); }

  /// One sentence; empty where no mistake gives all of the numbers.
  std::string words() const {
    if (every([](const wrong& one) { return is_nan<Float>(one.expected) || is_nan<Float>(one.got); }))
      return "a NaN or an infinity is not treated as IEEE 754 says";
    if (every([](const wrong& one) { return one.x == one.got; })) return "nothing was added";
    if (every_is_from([&](const wrong& one) { return negate<wide>(own_entry(one)); }))
      return "the entry was added with the other sign";
    if (every_is_from(
            [&](const wrong& one) { return convert<wide, Float>(convert<Float, wide>(own_entry(one))); }))
      return "the entry was rounded to the data's format before it was added";
    if (const std::string text = words_of_other_position(); !text.empty()) return text;
    if (has_slopes_from_zero())
      return "head 0 was taken for head 1, and so on: the exponent of a slope is counted from 0";
    if (const std::string text = words_of_other_head(); !text.empty()) return text;
    if (const std::string text = words_of_other_channel(); !text.empty()) return text;
    if (every([](const wrong& one) { return magnitude<Float>(one.got) == 0; }))
      return "small values are flushed to zero";
    if (every([](const wrong& one) {  // neighbours have neighbouring bits
          return std::max(one.expected, one.got) - std::min(one.expected, one.got) <= 2;
        }))
      return "neighbours of what was expected: entries that are not correctly rounded, or another order of "
             "operations";
    return "";
  }

 private:
  template <class Test>
  bool every(Test is_so) const {
    return std::all_of(all_.begin(), all_.end(), is_so);
  }

  /// Whether each number is x plus entry_of(number).
  template <class EntryOf>
  bool every_is_from(EntryOf entry_of) const {
    return every([&](const wrong& one) { return is_from(one, entry_of(one)); });
  }

  static bool is_from(const wrong& one, bits_of<wide> added) {
    return same_bits<Float>(one.got, add_entry<Float>(one.x, added));
  }

  bits_of<wide> entry(const wrong& one, std::int64_t position, std::int64_t head) const {
    const auto channel = static_cast<std::size_t>(one.where.channel);
    return row(position, head)[channel];
  }

  bits_of<wide> own_entry(const wrong& one) const { return entry(one, one.where.position, one.where.head); }

  const std::vector<bits_of<wide>>& row(std::int64_t position, std::int64_t head) const {
    std::vector<bits_of<wide>>& r = rows_[{position, head}];
    if (r.empty()) {
      r.resize(static_cast<std::size_t>(truth_.width()));
      truth_.entries<wide>(position, static_cast<int>(head), r.data());
    }
    return r;
  }

  std::string words_of_other_position() const {
    const auto is_at = [&](auto position_of) {
      return every_is_from([&](const wrong& one) { return entry(one, position_of(one), one.where.head); });
    };
    if (is_at([](const wrong& one) { return std::max<std::int64_t>(one.where.position, 1) - 1; }))
      return "the position before was taken";
    if (is_at([](const wrong& one) { return std::min(one.where.position + 1LL, 1LL * largest_position); }))
      return "the position after was taken";
    if (is_at([](const wrong& one) { return one.where.token; }))
      return "the token's index was taken for its position";
    return "";
  }

  /// Each head has the slope of the one before. The first has a slope that is none of them: 1.
  bool has_slopes_from_zero() const {
    const bool is_seen =
        std::any_of(all_.begin(), all_.end(), [](const wrong& one) { return one.where.head > 0; });
    return is_seen && truth_.heads() > 0 && every([&](const wrong& one) {
             return one.where.head == 0 || is_from(one, entry(one, one.where.position, one.where.head - 1));
           });
  }

  /// For each head with wrong numbers, one other head whose entries give all of them.
  std::string words_of_other_head() const {
    std::map<std::int64_t, std::int64_t> taken;
    for (const wrong& one : all_) {
      if (taken.count(one.where.head) > 0) continue;
      const std::int64_t heads = truth_.heads();
      std::int64_t other = 0;
      while (other < heads && (other == one.where.head || !explains_head(one.where.head, other))) ++other;
      if (other == heads) return "";
      taken[one.where.head] = other;
    }
    const auto& [head, other] = *taken.begin();
    return fmt::format("head {} was taken for head {}", other, head);
  }

  bool explains_head(std::int64_t head, std::int64_t other) const {
    return every([&](const wrong& one) {
      return one.where.head != head || is_from(one, entry(one, one.where.position, other));
    });
  }

  /// For each channel with wrong numbers, one other channel whose entries give all of them.
  std::string words_of_other_channel() const {
    std::map<int, int> taken;
    for (const wrong& one : all_) {
      if (taken.count(one.where.channel) > 0) continue;
      int other = 0;
      while (other < truth_.added() &&
             (other == one.where.channel || !explains_channel(one.where.channel, other)))
        ++other;
      if (other == truth_.added()) return "";
      taken[one.where.channel] = other;
    }
    const char* const noun = truth_.operation() == ROPEWALK_ADD_BIAS ? "key" : "channel";
    const auto& [channel, other] = *taken.begin();
    return fmt::format("{} {} was taken for {} {}", noun, other, noun, channel);
  }

  bool explains_channel(int channel, int other) const {
    return every([&](const wrong& one) {
      return one.where.channel != channel ||
             is_from(one, row(one.where.position, one.where.head)[static_cast<std::size_t>(other)]);
    });
  }

  const addition_truth& truth_;
  std::vector<wrong> all_;
  mutable std::map<std::pair<std::int64_t, std::int64_t>, std::vector<bits_of<wide>>> rows_;
};

}  // namespace

std::string words_for_sum(const law<held_addition>& of, const held_addition& kernel,
                          const counterexample& found) {
  const evidence& shown = found.measured.shown;
  if (same_law(of, addition_laws::pass_through) && shown.count > 0)
    return shown.got[0] == 0 ? "a channel that passes through was zeroed"
                             : "a channel that passes through was changed";
  if (same_law(of, addition_laws::non_finite))
    return "a NaN or an infinity spread, or did not stay what it was";
  return with_format(found.original.dtype, [&]<class Float>() -> std::string {
    const wrong_sums<Float> wrong(kernel, found.original);
    if (wrong.is_empty()) return "the answer depends on how the tokens are handed over";
    const std::string text = wrong.words();
    return text.empty() ? "no known fault gives these numbers" : text;
  });
}

}  // namespace ropewalk::search
