#include "ropewalk/law/table/biases/mirrored.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

measurement measure_mirrored(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return table.same(table.at(head, query, key), table.at(head, key, query));
  });
}

}  // namespace detail::alibi_law

measurement bias_laws::judge_mirrored(const checked_biases& of, const table_length& given) {
  return detail::alibi_law::measure_mirrored(of.biases, static_cast<int>(given.length), of.config);
}

}  // namespace ropewalk
