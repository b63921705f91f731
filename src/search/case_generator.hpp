#pragma once
// Cases for the laws: shapes with tails, odd head counts, gaps and batch rows; positions where angles go
// wrong; numbers by their bits. A case that fails is shrunk until nothing simpler fails.

#include <string>
#include <vector>

#include <rapidcheck/Gen.h>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::search {

/// What the cases must satisfy: the law's needs, the kernel's limits and the model's shape.
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
  int model_heads = 32;        // drawn often: those of the model's query and key
  int model_key_heads = 8;
  std::int64_t context = 0;  // sizes: positions below it are asked for, each once; 0: none so
  // Lengths of the model's contexts, original and full, that are no powers of two: those are always drawn.
  std::vector<std::int64_t> context_lengths{};
  served_calls served{};
  std::vector<int> wider_head_dims{};  // for channels that pass through, if the model has none
  rope_axes axes{};                    // the model's axes; a text model has one position row
  bool has_own_axes_alone = false;     // other assignments would be of other channels or frequencies
  std::vector<placed_call> calls{};    // of the model's own; a share of the cases takes positions from them
  bool has_real_positions = false;     // a share of the cases has positions in binary64
  bool is_hostile = true;              // draw callers with every floating-point environment
};

case_domain domain_of(const law<checked_rotation>& law, const checked_rotation& kernel, ropewalk_dtype dtype);
case_domain domain_of(const law<checked_addition>& law, const checked_addition& kernel, ropewalk_dtype dtype);

/// The domain with other needs.
case_domain with_needs(case_domain domain, const case_needs& needs);

/// What the laws of rotations, or of additions, need of their cases, without the law of sizes.
std::vector<case_needs> needs_in_turn(const case_domain& domain);

/// Generator of cases, which shrink to simpler_cases.
rc::Gen<law_case> cases(const case_domain& domain);

/// Simpler cases to try in place of one: fewer rows, tokens and heads and plainer calls first, then smaller
/// positions, then zeros in place of numbers, then simpler numbers.
rc::Seq<law_case> simpler_cases(const case_domain& domain, const law_case& test_case);

/// A position: "7", or where it is real "0.5 (0x1p-1)".
std::string text_of_position(double position, bool is_real);

/// Shape, positions and flags on one line.
std::string text_of(const law_case& test_case);

}  // namespace ropewalk::search

namespace ropewalk {

/// How RapidCheck prints a case.
void showValue(const law_case& test_case, std::ostream& to);

}  // namespace ropewalk
