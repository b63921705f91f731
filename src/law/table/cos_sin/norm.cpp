#include "ropewalk/law/table/cos_sin/norm.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

template <floating_format Float>
measurement measure_norm(const checked_cos_sin& of, const listed_positions& given) {
  const auto factor = [&]<int N>() { return rope_attention_factor<N>(of.config); };
  return judge_each_entry(of, given, [&](const cos_sin_entry& got, int, std::int64_t) {
    return judge_rounded_norm<Float>(got, factor);
  });
}

}  // namespace detail::cos_sin_laws

measurement cos_sin_laws::judge_norm(const checked_cos_sin& of, const listed_positions& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::cos_sin_laws::measure_norm<Float>(of, given); });
}

}  // namespace ropewalk
