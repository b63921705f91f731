#pragma once
// The encodings that kernels which add are held to, and tables with them: one of each convention in use.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ropewalk/law/addition_truth.hpp"

namespace ropewalk::command {

struct named_sinusoidal {
  const char* name;
  sinusoidal config;
};

struct named_alibi {
  const char* name;
  alibi config;
};

std::span<const named_sinusoidal> sinusoidal_conventions();
std::span<const named_alibi> alibi_conventions();

struct verified_addition {
  std::string name;
  std::shared_ptr<const addition_truth> truth;
};

std::vector<verified_addition> verified_additions();

}  // namespace ropewalk::command
