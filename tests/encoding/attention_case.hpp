#pragma once
// Shared by the tests of attention: the precision, and the message of a refusal.

#include <stdexcept>
#include <string>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::test {

inline constexpr int limb_count = 3;
using real = enclosure<limb_count>;

/// Message of the std::invalid_argument that the call throws; empty if it throws none.
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
