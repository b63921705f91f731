#include "ropewalk/law/table/cos_sin_laws.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

template <floating_format Float>
measurement measure_origin(const checked_cos_sin& of, const listed_positions&) {
  const bits_of<Float> factor = round_with_enough_limbs<Float>(
      "attention_factor", [&]<int N>() { return rope_attention_factor<N>(of.config); });
  return judge_each_entry(of, {{0}}, [&](const cos_sin_entry& got, int, std::int64_t) {
    return judge_equal(same_value<Float>(static_cast<bits_of<Float>>(got.cos), factor) &&
                       magnitude<Float>(static_cast<bits_of<Float>>(got.sin)) == 0);
  });
}

template <floating_format Float>
measurement measure_norm(const checked_cos_sin& of, const listed_positions& given) {
  const auto factor = [&]<int N>() { return rope_attention_factor<N>(of.config); };
  return judge_each_entry(of, given, [&](const cos_sin_entry& got, int, std::int64_t) {
    return judge_rounded_norm<Float>(got, factor);
  });
}

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

template <floating_format Float>
measurement measure_rounded_once(const checked_cos_sin& of, const listed_positions& given) {
  return judge_each_entry(of, given, [&](const cos_sin_entry& got, int pair, std::int64_t position) {
    const cos_sin_entry want = rounded_once_of<Float>(position, [&]<int N>() {
      return rotation_matrix<N>(of.config, static_cast<double>(position)).block(pair);
    });
    return judge_equal(
        same_value<Float>(static_cast<bits_of<Float>>(got.cos), static_cast<bits_of<Float>>(want.cos)) &&
        same_value<Float>(static_cast<bits_of<Float>>(got.sin), static_cast<bits_of<Float>>(want.sin)));
  });
}

}  // namespace detail::cos_sin_laws

measurement cos_sin_laws::judge_origin(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::cos_sin_laws::measure_origin<Float>(of, given); });
}

measurement cos_sin_laws::judge_norm(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::cos_sin_laws::measure_norm<Float>(of, given); });
}

measurement cos_sin_laws::judge_distance_only(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::cos_sin_laws::measure_distance_only<Float>(of, given); });
}

measurement cos_sin_laws::judge_rounded_once(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::cos_sin_laws::measure_rounded_once<Float>(of, given); });
}

}  // namespace ropewalk
