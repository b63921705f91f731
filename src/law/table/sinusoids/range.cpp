#include "ropewalk/law/table/sinusoids/range.hpp"

#include <cstdint>

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

}  // namespace detail

measurement sinusoidal_laws::judge_range(const checked_sinusoids& of, const position_range& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::measure_range<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
