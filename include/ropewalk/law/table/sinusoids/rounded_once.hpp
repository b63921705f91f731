#pragma once
// Entries rounded once.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk {

namespace detail {

/// Against this library's rows, and at some positions against the definition itself, which is slower.
template <floating_format Float>
measurement measure_rounded_once(const sinusoidal_source& source, const sinusoidal& config,
                                 std::int64_t length) {
  constexpr std::int64_t defined_every = 13;
  const auto own = [](position_range positions, const sinusoidal& of) {
    return widened(sinusoidal_encodings<Float>(positions, of));
  };
  const sinusoid_rows<Float> rows(own, {0, length}, config);
  return judge_each_entry<Float>(sinusoid_rows<Float>(source, {0, length}, config),
                                 [&](std::int64_t p, int channel, bits_of<Float>) -> bits_of<Float> {
                                   if (p % defined_every != 1 || p + row_offset(config) == 0)
                                     return rows.at(p, channel);
                                   return round_with_enough_limbs<Float>("entry", [&]<int N>() {
                                     return sinusoidal_entry<N>(static_cast<double>(p), channel, config);
                                   });
                                 });
}
ROPEWALK_COMPILED_LAW(measure_rounded_once, const sinusoidal_source&, const sinusoidal&, std::int64_t);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> rounded_once{
    .name = "rounded-once",
    .statement = "every entry is the exact value rounded once",
    .measure = [](const held_sinusoids& of, const table_length& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::measure_rounded_once<Float>(of.rows, of.config, given.length);
      });
    }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
