#pragma once
// Cases for the law of sizes: a short ordered list of shapes, each with its own positions, flags and
// elements.

#include <cstdint>
#include <vector>

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Cap on the context positions that one call runs, each once.
inline constexpr std::int64_t most_positions_at_once = std::int64_t{1} << 17;

/// The positions of a context that a kernel serves.
position_range served_part_of(std::int64_t context, const served_calls& served);

/// How many of these positions one call runs, each once. Wide heads leave room for fewer.
std::int64_t positions_at_once(position_range served, int head_dim);

/// Numbers of sizes that a kernel serves: all of them, and the usual ones, which run unless the user sets a
/// number of cases.
struct size_counts {
  std::int64_t all = 0;
  std::int64_t usual = 0;
};

size_counts count_sizes(const case_domain& domain);

/// A case by its number: each size once, then the usual ones repeatedly.
///
/// domain  0 <= number, count_sizes(domain).usual > 0
law_case draw_size(dice from, const case_domain& domain, std::int64_t number);

/// Whether the elements of a case follow from a seed instead of being listed.
inline bool is_sized(const law_case& test_case) { return test_case.fill != 0; }

/// Simpler sizes: fewer rows, tokens and heads, narrower heads, smaller offsets, then listed elements.
std::vector<law_case> simpler_sizes(const case_domain& domain, const law_case& test_case);

}  // namespace ropewalk::search
