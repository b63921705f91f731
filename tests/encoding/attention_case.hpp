#pragma once
// What tests of attention share: the precision, and what a refusal says.

#include <stdexcept>
#include <string>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::test {

inline constexpr int limb_count = 3;
using real = enclosure<limb_count>;

/// What std::invalid_argument the call throws; empty: none.
template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace ropewalk::test
