#pragma once
// Sums of an addition kernel, element by element, and the bound of one sum.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"

namespace ropewalk {

namespace detail {

/// Bound of a sum x + t. The entry t is rounded to its table's format and then to the addition's format; the
/// sum is rounded to the latter, and the result to the format of storage.
constexpr pair_bound bound_of_sum(ropewalk_part entry, ropewalk_part sum, const rounding_format& data) {
  pair_bound t{};            // error of the entry, relative to |t|
  rounding_format source{};  // format of the entry so far; precision 0 while it is exact
  const auto round_to = [&](const rounding_format& in) {
    if (source.precision != 0 && holds_numbers_of(in, source)) return;
    t = {sum_up(t.relative, product_up(in.u, above(1 + t.relative))),
         sum_up(product_up(t.absolute, 1 + in.u), product_up(in.smallest_subnormal, 0.5))};
    source = in;
  };
  if (entry != ROPEWALK_UNROUNDED) round_to(work_format_of(entry, data));
  if (sum == ROPEWALK_UNROUNDED) return stored_bound(t, data);
  const rounding_format work = work_format_of(sum, data);
  round_to(work);
  const pair_bound added{sum_up(t.relative, product_up(work.u, above(1 + t.relative))),
                         product_up(t.absolute, 1 + work.u)};
  return stored_from(added, work, data);
}

}  // namespace detail

/// Bound of a sum: |observed - (x + t)| <= relative (|x| + |t|) + absolute.
///
/// domain  |x| + |t| <= largest_rotated_norm<Float>
/// error   rounded up; proofs/kernel/addition_bound.md
template <floating_format Float>
constexpr pair_bound addition_bound(const promise& promised) {
  const bool has_parts = promised.bits == ROPEWALK_BOUNDED;
  return detail::bound_of_sum(has_parts ? promised.entry : ROPEWALK_PART_F32,
                              has_parts ? promised.sum : ROPEWALK_PART_F32, detail::rounding_to<Float>);
}

namespace detail {

/// Visits every element: visit(place, input, output, entry), with the entry correctly rounded.
template <floating_format Float, class Visit>
void for_each_sum(const checked_addition& kernel, const law_case& test_case, const rotated& done,
                  Visit visit) {
  using wide = rotation_format<Float>;
  std::vector<bits_of<wide>> entries(static_cast<std::size_t>(test_case.head_dim));
  for_each_head(test_case, [&](place where) {
    kernel.truth().template entries<wide>(where.position, static_cast<int>(where.head), entries.data());
    const std::size_t start = head_start(test_case, where);
    for (where.channel = 0; where.channel < test_case.head_dim; ++where.channel) {
      const std::size_t at = start + static_cast<std::size_t>(where.channel);
      visit(where, static_cast<bits_of<Float>>(test_case.query[at]),
            static_cast<bits_of<Float>>(done.query[at]), entries[static_cast<std::size_t>(where.channel)]);
    }
  });
}

template <floating_format Float>
void judge_bits(measurement& measured, const place& where, bits_of<Float> x, bits_of<Float> expected,
                bits_of<Float> got) {
  record(measured, judge_equal(same_bits<Float>(expected, got)), where, [&] {
    return evidence{dtype_of<Float>, 1, {x}, {expected}, {got}};
  });
}

}  // namespace detail

}  // namespace ropewalk
