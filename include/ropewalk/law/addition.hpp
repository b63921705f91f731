#pragma once
// Kernels that add a row or a bias, measured: every element is x + t, and nothing else is changed.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/law/accuracy.hpp"
#include "ropewalk/law/judge_pairs.hpp"
#include "ropewalk/law/non_finite.hpp"
#include "ropewalk/law/prefill_decode.hpp"

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
void for_each_sum(const held_kernel& kernel, const law_case& given, const rotated& done, Visit visit) {
  using wide = rotation_format<Float>;
  std::vector<bits_of<wide>> entries(static_cast<std::size_t>(given.head_dim));
  for_each_head(given, [&](place where) {
    kernel.addition().template entries<wide>(where.position, static_cast<int>(where.head), entries.data());
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

template <floating_format Float>
measurement measure_canonical_sum(const held_kernel& kernel, const law_case& given) {
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.rotate(given),
                      [&](const place& where, auto x, auto got, auto entry) {
                        if (where.channel < kernel.addition().added())
                          judge_bits<Float>(m, where, x, add_entry<Float>(x, entry), got);
                      });
  return m;
}

template <int N, floating_format Float>
enclosure<N> exact_number(bits_of<Float> bits) {
  return {exact_dyadic_of_bits<N, Float>(bits), {}};
}

template <floating_format Float>
measurement measure_sum_accuracy(const held_kernel& kernel, const law_case& given) {
  const pair_bound bound = addition_bound<Float>();
  measurement m;
  for_each_sum<Float>(
      kernel, given, kernel.rotate(given), [&](const place& where, auto x, auto got, auto entry) {
        if (!is_finite<Float>(x) || where.channel >= kernel.addition().added()) return;
        const auto size = [&]<int N>(const enclosure<N>& t) {
          return absolute(exact_number<N, Float>(x)) + absolute(t);
        };
        const auto exact = [&]<int N>() {
          return kernel.addition().template exact<N>(where.position, static_cast<int>(where.head),
                                                     where.channel);
        };
        const enclosure<2> reach = size(exact.template operator()<2>());
        if (!is_judged<Float>(reach * reach)) return;
        const auto show = [&] {
          return evidence{dtype_of<Float>, 1, {x}, {add_entry<Float>(x, entry)}, {got}};
        };
        if (kernel.promise() == ROPEWALK_EXACT)
          return judge_element<Float>(
              m, where, got,
              [&]<int N>() { return exact_number<N, Float>(x) + exact.template operator()<N>(); }, show);
        if (!is_finite<Float>(got)) return record(m, judge_equal(false, bound.relative), where, show);
        record(m,
               judge(bound.relative,
                     [&]<int N>() -> error_and_bound<N> {
                       const enclosure<N> t = exact.template operator()<N>();
                       return {absolute(exact_number<N, Float>(got) - exact_number<N, Float>(x) - t),
                               enclosure<N>::of(bound.relative) * size(t) + enclosure<N>::of(bound.absolute)};
                     }),
               where, show);
      });
  return m;
}

template <floating_format Float>
measurement measure_copied(const held_kernel& kernel, const law_case& given) {
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.rotate(given), [&](const place& where, auto x, auto got, auto) {
    if (where.channel >= kernel.addition().added())
      record(m, judge_equal(x == got), where, [&] { return evidence{dtype_of<Float>, 1, {x}, {x}, {got}}; });
  });
  return m;
}

/// What is not finite stays what it is, and changes no other element.
template <floating_format Float>
measurement measure_non_finite_sum(const held_kernel& kernel, const law_case& given) {
  const rotated finite = kernel.rotate(with_finite_values<Float>(given));
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.rotate(given), [&](const place& where, auto x, auto got, auto) {
    const std::size_t at = head_start(given, where) + static_cast<std::size_t>(where.channel);
    judge_bits<Float>(m, where, x, is_finite<Float>(x) ? static_cast<bits_of<Float>>(finite.query[at]) : x,
                      got);
  });
  return m;
}

/// Tokens alone, in splits, in place or not, as rank 3: equal bits.
template <floating_format Float>
measurement measure_sum_handed_over(const held_kernel& kernel, const law_case& given) {
  const rotated whole = kernel.rotate(given);
  measurement m;
  const auto expect_same = [&](const law_case& part, const call_form& form, std::int64_t first) {
    const auto answer = answer_if_served(kernel, part, form);
    if (!answer) return;
    for_each_sum<Float>(kernel, part, *answer, [&](const place& where, auto x, auto got, auto) {
      const std::size_t at = head_start(part, where) + static_cast<std::size_t>(where.channel);
      const auto width = static_cast<std::size_t>(given.query_heads * given.head_dim);
      judge_bits<Float>(
          m, where, x, static_cast<bits_of<Float>>(whole.query[static_cast<std::size_t>(first) * width + at]),
          got);
    });
  };
  for (std::int64_t row = 0; row < given.batch; ++row) {
    expect_same(part_of(given, row, 0, given.tokens), {.rank_3 = true}, row * given.tokens);
    for (std::int64_t token = 0; token < given.tokens; ++token)
      expect_same(part_of(given, row, token, token + 1), {}, row * given.tokens + token);
  }
  for (std::int64_t cut = 1; cut < given.batch * given.tokens; cut = 2 * cut + 1)
    expect_same(given, {.cuts = {cut}}, 0);
  law_case other_place = given;
  other_place.in_place = !given.in_place;
  expect_same(other_place, {}, 0);
  return m;
}

}  // namespace detail

}  // namespace ropewalk
