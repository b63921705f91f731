#include "ropewalk/law/kernel/same_as.hpp"

#include <cstddef>

#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/kernel/other_answer.hpp"

namespace ropewalk {

/// Every channel of every head, pairs together.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_same_as(const checked_rotation& kernel, const law_case& test_case) {
  const checked_rotation other = kernel.same_as().value();
  const auto answers = detail::both_answers([&] { return kernel.turned(test_case); },
                                            [&] { return other.turned(test_case); }, other.name());
  measurement measured;
  if (!answers) return measured;
  for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(test_case, where);
    const channel_pair out = kernel.channels_out(where.pair);
    const auto x =
        pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair));
    const auto y = pair_at<Float>(elements_of(answers->first, where.tensor), start, out);
    const auto expected = pair_at<Float>(elements_of(answers->second, where.tensor), start, out);
    const bool equal =
        same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
    record(measured, judge_equal(equal), where, [&] {
      return evidence{
          dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
    });
  });
  detail::compare_channels<Float>(measured, test_case, *answers,
                                  [&](int channel) { return !kernel.rotates(channel); });
  return measured;
}

measurement rotation_laws::judge_same_as(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_same_as<Float>(kernel, test_case); });
}

}  // namespace ropewalk
