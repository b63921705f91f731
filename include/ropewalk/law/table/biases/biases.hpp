#pragma once
// ALiBi's biases under test: tables from any source. A table holds binary64 numbers, each an exact bias
// rounded once. A law that subtracts biases asks whether some real numbers that round to the entries satisfy
// it, so no law has a tolerance.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

/// Makes the biases of `length` queries and as many keys: bits of binary64, row-major [heads, query, key].
using bias_source = std::function<std::vector<std::uint64_t>(int length, const alibi&)>;

/// A source of biases and their configuration. A case gives the number of queries, and of keys.
struct checked_biases {
  using case_type = table_length;
  using needs_type = no_needs;

  bias_source biases;
  alibi config;
};

namespace detail::alibi_law {

/// A table of biases, with access to its entries.
struct bias_table {
  std::vector<std::uint64_t> bits;
  int length = 0;

  std::uint64_t at(int head, int query, int key) const {
    return bits[(static_cast<std::size_t>(head) * static_cast<std::size_t>(length) +
                 static_cast<std::size_t>(query)) *
                    static_cast<std::size_t>(length) +
                static_cast<std::size_t>(key)];
  }
  /// Whether two entries have equal values; -0 equals +0.
  bool same(std::uint64_t a, std::uint64_t b) const {
    return a == b || (magnitude<double>(a) | magnitude<double>(b)) == 0;
  }
};

/// Judges holds(table, head, query, key) for every key that a query sees: in the causal form, up to its own.
template <class Holds>
measurement judge_biases(const bias_source& biases, int length, const alibi& config, Holds holds) {
  validate(config);
  require(length >= 1, "length", length, "a number above 0");
  const bias_table table{biases(length, config), length};
  require(table.bits.size() == static_cast<std::size_t>(config.heads) * static_cast<std::size_t>(length) *
                                   static_cast<std::size_t>(length),
          "the table's size", static_cast<double>(table.bits.size()), "heads x length x length numbers");
  measurement m;
  for (int head = 0; head < config.heads; ++head)
    for (int query = 0; query < length; ++query)
      for (int key = 0; key < (config.form == alibi_form::causal ? query + 1 : length); ++key) {
        const std::uint64_t got = table.at(head, query, key);
        place where;
        where.head = head;
        where.token = query;
        where.channel = key;
        record(m, judge_equal(is_finite<double>(got) && holds(table, head, query, key)), where, [&] {
          return evidence{ROPEWALK_F64, 1, {}, {}, {got}};
        });
      }
  return m;
}

}  // namespace detail::alibi_law

}  // namespace ropewalk
