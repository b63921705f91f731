#pragma once
// Cases for the laws: shapes with remainders, odd head counts, gaps and batch rows; positions where angles go
// wrong; numbers drawn by their bits. A failing case is shrunk until no simpler case fails.

#include <string>
#include <vector>

#include <rapidcheck/Gen.h>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::search {

/// Constraints on the cases: the law's needs, the kernel's limits and the model's shape.
struct case_domain {
  case_needs needs{};
  ropewalk_dtype dtype = ROPEWALK_F32;
  int head_dim = 0;
  int rotary_dim = 0;
  int rotary_begin = 0;
  int range = -1;              // for extrapolation: positions in +-[2^range, 2^(range + 1))
  std::int64_t number = 0;     // of the case
  int attention_exponent = 0;  // 2^attention_exponent <= attention factor < twice that
  bool adds = false;           // an addition: one tensor and no flags
  int heads = 0;               // 0: any number
  // Head counts of the model's query and key; drawn often.
  int model_heads = 32;
  int model_key_heads = 8;
  std::int64_t context = 0;  // for sizes: runs each position below it once; 0: no such case
  // Original and full context lengths of the model; powers of two are left out, since those are always drawn.
  std::vector<std::int64_t> context_lengths{};
  served_calls served{};
  std::vector<int> wider_head_dims{};  // for channels that pass through, if the model has none
  rope_axes axes{};                    // the model's axes; a text model has one position row
  bool has_own_axes_alone = false;     // other assignments would change channels or frequencies
  std::vector<placed_call> calls{};    // the model's own; some cases take their positions
  bool has_real_positions = false;     // some cases have positions in binary64
  bool is_hostile = true;              // draw every floating-point environment of the caller
};

case_domain domain_of(const law<checked_rotation>& law, const checked_rotation& kernel, ropewalk_dtype dtype);
case_domain domain_of(const law<checked_addition>& law, const checked_addition& kernel, ropewalk_dtype dtype);

/// The same domain with other needs.
case_domain with_needs(case_domain domain, const case_needs& needs);

/// Needs of each law of rotations, or of additions, without the law of sizes.
std::vector<case_needs> needs_in_turn(const case_domain& domain);

/// Generator of cases; they shrink to simpler_cases.
rc::Gen<law_case> cases(const case_domain& domain);

/// Simpler cases to try instead: first fewer rows, tokens and heads and plainer calls, then smaller
/// positions, then zeros for numbers, then simpler numbers.
rc::Seq<law_case> simpler_cases(const case_domain& domain, const law_case& test_case);

/// A position in decimal, "7"; a real one also in hexadecimal, "0.5 (0x1p-1)".
std::string text_of_position(double position, bool is_real);

/// Shape, positions and flags on one line.
std::string text_of(const law_case& test_case);

}  // namespace ropewalk::search

namespace ropewalk {

/// Prints a case for RapidCheck.
void showValue(const law_case& test_case, std::ostream& to);

}  // namespace ropewalk
