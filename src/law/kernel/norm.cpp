#include "ropewalk/law/kernel/norm.hpp"

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// | |observed| - a |x| | of every pair, against norm_bound.
template <floating_format Float>
measurement measure_norm(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case);
  const bool unit = is_unit(test_case);
  measurement measured;
  for_each_judged_pair<Float>(
      kernel, test_case, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const auto show = [&] {
          const enclosure<2> size = kernel.attention<2>(unit) * norm(exact<2, Float>(x));
          const std::uint64_t bits =
              is_finite<Float>(y) ? shown_bits<double>(norm(exact<2, Float>(y))) : format<double>::infinity;
          return evidence{ROPEWALK_F64, 1, {}, {shown_bits<double>(size)}, {bits}};
        };
        if (!is_finite<Float>(y)) return record(measured, judge_equal(false), where, show);
        const pair_bound bound = kernel.norm_within<Float>(unit);
        const verdict verdict = judge(bound.relative, [&]<int N>() -> error_and_bound<N> {
          const enclosure<N> size = kernel.attention<N>(unit) * norm(exact<N, Float>(x));
          return {norm(exact<N, Float>(y)) - size,
                  enclosure<N>::of(bound.relative) * size + enclosure<N>::of(bound.absolute)};
        });
        record(measured, unless_trivial(verdict, trivial_bound), where, show);
      });
  return measured;
}

measurement rotation_laws::judge_norm(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype, [&]<class Float>() { return measure_norm<Float>(kernel, test_case); });
}

}  // namespace ropewalk
