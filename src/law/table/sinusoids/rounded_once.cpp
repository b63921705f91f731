#include "ropewalk/law/table/sinusoids/rounded_once.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

/// Every entry against the definition; in row 0, against the exact 0 and 1. The frequencies of a table are
/// enclosed once, with enough limbs to decide all but rare entries.
template <floating_format Float>
measurement measure_rounded_once(const sinusoidal_source& source, const sinusoidal& config,
                                 position_range positions) {
  constexpr int limb_count = 4;
  const sinusoid_rows<Float> rows(source, positions, config);
  const auto shared = share<limb_count>(config);
  std::vector<enclosure<limb_count>> turns;
  for (int pair = 0; pair < pair_count(config); ++pair)
    turns.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float>) -> bits_of<Float> {
    const auto [pair, holds] = content_of(channel, config);
    const auto position = static_cast<double>(p);
    if (holds == wave::zero || is_padding(position, config)) return 0;
    if (p + row_offset(config) == 0) return holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
    const auto point = cos_sin_of_turns(turns[static_cast<std::size_t>(pair)] *
                                        sinusoidal_row<limb_count>(position, config));
    const rounding<Float> quick = round<Float>(holds == wave::sine ? point.sin : point.cos);
    if (quick.decided) return quick.bits;
    return round_with_enough_limbs<Float>(
        "entry", [&]<int N>() { return sinusoidal_entry<N>(position, channel, config); });
  });
}

}  // namespace detail

measurement sinusoidal_laws::judge_rounded_once(const checked_sinusoids& of, const position_range& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::measure_rounded_once<Float>(of.rows, of.config, given);
  });
}

}  // namespace ropewalk
