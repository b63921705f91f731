#include "ropewalk/law/addition/same_as.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/other_answer.hpp"

namespace ropewalk {

/// Every channel of every row.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_same_sums(const held_addition& kernel, const law_case& given) {
  const held_addition& other = *kernel.same_as();
  const auto answers = detail::both_answers([&] { return kernel.sums(given); },
                                            [&] { return other.sums(given); }, other.name());
  measurement m;
  if (!answers) return m;
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.channel = 0; where.channel < given.head_dim; ++where.channel) {
      const std::size_t index = start + static_cast<std::size_t>(where.channel);
      const auto x = static_cast<bits_of<Float>>(elements_of(given, where.tensor)[index]),
                 y = static_cast<bits_of<Float>>(elements_of(answers->first, where.tensor)[index]),
                 expected = static_cast<bits_of<Float>>(elements_of(answers->second, where.tensor)[index]);
      record(m, judge_equal(same_bits<Float>(expected, y)), where, [&] {
        return evidence{dtype_of<Float>, 1, {x}, {expected}, {y}};
      });
    }
  });
  return m;
}

measurement addition_laws::judge_same_as(const held_addition& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_same_sums<Float>(kernel, given); });
}

}  // namespace ropewalk
