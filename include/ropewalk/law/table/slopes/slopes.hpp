#pragma once
// ALiBi's slopes under test: tables from any source. A table holds binary64 numbers, each an exact slope
// rounded once. A law that multiplies slopes asks whether some real numbers that round to the entries satisfy
// it, so no law has a tolerance.

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

// More than products of two binary64 numbers, and slopes down to 2^-200, need.
inline constexpr int limb_count = 4;
using real = enclosure<limb_count>;

inline bool may_be_equal(const real& x, const real& y) {
  const order found = compare(x, y);
  return found == order::equal || found == order::undecided;
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
  measurement m;
  for (int head = first; head < last; ++head) {
    place where;
    where.head = head;
    record(m, judge_equal(are_numbers && holds(static_cast<std::size_t>(head), table)), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {}, {table[static_cast<std::size_t>(head)]}};
    });
  }
  return m;
}

using slope_table = std::vector<std::uint64_t>;

/// Whether some real numbers that round to the three slopes make the middle one the geometric mean.
inline bool may_be_mean(std::uint64_t low, std::uint64_t middle, std::uint64_t high) {
  const real mean = before_rounding<limb_count>(middle);
  return may_be_equal(mean * mean, before_rounding<limb_count>(low) * before_rounding<limb_count>(high));
}

}  // namespace detail::alibi_law

}  // namespace ropewalk
