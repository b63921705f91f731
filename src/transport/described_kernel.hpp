#pragma once
// A program's description of one of its kernels: name, operation, promise and limits.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::transport {

/// The name of an operation in messages: "rotate", "add-row", "add-bias".
std::string operation_word(ropewalk_operation operation);

/// A description, which owns the arrays of its limits.
struct described_kernel {
  std::string name;
  ropewalk_operation operation = ROPEWALK_ROTATE;
  promise promised;
  ropewalk_limits limits{};
  std::vector<std::int32_t> head_dims;
  std::vector<std::array<std::int64_t, 4>> shapes;
  bool has_times = false;  // whether it answers `time` requests
};

/// Reads one element of a program's list of kernels. Ignores unknown keys.
///
/// throws  bad_input naming the key, its value and the allowed values
described_kernel described_by(const input::json& value);

}  // namespace ropewalk::transport
