#pragma once
// ALiBi's biases as a subject: what every table of them owes the paper, whoever made it. A table holds binary64 numbers,
// each an exact bias rounded once: where a law subtracts them it asks whether some numbers that round to them fulfil it,
// so none has a tolerance.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

/// Makes the biases of `length` queries and as many keys: bits of binary64, [heads, length, length], the key
/// fastest.
using bias_source = std::function<std::vector<std::uint64_t>(int length, const alibi&)>;

/// The biases of a configuration, by what they are. A case names how many queries and keys there are.
struct held_biases {
  using case_type = table_length;
  using needs_type = no_needs;

  bias_source biases;
  alibi config;
};

namespace detail::alibi_law {

/// A table of biases and how a law reads it.
struct bias_table {
  std::vector<std::uint64_t> bits;
  int length = 0;

  std::uint64_t at(int head, int query, int key) const {
    return bits[(static_cast<std::size_t>(head) * static_cast<std::size_t>(length) +
                 static_cast<std::size_t>(query)) *
                    static_cast<std::size_t>(length) +
                static_cast<std::size_t>(key)];
  }
  /// Of equal value: either zero is zero.
  bool same(std::uint64_t a, std::uint64_t b) const {
    return a == b || (magnitude<double>(a) | magnitude<double>(b)) == 0;
  }
};

/// Asks holds(table, head, query, key) of every key that a query sees: up to its own in the causal form.
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
