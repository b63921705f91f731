#include "ropewalk/law/table/cos_sin_laws.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

template <floating_format Float>
measurement measure_origin(const checked_cos_sin& cos_sin, const listed_positions&) {
  const bits_of<Float> factor = round_with_enough_limbs<Float>(
      "attention_factor", [&]<int N>() { return rope_attention_factor<N>(cos_sin.config); });
  return judge_each_entry(cos_sin, {{0}}, [&](const cos_sin_entry& entry, int, std::int64_t) {
    return judge_equal(same_value<Float>(static_cast<bits_of<Float>>(entry.cos), factor) &&
                       magnitude<Float>(static_cast<bits_of<Float>>(entry.sin)) == 0);
  });
}

template <floating_format Float>
measurement measure_norm(const checked_cos_sin& cos_sin, const listed_positions& test_case) {
  const auto factor = [&]<int N>() { return rope_attention_factor<N>(cos_sin.config); };
  return judge_each_entry(cos_sin, test_case, [&](const cos_sin_entry& entry, int, std::int64_t) {
    return judge_rounded_norm<Float>(entry, factor);
  });
}

/// Judges each position of the case with the next.
template <floating_format Float>
measurement measure_distance_only(const checked_cos_sin& cos_sin, const listed_positions& test_case) {
  measurement measured;
  for (std::size_t i = 0; i + 1 < test_case.positions.size(); ++i) {
    const std::int64_t position = test_case.positions[i], next = test_case.positions[i + 1];
    const auto row = checked_row(cos_sin, position), next_row = checked_row(cos_sin, next);
    for (int pair = 0; pair < pair_count(cos_sin.config); ++pair)
      for (const bool across : {false, true}) {
        const auto at = static_cast<std::size_t>(pair);
        const auto want = [&]<int N>() -> exact_product<N> {
          const rotation_matrix<N> rotation(cos_sin.config, static_cast<double>(position - next),
                                            rotation_kind::unit);
          const pair_rotation<N> block = rotation.block(pair);
          const enclosure<N> factor = rope_attention_factor<N>(cos_sin.config);
          return {factor * factor * (across ? block.sin : block.cos), factor, factor};
        };
        record(measured, judge_rounded_product<Float>(row[at], next_row[at], across, want),
               place_of(position, pair), [&] {
                 return evidence{cos_sin.dtype, 2, {}, {}, {row[at].cos, row[at].sin}};
               });
      }
  }
  return measured;
}

template <floating_format Float>
measurement measure_rounded_once(const checked_cos_sin& cos_sin, const listed_positions& test_case) {
  return judge_each_entry(
      cos_sin, test_case, [&](const cos_sin_entry& entry, int pair, std::int64_t position) {
        const cos_sin_entry want = rounded_once_of<Float>(position, [&]<int N>() {
          return rotation_matrix<N>(cos_sin.config, static_cast<double>(position)).block(pair);
        });
        return judge_equal(
            same_value<Float>(static_cast<bits_of<Float>>(entry.cos),
                              static_cast<bits_of<Float>>(want.cos)) &&
            same_value<Float>(static_cast<bits_of<Float>>(entry.sin), static_cast<bits_of<Float>>(want.sin)));
      });
}

}  // namespace detail::cos_sin_laws

measurement cos_sin_laws::judge_origin(const checked_cos_sin& cos_sin, const listed_positions& test_case) {
  return with_format(cos_sin.dtype, [&]<class Float>() {
    return detail::cos_sin_laws::measure_origin<Float>(cos_sin, test_case);
  });
}

measurement cos_sin_laws::judge_norm(const checked_cos_sin& cos_sin, const listed_positions& test_case) {
  return with_format(cos_sin.dtype, [&]<class Float>() {
    return detail::cos_sin_laws::measure_norm<Float>(cos_sin, test_case);
  });
}

measurement cos_sin_laws::judge_distance_only(const checked_cos_sin& cos_sin,
                                              const listed_positions& test_case) {
  return with_format(cos_sin.dtype, [&]<class Float>() {
    return detail::cos_sin_laws::measure_distance_only<Float>(cos_sin, test_case);
  });
}

measurement cos_sin_laws::judge_rounded_once(const checked_cos_sin& cos_sin,
                                             const listed_positions& test_case) {
  return with_format(cos_sin.dtype, [&]<class Float>() {
    return detail::cos_sin_laws::measure_rounded_once<Float>(cos_sin, test_case);
  });
}

}  // namespace ropewalk
