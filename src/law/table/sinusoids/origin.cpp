#include "ropewalk/law/table/sinusoids/origin.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_origin(const sinusoidal_source& source, const sinusoidal& config, position_range) {
  const sinusoid_rows<Float> rows(source, {0, 1}, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t, int channel, bits_of<Float>) {
    return content_of(channel, config).holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
  });
}

}  // namespace detail

measurement sinusoidal_laws::judge_origin(const checked_sinusoids& of, const position_range& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::measure_origin<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
