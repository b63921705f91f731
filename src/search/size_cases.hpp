#pragma once
// Cases for the law of sizes: a short list, one after another, each with positions, flags and elements of its own.

#include <cstdint>
#include <vector>

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// How many sizes a kernel serves: all, and those that are tried unless a number of cases is asked for.
struct size_counts {
  std::int64_t all = 0;
  std::int64_t usual = 0;
};

size_counts count_sizes(const case_domain& domain);

/// The case with a number: each size once, then the usual ones again and again.
///
/// domain  0 <= number, count_sizes(domain).usual > 0
law_case draw_size(dice from, const case_domain& domain, std::int64_t number);

/// Whether a case is still described by its size, and its elements are not listed.
inline bool is_sized(const law_case& given) { return given.fill != 0; }

/// Simpler sizes: fewer rows, tokens and heads, heads of fewer channels, smaller offsets, then a list of elements.
std::vector<law_case> simpler_sizes(const case_domain& domain, const law_case& given);

}  // namespace ropewalk::search
