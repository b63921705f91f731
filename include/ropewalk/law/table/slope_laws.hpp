#pragma once
// Laws of ALiBi's slopes, for tables from any source. A table holds binary64 numbers, each an exact slope
// rounded once. A law that multiplies slopes checks whether some real numbers that round to the entries
// satisfy it, so no law has a tolerance. In the statements P is the largest power of two not above the number
// of heads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"

namespace ropewalk {

/// Makes the slopes of a configuration: bits of binary64, one number per head.
using slope_source = std::function<std::vector<std::uint64_t>(const alibi&)>;

/// A source of slopes and their configuration.
struct checked_slopes {
  using case_type = whole_table;
  using needs_type = no_needs;

  slope_source slopes;
  alibi config;
};

namespace detail::alibi_law {

// Enough for products of two binary64 numbers and for slopes down to 2^-200.
inline constexpr int limb_count = 4;
using real = enclosure<limb_count>;

inline bool may_be_equal(const real& x, const real& y) {
  const order relation = compare(x, y);
  return relation == order::equal || relation == order::undecided;
}

constexpr bool is_positive_number(std::uint64_t bits) { return bits > 0 && bits < format<double>::infinity; }

/// Judges holds(head, table) for heads first .. last - 1; all fail unless the table is positive and finite.
template <class Holds>
measurement judge_slopes(const slope_source& slopes, const alibi& config, int first, int last, Holds holds) {
  const std::vector<std::uint64_t> table = slopes(config);
  require(table.size() == static_cast<std::size_t>(config.heads), "the table's length",
          static_cast<double>(table.size()), "one slope per head");
  bool are_numbers = true;
  for (const std::uint64_t bits : table) are_numbers = are_numbers && is_positive_number(bits);
  measurement measured;
  for (int head = first; head < last; ++head) {
    place where;
    where.head = head;
    record(measured, judge_equal(are_numbers && holds(static_cast<std::size_t>(head), table)), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {}, {table[static_cast<std::size_t>(head)]}};
    });
  }
  return measured;
}

using slope_table = std::vector<std::uint64_t>;

/// Whether some real numbers that round to the three slopes make the middle one the geometric mean.
inline bool may_be_mean(std::uint64_t low, std::uint64_t middle, std::uint64_t high) {
  const real mean = before_rounding<limb_count>(middle);
  return may_be_equal(mean * mean, before_rounding<limb_count>(low) * before_rounding<limb_count>(high));
}

}  // namespace detail::alibi_law

namespace slope_laws {

measurement judge_whole(const checked_slopes& slopes, const whole_table&);
measurement judge_falling(const checked_slopes& slopes, const whole_table&);
measurement judge_geometric(const checked_slopes& slopes, const whole_table&);
measurement judge_interlaced(const checked_slopes& slopes, const whole_table&);

inline constexpr law<checked_slopes> whole{
    .name = "whole",
    .statement = "head h of the first P has exactly 2^(-8 h / P) where that is a power of two",
    .equality = "equal bits",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "exponents are counted from zero",
    .measure = judge_whole};

inline constexpr law<checked_slopes> falling{
    .name = "falling",
    .statement = "slopes of the first P heads fall from head to head",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "two heads are exchanged",
    .applies = [](const checked_slopes& slopes) { return detail::formula_heads(slopes.config.heads) > 1; },
    .measure = judge_falling};

inline constexpr law<checked_slopes> geometric{
    .name = "geometric",
    .statement = "slopes of the first P heads are powers of the first",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "the first slope is four ulps too large",
    .applies = [](const checked_slopes& slopes) { return detail::formula_heads(slopes.config.heads) > 1; },
    .measure = judge_geometric};

inline constexpr law<checked_slopes> interlaced{
    .name = "interlaced",
    .statement = "slope P + k is the geometric mean of slopes k - 1 and k",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, further_heads_lie_in_the_middle_between_two",
    .catches = "the heads beyond a power of two are in another order",
    .applies =
        [](const checked_slopes& slopes) {
          return slopes.config.heads > detail::formula_heads(slopes.config.heads);
        },
    .measure = judge_interlaced};

inline constexpr std::array all{whole, falling, geometric, interlaced};

}  // namespace slope_laws

}  // namespace ropewalk
