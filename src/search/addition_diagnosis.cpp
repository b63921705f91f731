#include "search/addition_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::search {
namespace {

/// The number that came out wrong, and where.
template <floating_format Float>
struct wrong_sum {
  using wide = rotation_format<Float>;
  using row = std::vector<bits_of<wide>>;

  const addition_truth& truth;
  place where;
  bits_of<Float> x, got;

  row entries(std::int64_t position, std::int64_t head) const {
    row r(static_cast<std::size_t>(truth.width()));
    truth.entries<wide>(position, static_cast<int>(head), r.data());
    return r;
  }
  bits_of<wide> entry(const row& of) const { return of[static_cast<std::size_t>(where.channel)]; }
  bool is_from(bits_of<wide> added) const { return same_bits<Float>(got, add_entry<Float>(x, added)); }
};

template <floating_format Float>
std::string words_of_other_place(const wrong_sum<Float>& sum, const char* channel) {
  const place& at = sum.where;
  const auto is_entry_of = [&](std::int64_t position, std::int64_t head) {
    return sum.is_from(sum.entry(sum.entries(position, head)));
  };
  if (at.position >= 1 && is_entry_of(at.position - 1, at.head)) return "the position before was taken";
  if (at.position < std::numeric_limits<std::int32_t>::max() &&
      is_entry_of(std::int64_t{at.position} + 1, at.head))
    return "the position after was taken";
  if (at.token != at.position && is_entry_of(at.token, at.head))
    return "the token's index was taken for its position";
  for (std::int64_t head = 0; head < sum.truth.heads(); ++head)
    if (head != at.head && is_entry_of(at.position, head))
      return fmt::format("head {} was taken for head {}", head, at.head);
  const auto row = sum.entries(at.position, at.head);
  for (int other = 0; other < sum.truth.added(); ++other)
    if (other != at.channel && sum.is_from(row[static_cast<std::size_t>(other)]))
      return fmt::format("{} {} was taken for {} {}", channel, other, channel, at.channel);
  return "";
}

template <floating_format Float>
std::string words_of_sum(const wrong_sum<Float>& sum, bits_of<Float> expected, const char* channel) {
  using wide = typename wrong_sum<Float>::wide;
  if (is_nan<Float>(expected) || is_nan<Float>(sum.got))
    return "a NaN or an infinity is not treated as IEEE 754 says";
  if (sum.x == sum.got) return "nothing was added";
  const auto entry = sum.entry(sum.entries(sum.where.position, sum.where.head));
  if (sum.is_from(negate<wide>(entry))) return "the entry was added with the other sign";
  if (const std::string text = words_of_other_place(sum, channel); !text.empty()) return text;
  if (sum.is_from(convert<wide, Float>(convert<Float, wide>(entry))))
    return "the entry was rounded to the data's format before it was added";
  if (magnitude<Float>(sum.got) == 0) return "small values are flushed to zero";
  const bits_of<Float> low = std::min(expected, sum.got), high = std::max(expected, sum.got);
  if (high - low <= 2)  // neighbours have neighbouring bits
    return "a neighbour of what was expected: an entry that is not correctly rounded, or another order of "
           "operations";
  return "another number was added";
}

}  // namespace

std::string words_for_sum(const law<held_addition>& of, const held_addition& kernel,
                          const measurement& measured) {
  const evidence& shown = measured.shown;
  if (same_law(of, addition_laws::pass_through) && shown.count > 0)
    return shown.got[0] == 0 ? "a channel that passes through was zeroed"
                             : "a channel that passes through was changed";
  if (same_law(of, addition_laws::prefill_decode))
    return "the answer depends on how the tokens are handed over";
  if (same_law(of, addition_laws::non_finite))
    return "a NaN or an infinity spread, or did not stay what it was";
  if (shown.count == 0 || measured.where.channel < 0) return "another number was added";
  const char* const channel = kernel.truth().operation() == ROPEWALK_ADD_BIAS ? "key" : "channel";
  return with_format(shown.dtype, [&]<class Float>() {
    return words_of_sum<Float>({kernel.truth(), measured.where, static_cast<bits_of<Float>>(shown.input[0]),
                                static_cast<bits_of<Float>>(shown.got[0])},
                               static_cast<bits_of<Float>>(shown.expected[0]), channel);
  });
}

}  // namespace ropewalk::search
