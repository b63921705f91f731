#pragma once
// Positions in binary64: drawn where kernels that serve them tend to break, shrunk towards 0, whole numbers
// and numbers with few bits.

#include <vector>

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Replaces a case's whole positions by real ones (equal ones by equal ones), and its shift by a real shift:
/// whole numbers, fractions, quotients, centres, numbers of any magnitude, tiny ones, zeros of either sign.
/// Sums and differences that the law needs are exact.
///
/// domain  a case whose positions and shift are drawn
void draw_real_positions(dice& from, const case_domain& domain, law_case& test_case);

/// Simpler real positions to try instead.
std::vector<double> simpler_real_positions(const case_domain& domain, double position);

/// The case with its positions rounded towards 0, as whole positions.
law_case with_whole_positions(law_case test_case);

}  // namespace ropewalk::search
