#pragma once
// Range: every value lies in [-1, 1].

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_range(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  return judge_each_entry<Float>(rows, [](std::int64_t, int, bits_of<Float> got) {
    const bits_of<Float> sign = static_cast<bits_of<Float>>(got & format<Float>::sign_bit);
    return magnitude<Float>(got) <= one_of<Float> ? got : static_cast<bits_of<Float>>(sign | one_of<Float>);
  });
}
ROPEWALK_COMPILED_LAW(measure_range, const sinusoidal_source&, const sinusoidal&, position_range);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> range{
    .name = "range",
    .statement = "every value lies in [-1, 1]",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/sinusoidal_proof.cpp, every_pair_lies_on_the_unit_circle; "
        "proofs/table/sinusoidal_table_proof.cpp, rounded_values_stay_in_range",
    .catches = "entries from one half up are doubled, except at position 0",
    .measure = [](const held_sinusoids& of, const position_range& given) {
      return with_format(
          of.dtype, [&]<class Float>() { return detail::measure_range<Float>(of.rows, of.config, given); });
    }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
