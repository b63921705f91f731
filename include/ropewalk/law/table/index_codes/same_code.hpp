#pragma once
// One code a position.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_same_code(const index_code_source& source, const index_code& config,
                              position_range positions) {
  const std::vector<bits_of<Float>> whole = codes_of<Float>(source, positions, config);
  const auto width = static_cast<std::size_t>(config.width);
  const position_range part{positions.begin, positions.end - size(positions) / 2};
  return judge_each_code<Float>(codes_of<Float>(source, part, config), part, config,
                                [&](std::int64_t p, int column, bits_of<Float>) {
                                  return whole[static_cast<std::size_t>(p - positions.begin) * width +
                                               static_cast<std::size_t>(column)];
                                });
}
ROPEWALK_COMPILED_LAW(measure_same_code, const index_code_source&, const index_code&, position_range);

}  // namespace detail

namespace index_code_laws {

inline constexpr law<held_index_codes> same_code{
    .name = "same-code",
    .statement = "a position has one code, however many positions are asked for",
    .measure = [](const held_index_codes& of, const position_range& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::measure_same_code<Float>(of.codes, of.config, given);
      });
    }};

}  // namespace index_code_laws

}  // namespace ropewalk
