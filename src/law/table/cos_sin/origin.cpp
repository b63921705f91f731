#include "ropewalk/law/table/cos_sin/origin.hpp"

#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"
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

}  // namespace detail::cos_sin_laws

measurement cos_sin_laws::judge_origin(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::cos_sin_laws::measure_origin<Float>(of, given); });
}

}  // namespace ropewalk
