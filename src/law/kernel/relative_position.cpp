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
measurement measure_relative_position(const checked_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  exact_turns turns(kernel, true);
  measurement m;
  for (std::int64_t row = 0; row < given.batch; ++row)
    for (std::int64_t token = 0; token < given.tokens; ++token)
      for (std::int64_t head = 0; head < given.query_heads; ++head) {
        const std::int64_t next = (token + 1) % given.tokens;
        const place at{operand::query, row, token, head, -1, -1, position_of(given, row, token)};
        const place other{
            operand::key, row, next, head % given.key_heads, -1, -1, position_of(given, row, next)};
        detail::judge_score<Float>(m, kernel, given, done, turns, at, other);
      }
  return m;
}

measurement rotation_laws::judge_relative_position(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype,
                     [&]<class Float>() { return measure_relative_position<Float>(kernel, given); });
}

}  // namespace ropewalk
