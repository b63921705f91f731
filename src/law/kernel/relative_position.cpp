#include "ropewalk/law/kernel/relative_position.hpp"

#include <algorithm>
#include <cstdint>

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/score.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// The score of every query head with a key head of the next token, against the exact score and score_bound.
///
/// domain  a case with a key
template <floating_format Float>
measurement measure_relative_position(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case);
  exact_turns turns(kernel, true);
  measurement measured;
  for (std::int64_t row = 0; row < test_case.batch; ++row)
    for (std::int64_t token = 0; token < test_case.tokens; ++token)
      for (std::int64_t head = 0; head < test_case.query_heads; ++head) {
        const std::int64_t next = (token + 1) % test_case.tokens;
        const place at{operand::query, row, token, head, -1, -1, position_of(test_case, row, token)};
        const place other{
            operand::key, row, next, head % test_case.key_heads, -1, -1, position_of(test_case, row, next)};
        detail::judge_score<Float>(measured, kernel, test_case, done, turns, at, other);
      }
  return measured;
}

measurement rotation_laws::judge_relative_position(const checked_rotation& kernel,
                                                   const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_relative_position<Float>(kernel, test_case); });
}

}  // namespace ropewalk
