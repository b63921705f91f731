#pragma once
// What every table of ALiBi's slopes owes the paper, whoever made it. A table holds binary64 numbers, each an
// exact slope rounded once: where a law multiplies them it asks whether some numbers that round to them
// fulfil it, so none has a tolerance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/frequency_ramp.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Makes the slopes of a configuration: bits of binary64, one number a head.
using slope_source = std::function<std::vector<std::uint64_t>(const alibi&)>;

struct slope_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const alibi&);
  measurement (*measure)(const slope_source&, const alibi&);
};

namespace detail::alibi_law {

inline constexpr int limb_count =
    4;  // products of two binary64 numbers, and slopes to 2^-200, are far within
using real = enclosure<limb_count>;

inline bool may_be_equal(const real& x, const real& y) {
  const order found = compare(x, y);
  return found == order::equal || found == order::undecided;
}

constexpr bool is_positive_number(std::uint64_t bits) { return bits > 0 && bits < format<double>::infinity; }

/// Asks holds(head, table) of the heads first .. last - 1, where the neighbours it looks at are numbers.
template <class Holds>
measurement judge_slopes(const slope_source& slopes, const alibi& config, int first, int last, Holds holds) {
  const std::vector<std::uint64_t> table = slopes(config);
  require(table.size() == static_cast<std::size_t>(config.heads), "the table's length",
          static_cast<double>(table.size()), "one number a head");
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

/// Whether the middle slope may be the geometric mean of two others.
inline bool may_be_mean(std::uint64_t low, std::uint64_t middle, std::uint64_t high) {
  const real mean = before_rounding<limb_count>(middle);
  return may_be_equal(mean * mean, before_rounding<limb_count>(low) * before_rounding<limb_count>(high));
}

inline measurement measure_whole_exponents(const slope_source& slopes, const alibi& config) {
  const auto power = static_cast<std::size_t>(formula_heads(config.heads));
  return judge_slopes(
      slopes, config, 0, static_cast<int>(power), [&](std::size_t head, const slope_table& table) {
        if (8 * (head + 1) % power != 0) return true;
        const real slope = times_power_of_two(real::of(1), -static_cast<int>(8 * (head + 1) / power));
        return table[head] == round<double>(slope).bits;
      });
}

inline measurement measure_falling_slopes(const slope_source& slopes, const alibi& config) {
  return judge_slopes(
      slopes, config, 1, formula_heads(config.heads),
      [](std::size_t head, const slope_table& table) { return table[head] < table[head - 1]; });
}

inline measurement measure_geometric(const slope_source& slopes, const alibi& config) {
  const std::uint64_t one = to_bits(1.0);  // the slope before the first
  return judge_slopes(slopes, config, 1, formula_heads(config.heads),
                      [&](std::size_t head, const slope_table& table) {
                        return may_be_mean(head == 1 ? one : table[head - 2], table[head - 1], table[head]);
                      });
}

inline measurement measure_interlaced(const slope_source& slopes, const alibi& config) {
  const int power = formula_heads(config.heads);
  return judge_slopes(slopes, config, power, config.heads, [&](std::size_t head, const slope_table& table) {
    const std::size_t k = head - static_cast<std::size_t>(power);
    return may_be_mean(k == 0 ? to_bits(1.0) : table[k - 1], table[head], table[k]);
  });
}

constexpr bool any_head_count(const alibi&) { return true; }
constexpr bool has_interlaced_heads(const alibi& config) {
  return config.heads > formula_heads(config.heads);
}

}  // namespace detail::alibi_law

/// With P the largest power of two not above the number of heads.
inline constexpr std::array slope_laws{
    slope_law{"whole", "head h of the first P has exactly 2^(-8 h / P) where that is a power of two",
              detail::alibi_law::any_head_count, detail::alibi_law::measure_whole_exponents},
    slope_law{"falling", "slopes of the first P heads fall from head to head",
              detail::alibi_law::any_head_count, detail::alibi_law::measure_falling_slopes},
    slope_law{"geometric", "slopes of the first P heads are powers of the first",
              detail::alibi_law::any_head_count, detail::alibi_law::measure_geometric},
    slope_law{"interlaced", "slope P + k is the geometric mean of slopes k - 1 and k",
              detail::alibi_law::has_interlaced_heads, detail::alibi_law::measure_interlaced},
};

}  // namespace ropewalk
