#include "ropewalk/law/table/bias_laws.hpp"

#include <cstddef>
#include <vector>

#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_diagonal(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    return key != alibi_origin(query, length, config.form) ||
           magnitude<double>(table.at(head, query, key)) == 0;
  });
}

measurement measure_toeplitz(const bias_source& biases, int length, const alibi& config) {
  const int step = is_by_key(config.form) ? 0 : 1;
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    return query == 0 || key < step ||
           table.same(table.at(head, query, key), table.at(head, query - 1, key - step));
  });
}

measurement measure_falling_bias(const bias_source& biases, int length, const alibi& config) {
  const int last = length - 1;
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    const int nearest = is_by_key(config.form) ? last : query;
    if (key == nearest) return true;
    const int nearer = key < nearest ? key + 1 : key - 1;
    return from_bits<double>(table.at(head, query, key)) < from_bits<double>(table.at(head, query, nearer));
  });
}

measurement measure_mirrored(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return table.same(table.at(head, query, key), table.at(head, key, query));
  });
}

measurement measure_row(const bias_source& biases, int length, const alibi& config) {
  // A form by the key is the causal one plus a constant per row, at every key.
  const alibi_form form = is_by_key(config.form) ? alibi_form::causal : config.form;
  std::vector<real> slopes;
  for (int head = 0; head < config.heads; ++head) slopes.push_back(alibi_slope<limb_count>(head, config));
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    const std::uint64_t here = table.at(head, query, key), own = table.at(head, query, query);
    if (!is_finite<double>(own)) return false;
    const real paper = slopes[static_cast<std::size_t>(head)] * real::of(alibi_steps(query - key, form));
    return query == key ||
           may_be_equal(before_rounding<limb_count>(here) - before_rounding<limb_count>(own), paper);
  });
}

}  // namespace detail::alibi_law

measurement bias_laws::judge_diagonal(const checked_biases& biases, const table_length& length) {
  return detail::alibi_law::measure_diagonal(biases.biases, static_cast<int>(length.length), biases.config);
}

measurement bias_laws::judge_toeplitz(const checked_biases& biases, const table_length& length) {
  return detail::alibi_law::measure_toeplitz(biases.biases, static_cast<int>(length.length), biases.config);
}

measurement bias_laws::judge_farther_is_less(const checked_biases& biases, const table_length& length) {
  return detail::alibi_law::measure_falling_bias(biases.biases, static_cast<int>(length.length),
                                                 biases.config);
}

measurement bias_laws::judge_mirrored(const checked_biases& biases, const table_length& length) {
  return detail::alibi_law::measure_mirrored(biases.biases, static_cast<int>(length.length), biases.config);
}

measurement bias_laws::judge_row(const checked_biases& biases, const table_length& length) {
  return detail::alibi_law::measure_row(biases.biases, static_cast<int>(length.length), biases.config);
}

}  // namespace ropewalk
