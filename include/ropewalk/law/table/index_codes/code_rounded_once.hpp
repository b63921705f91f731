#pragma once
// Codes rounded once.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"
#include "ropewalk/table/index_code_table.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_code_rounded_once(const index_code_source& source, const index_code& config,
                                      std::int64_t length) {
  const std::vector<bits_of<Float>> ours = index_codes<Float>({0, length}, config),
                                    theirs = codes_of<Float>(source, {0, length}, config);
  const auto width = static_cast<std::size_t>(config.width);
  measurement m =
      judge_each_code<Float>(theirs, {0, length}, config, [&](std::int64_t p, int column, bits_of<Float>) {
        return ours[static_cast<std::size_t>(p) * width + static_cast<std::size_t>(column)];
      });
  // And against the definition, which this library's own codes are made from by another way.
  for (std::int64_t p = 0; p < length; ++p)
    for (int column = 0; column < config.width; ++column) {
      const bits_of<Float> got =
          theirs[static_cast<std::size_t>(p) * width + static_cast<std::size_t>(column)];
      place where;
      where.position = static_cast<std::int32_t>(p);
      where.channel = column;
      judge_element<Float>(
          m, where, got, [&]<int N>() { return index_code_entry<N>(p, column, config); },
          [&] {
            return evidence{dtype_of<Float>, 1, {}, {got}, {got}};
          });
    }
  return m;
}
ROPEWALK_COMPILED_LAW(measure_code_rounded_once, const index_code_source&, const index_code&, std::int64_t);

}  // namespace detail

namespace index_code_laws {

inline constexpr law<held_index_codes> code_rounded_once{
    .name = "code-rounded-once",
    .statement = "every number is the exact one rounded once, ties to even",
    .measure = [](const held_index_codes& of, const table_length& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::measure_code_rounded_once<Float>(of.codes, of.config, given.length);
      });
    }};

}  // namespace index_code_laws

}  // namespace ropewalk
