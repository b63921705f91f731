#include "ropewalk/law/table/cos_sin/rounded_once.hpp"

#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

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

measurement cos_sin_laws::judge_rounded_once(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::cos_sin_laws::measure_rounded_once<Float>(of, given); });
}

}  // namespace ropewalk
