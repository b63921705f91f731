#include "ropewalk/law/kernel/extrapolation.hpp"

#include "ropewalk/law/kernel/accuracy.hpp"

namespace ropewalk::rotation_laws {

measurement judge_extrapolation(const checked_rotation& kernel, const law_case& given) {
  return judge_accuracy(kernel, given);
}

}  // namespace ropewalk::rotation_laws
