#include "diagnosis/kept_state.hpp"

#include <cstddef>
#include <exception>
#include <memory>

#include "diagnosis/answer.hpp"
#include "diagnosis/inquiry.hpp"
#include "diagnosis/observation.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr int times_of_state = 8;  // repetitions of each of two calls: chance would pass 1 in 65536

template <class Kernel>
bool is_usual(const failed_case<Kernel>& failure) {
  return !is_large(failure.law) && failure.test_case.environment == caller_environment::usual;
}

}  // namespace

template <class Kernel>
bool keeps_state(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
                 const std::vector<failed_case<Kernel>>& failed) {
  const failed_case<Kernel>* smallest = nullptr;
  for (const failed_case<Kernel>& failure : failed)
    if (is_usual(failure) &&
        (smallest == nullptr || failure.test_case.query.size() < smallest->test_case.query.size()))
      smallest = &failure;
  if (smallest == nullptr) return false;
  try {
    const answer right = answer_of(causes.right(promised), smallest->test_case);
    const auto is_right_after = [&](const law_case* before) {
      const std::unique_ptr<Kernel> fresh = causes.hold(kernel, promised);
      if (before != nullptr) answer_of(*fresh, *before);
      return agree(*fresh, smallest->test_case, answer_of(*fresh, smallest->test_case), right);
    };
    const law_case* spoils = nullptr;
    std::size_t tried = 0;
    for (const failed_case<Kernel>& failure : failed)
      if (spoils == nullptr && is_usual(failure) && !(failure.test_case == smallest->test_case) &&
          ++tried <= most_failed_cases && !is_right_after(&failure.test_case))
        spoils = &failure.test_case;
    for (int time = 0; spoils != nullptr && time < times_of_state; ++time)
      if (!is_right_after(nullptr) || is_right_after(spoils)) return false;
    return spoils != nullptr;
  } catch (const std::exception&) {
    return false;  // no comparable answer: unknown
  }
}

template bool keeps_state(const ropewalk_kernel&, promise, known_causes<checked_rotation>&,
                          const std::vector<failed_case<checked_rotation>>&);
template bool keeps_state(const ropewalk_kernel&, promise, known_causes<checked_addition>&,
                          const std::vector<failed_case<checked_addition>>&);

}  // namespace ropewalk::diagnosis
