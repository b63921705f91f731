#include "ropewalk/law/kernel/extrapolation.hpp"

#include "ropewalk/law/kernel/accuracy.hpp"

namespace ropewalk::rotation_laws {

measurement judge_extrapolation(const checked_rotation& kernel, const law_case& test_case) {
  return judge_accuracy(kernel, test_case);
}

}  // namespace ropewalk::rotation_laws
