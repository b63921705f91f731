#include "ropewalk/law/kernel/accuracy.hpp"

#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/judged_pairs.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |observed - a R(t) x| of every pair, against accuracy_bound; for a kernel that promises correct rounding,
/// half an ulp in every element. Repeated in the same memory, the call must give the same bits; other bits at
/// other addresses are only reported.
template <floating_format Float>
measurement measure_accuracy(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case, {.repeated = true});
  const bool unit = is_unit(test_case);
  exact_turns turns(kernel, unit);
  measurement measured;
  measured.has_other_bits = detail::depends_on_address(
      kernel, done, [&](const call_form& form) { return kernel.turned(test_case, form); });
  for_each_judged_pair<Float>(
      kernel, test_case, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const auto want = [&]<int N>() -> exact_output<N> {
          const cos_sin<N> by = turns.at<N>(where.pair, where.position);
          const exact_pair<N> input = exact<N, Float>(x);
          const enclosure<N> a = kernel.attention<N>(unit);
          return {turned(input, is_backward(test_case) ? backward(by) : by), a * a * squared_norm(input)};
        };
        if (kernel.promised() == promise::exact)
          detail::judge_elements<Float>(measured, where, x, y, kernel.channels_out(where.pair), want);
        else
          judge_pair<Float>(measured, where, x, y,
                            kernel.accuracy_at<Float>(where.position, where.pair, unit), want);
      });
  return measured;
}

measurement rotation_laws::judge_accuracy(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_accuracy<Float>(kernel, test_case); });
}

}  // namespace ropewalk
