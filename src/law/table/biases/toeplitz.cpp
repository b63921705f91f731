#include "ropewalk/law/table/biases/toeplitz.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_toeplitz(const bias_source& biases, int length, const alibi& config) {
  const int step = is_by_key(config.form) ? 0 : 1;
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    return query == 0 || key < step ||
           table.same(table.at(head, query, key), table.at(head, query - 1, key - step));
  });
}

}  // namespace detail::alibi_law

measurement bias_laws::judge_toeplitz(const checked_biases& of, const table_length& given) {
  return detail::alibi_law::measure_toeplitz(of.biases, static_cast<int>(given.length), of.config);
}

}  // namespace ropewalk
