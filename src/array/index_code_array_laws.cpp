// Laws on arrays of index codes.

#include "array/array_laws.hpp"
#include "array/checked_array.hpp"
#include "ropewalk/law/table/index_code_laws.hpp"

namespace ropewalk::array {

std::vector<array_law> array_laws(const tables::index_code_content& content, tables::table_dtype dtype,
                                  const promise&) {
  std::vector<array_law> laws;
  if (!has_runs(content.positions)) return laws;
  const position_range all = content.positions.range;
  const auto subject = [=, config = content.config](const std::byte* array) {
    return checked_index_codes{law_dtype(dtype), rows_as_source(array, dtype, config.width, all), config};
  };
  const checked_index_codes configuration{law_dtype(dtype), {}, content.config};  // laws apply by these alone
  constexpr std::int64_t rows = 1024;
  const auto add = [&](const law<checked_index_codes>& tested_law) {
    if (tested_law.applies(configuration)) add_on_runs(laws, tested_law, rows, all, subject);
  };
  add(index_code_laws::code_range);
  add(index_code_laws::code_unique);
  if (all.begin == 0) add(index_code_laws::bit_period);  // reads the position before each run
  return laws;
}

}  // namespace ropewalk::array
