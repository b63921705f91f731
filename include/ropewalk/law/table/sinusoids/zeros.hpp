#pragma once
// Zeros: the padding's row and the last channel of an odd width are 0.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_zeros(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const auto judged = [&](position_range part) {
    const sinusoid_rows<Float> rows(source, part, config);
    return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float> got) {
      const bool is_zero_channel = content_of(channel, config).holds == wave::zero;
      return is_zero_channel || is_padding(static_cast<double>(p), config) ? bits_of<Float>{0} : got;
    });
  };
  measurement m = judged(positions);
  if (config.padding_idx) merge(m, judged({-1, 0}));
  return m;
}
ROPEWALK_COMPILED_LAW(measure_zeros, const sinusoidal_source&, const sinusoidal&, position_range);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> zeros{
    .name = "zeros",
    .statement = "the padding's row and the last channel of an odd width are 0",
    .equality = "equal values",
    .proof = "proofs/encoding/sinusoidal_proof.cpp, padding_has_the_zero_row_and_positions_follow_it",
    .catches = "the padding's row holds a number that is not 0",
    .applies = [](const held_sinusoids& of) { return of.config.padding_idx || of.config.d_model % 2 != 0; },
    .measure =
        [](const held_sinusoids& of, const position_range& given) {
          return with_format(of.dtype, [&]<class Float>() {
            return detail::measure_zeros<Float>(of.rows, of.config, given);
          });
        }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
