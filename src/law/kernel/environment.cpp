#include "ropewalk/law/kernel/environment.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Each hostile environment against the default one: equal bits whatever the promise, for the same call.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_environment(const checked_rotation& kernel, const law_case& test_case) {
  law_case usual = test_case;
  usual.environment = caller_environment::usual;
  const rotated expected = kernel.turned(usual);
  measurement measured;
  for (const caller_environment environment : {caller_environment::flushing, caller_environment::upward}) {
    law_case hostile = test_case;
    hostile.environment = environment;
    const rotated done = kernel.turned(hostile);
    for_each_head(test_case, [&](place where) {
      const std::size_t start = head_start(test_case, where);
      for (where.channel = 0; where.channel < test_case.head_dim; ++where.channel) {
        const std::size_t at = start + static_cast<std::size_t>(where.channel);
        const auto bits_in = [&](const auto& tensors) {
          return static_cast<bits_of<Float>>(elements_of(tensors, where.tensor)[at]);
        };
        record(measured, judge_equal(same_bits<Float>(bits_in(expected), bits_in(done))), where, [&] {
          return evidence{dtype_of<Float>, 1, {bits_in(test_case)}, {bits_in(expected)}, {bits_in(done)}};
        });
      }
    });
  }
  return measured;
}

measurement rotation_laws::judge_environment(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_environment<Float>(kernel, test_case); });
}

}  // namespace ropewalk
