#include "ropewalk/law/table/biases/row.hpp"

#include <cstddef>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

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

measurement bias_laws::judge_row(const checked_biases& of, const table_length& given) {
  return detail::alibi_law::measure_row(of.biases, static_cast<int>(given.length), of.config);
}

}  // namespace ropewalk
