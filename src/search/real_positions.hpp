#pragma once
// Positions in binary64: drawn where kernels that serve them tend to break, shrunk toward 0, whole numbers
// and numbers of few bits.

#include <vector>

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Gives a case with whole positions real ones in their place, equal where those are equal, and a real shift:
/// whole numbers and fractions, quotients, centres, numbers of any magnitude, tiny ones, zeros of either
/// sign. Sums and differences that the law needs are exact.
///
/// domain  a case whose positions and shift are drawn
void draw_real_positions(dice& from, const case_domain& domain, law_case& test_case);

/// Simpler real positions to try in place of one.
std::vector<double> simpler_real_positions(const case_domain& domain, double position);

/// The case with its positions rounded toward 0, given as whole ones.
law_case with_whole_positions(law_case test_case);

}  // namespace ropewalk::search
