#include "ropewalk/law/table/biases/diagonal.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_diagonal(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [&](const bias_table& table, int head, int query, int key) {
    return key != alibi_origin(query, length, config.form) ||
           magnitude<double>(table.at(head, query, key)) == 0;
  });
}

}  // namespace detail::alibi_law

measurement bias_laws::judge_diagonal(const checked_biases& of, const table_length& given) {
  return detail::alibi_law::measure_diagonal(of.biases, static_cast<int>(given.length), of.config);
}

}  // namespace ropewalk
