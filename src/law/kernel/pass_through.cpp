#include "ropewalk/law/kernel/pass_through.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every channel that does not rotate: equal bits, those of a NaN included.
///
/// domain  every bit pattern; head_dim may be above the layout's, so that there are channels to pass through
template <floating_format Float>
measurement measure_pass_through(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case);
  measurement measured;
  for_each_head(test_case, [&](place where) {
    const std::size_t start = head_start(test_case, where);
    for (where.channel = 0; where.channel < test_case.head_dim; ++where.channel) {
      if (kernel.rotates(where.channel)) continue;
      const std::size_t index = start + static_cast<std::size_t>(where.channel);
      const std::uint64_t x = elements_of(test_case, where.tensor)[index],
                          y = elements_of(done, where.tensor)[index];
      record(measured, judge_equal(x == y), where, [&] {
        return evidence{dtype_of<Float>, 1, {x}, {x}, {y}};
      });
    }
  });
  return measured;
}

measurement rotation_laws::judge_pass_through(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_pass_through<Float>(kernel, test_case); });
}

}  // namespace ropewalk
