#include "ropewalk/law/table/cos_sin/distance_only.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

/// Judges each position of the case with the next.
template <floating_format Float>
measurement measure_distance_only(const checked_cos_sin& of, const listed_positions& given) {
  measurement m;
  for (std::size_t i = 0; i + 1 < given.positions.size(); ++i) {
    const std::int64_t position = given.positions[i], next = given.positions[i + 1];
    const auto row = checked_row(of, position), next_row = checked_row(of, next);
    for (int pair = 0; pair < pair_count(of.config); ++pair)
      for (const bool across : {false, true}) {
        const auto at = static_cast<std::size_t>(pair);
        const auto want = [&]<int N>() -> exact_product<N> {
          const rotation_matrix<N> rotation(of.config, static_cast<double>(position - next),
                                            rotation_kind::unit);
          const pair_rotation<N> block = rotation.block(pair);
          const enclosure<N> factor = rope_attention_factor<N>(of.config);
          return {factor * factor * (across ? block.sin : block.cos), factor, factor};
        };
        record(m, judge_rounded_product<Float>(row[at], next_row[at], across, want), place_of(position, pair),
               [&] {
                 return evidence{of.dtype, 2, {}, {}, {row[at].cos, row[at].sin}};
               });
      }
  }
  return m;
}

}  // namespace detail::cos_sin_laws

measurement cos_sin_laws::judge_distance_only(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::cos_sin_laws::measure_distance_only<Float>(of, given); });
}

}  // namespace ropewalk
