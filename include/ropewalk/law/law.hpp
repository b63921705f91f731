#pragma once
// What a law is: a name, a statement, the cases it speaks of, and a measurement.

#include <string_view>

#include "ropewalk/law/held_kernel.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

/// What a case must be like for a law to speak of it.
struct case_needs {
  bool every_bit_pattern = false;  // otherwise finite values
  bool key = false;
  bool as_many_key_heads = false;
  bool position_zero = false;
  bool one_range = false;
  bool pass_through_channels = false;
  bool several_tokens = false;
  bool attention_factor = false;  // never a unit rotation
  bool environments = false;      // the law itself calls in each
};

struct law {
  std::string_view name;
  std::string_view statement;
  std::string_view relative_to;  // the norm that the bound is relative to; empty where equality decides
  case_needs needs;
  measurement (*measure)(const held_kernel&, const law_case&);
};

}  // namespace ropewalk
