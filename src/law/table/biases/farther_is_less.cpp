#include "ropewalk/law/table/biases/farther_is_less.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_falling_bias(const bias_source& biases, int length, const alibi& config) {
  const int last = length - 1;
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    const int nearest = is_by_key(config.form) ? last : query;
    if (key == nearest) return true;
    const int nearer = key < nearest ? key + 1 : key - 1;
    return from_bits<double>(table.at(head, query, key)) < from_bits<double>(table.at(head, query, nearer));
  });
}

}  // namespace detail::alibi_law

measurement bias_laws::judge_farther_is_less(const checked_biases& of, const table_length& given) {
  return detail::alibi_law::measure_falling_bias(of.biases, static_cast<int>(given.length), of.config);
}

}  // namespace ropewalk
