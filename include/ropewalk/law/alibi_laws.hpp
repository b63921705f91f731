#pragma once
// What every table of ALiBi's biases owes the paper, whoever made it. A table holds binary64 numbers, each an
// exact bias rounded once: where a law subtracts them it asks whether some numbers that round to them fulfil
// it, so none has a tolerance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/alibi_slope_laws.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Makes the biases of `length` queries and as many keys: bits of binary64, [heads, length, length], the key
/// fastest.
using bias_source = std::function<std::vector<std::uint64_t>(int length, const alibi&)>;

struct bias_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const alibi&);
  measurement (*measure)(const bias_source&, int length, const alibi&);
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

inline measurement measure_diagonal(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return query != key || magnitude<double>(table.at(head, query, key)) == 0;
  });
}

inline measurement measure_toeplitz(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return query == 0 || key == 0 ||
           table.same(table.at(head, query, key), table.at(head, query - 1, key - 1));
  });
}

inline measurement measure_falling_bias(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    if (query == key) return true;
    const int nearer = key < query ? key + 1 : key - 1;
    return from_bits<double>(table.at(head, query, key)) < from_bits<double>(table.at(head, query, nearer));
  });
}

inline measurement measure_mirrored(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return table.same(table.at(head, query, key), table.at(head, key, query));
  });
}

inline measurement measure_row(const bias_source& biases, int length, const alibi& config) {
  std::vector<real> slopes;
  for (int head = 0; head < config.heads; ++head) slopes.push_back(alibi_slope<limb_count>(head, config));
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    const std::uint64_t here = table.at(head, query, key), own = table.at(head, query, query);
    if (!is_finite<double>(own)) return false;
    const real paper =
        slopes[static_cast<std::size_t>(head)] * real::of(alibi_steps(query - key, config.form));
    return query == key ||
           may_be_equal(before_rounding<limb_count>(here) - before_rounding<limb_count>(own), paper);
  });
}

inline bool any_form(const alibi&) { return true; }

}  // namespace detail::alibi_law

/// Only `row` is seen by a softmax; the others say that a table has the paper's form.
inline constexpr std::array bias_laws{
    bias_law{"diagonal", "a token has no bias to itself", detail::alibi_law::any_form,
             detail::alibi_law::measure_diagonal},
    bias_law{"toeplitz", "the bias depends on the distance alone", detail::alibi_law::any_form,
             detail::alibi_law::measure_toeplitz},
    bias_law{"farther-is-less", "the bias falls as the distance grows", detail::alibi_law::any_form,
             detail::alibi_law::measure_falling_bias},
    bias_law{"mirrored", "keys ahead and behind have the same bias",
             [](const alibi& config) { return config.form == alibi_form::symmetric; },
             detail::alibi_law::measure_mirrored},
    bias_law{"row", "along the keys that a query sees the bias is the paper's, but for one number",
             detail::alibi_law::any_form, detail::alibi_law::measure_row},
};

}  // namespace ropewalk
