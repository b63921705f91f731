#include "ropewalk/law/table/sinusoids/zeros.hpp"

#include <cstdint>

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

}  // namespace detail

measurement sinusoidal_laws::judge_zeros(const checked_sinusoids& of, const position_range& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::measure_zeros<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
