#pragma once
// Sums of a kernel that adds, element by element.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"

namespace ropewalk {

/// |observed - (x + t)| <= relative (|x| + |t|) + absolute.
///
/// domain  |x| + |t| <= largest_rotated_norm<Float>
/// error   rounded up; proofs/kernel/addition_bound.md
template <floating_format Float>
constexpr pair_bound addition_bound() {
  using wide = rotation_format<Float>;
  return detail::stored_bound<Float>({detail::with_second_order<wide>(2), smallest_subnormal<wide>});
}

namespace detail {

/// Visits every element: visit(place, input, output, entry), the entry correctly rounded.
template <floating_format Float, class Visit>
void for_each_sum(const held_addition& kernel, const law_case& given, const rotated& done, Visit visit) {
  using wide = rotation_format<Float>;
  std::vector<bits_of<wide>> entries(static_cast<std::size_t>(given.head_dim));
  for_each_head(given, [&](place where) {
    kernel.truth().template entries<wide>(where.position, static_cast<int>(where.head), entries.data());
    const std::size_t start = head_start(given, where);
    for (where.channel = 0; where.channel < given.head_dim; ++where.channel) {
      const std::size_t at = start + static_cast<std::size_t>(where.channel);
      visit(where, static_cast<bits_of<Float>>(given.query[at]), static_cast<bits_of<Float>>(done.query[at]),
            entries[static_cast<std::size_t>(where.channel)]);
    }
  });
}

template <floating_format Float>
void judge_bits(measurement& m, const place& where, bits_of<Float> x, bits_of<Float> expected,
                bits_of<Float> got) {
  record(m, judge_equal(same_bits<Float>(expected, got)), where, [&] {
    return evidence{dtype_of<Float>, 1, {x}, {expected}, {got}};
  });
}

}  // namespace detail

}  // namespace ropewalk
