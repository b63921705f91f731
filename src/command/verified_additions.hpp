#pragma once
// The encodings that kernels which add are held to: one of each convention in use.

#include <memory>
#include <string>
#include <vector>

#include "ropewalk/law/addition_truth.hpp"

namespace ropewalk::command {

struct verified_addition {
  std::string name;
  std::shared_ptr<const addition_truth> truth;
};

std::vector<verified_addition> verified_additions();

}  // namespace ropewalk::command
