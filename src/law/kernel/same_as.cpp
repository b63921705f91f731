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
measurement measure_same_as(const checked_rotation& kernel, const law_case& given) {
  const checked_rotation& other = *kernel.same_as();
  const auto answers = detail::both_answers([&] { return kernel.turned(given); },
                                            [&] { return other.turned(given); }, other.name());
  measurement m;
  if (!answers) return m;
  for_each_pair(given, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(given, where);
    const channel_pair out = kernel.channels_out(where.pair);
    const auto x = pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair));
    const auto y = pair_at<Float>(elements_of(answers->first, where.tensor), start, out);
    const auto expected = pair_at<Float>(elements_of(answers->second, where.tensor), start, out);
    const bool equal =
        same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
    record(m, judge_equal(equal), where, [&] {
      return evidence{
          dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
    });
  });
  detail::compare_channels<Float>(m, given, *answers, [&](int channel) { return !kernel.rotates(channel); });
  return m;
}

measurement rotation_laws::judge_same_as(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_same_as<Float>(kernel, given); });
}

}  // namespace ropewalk
