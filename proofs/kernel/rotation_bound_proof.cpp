// The constants of law/judge/bound.hpp are those derived in proofs/kernel/rotation_bound.md, rounded up to
// multiples of 2^-30. Also the finite part of its theorem 5, all classes of binades, in integers.

#include "ropewalk/law/judge/bound.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace ropewalk {
namespace rotation_bound_proof {

__extension__ typedef unsigned __int128 wide;

/// count / 2^30 is the least multiple of 2^-30 whose square is at least `square`.
consteval bool is_root_rounded_up(double root, wide square) {
  const auto count = static_cast<std::uint64_t>(root * (1 << 30));
  if (static_cast<double>(count) != root * (1 << 30)) return false;
  const wide unit = wide{1} << 60;
  return wide{count} * count >= square * unit && wide{count - 1} * (count - 1) < square * unit;
}
static_assert(is_root_rounded_up(rounding_factor, 5));
static_assert(is_root_rounded_up(scaled_pair_factor, 10));
static_assert(is_root_rounded_up(root_of_two, 2));

consteval bool root_of_half_is_rounded_up() {
  const auto count = static_cast<std::uint64_t>(root_of_half * (1 << 30));
  return 2 * wide{count} * count >= wide{1} << 60 && 2 * wide{count - 1} * (count - 1) < wide{1} << 60;
}
static_assert(root_of_half_is_rounded_up());

/// kappa^2 = 1 + (2 + 1/sqrt 2)^2 = 11/2 + sqrt 8: k 2^-30 is not below it iff (k^2 2^-60 - 11/2)^2 >= 8.
consteval bool kappa_is_rounded_up() {
  const auto count = static_cast<std::uint64_t>(unit_pair_factor * (1 << 30));
  const auto excess = [](std::uint64_t k) { return wide{k} * k - 11 * (wide{1} << 59); };
  return excess(count) * excess(count) >= wide{8} << 120 &&
         excess(count - 1) * excess(count - 1) < wide{8} << 120;
}
static_assert(kappa_is_rounded_up());

// Theorem 5, the binades, in sixteenths. A class is an exponent; the lowest stands for all numbers below 1/8.
constexpr int lowest = -4;
constexpr std::int64_t half_ulp(int k) { return std::int64_t{1} << (k + 4); }
constexpr std::int64_t least(int k) { return k == lowest ? 0 : half_ulp(k); }
constexpr std::int64_t most(int k) { return 2 * half_ulp(k); }
constexpr std::int64_t square(std::int64_t v) { return v * v; }

/// Classes of the products m + n = sum in [1, 2), p - q = difference in class d, p >= q.
struct binades {
  int m, n, p, q, d;
};

constexpr bool can_occur(const binades& c) {
  if (least(c.m) + least(c.n) >= 2 * 16 || most(c.m) + most(c.n) < 16) return false;  // the sum
  if (least(c.m) * least(c.n) >= most(c.p) * most(c.q)) return false;                 // m n = p q
  if (least(c.p) * least(c.q) >= most(c.m) * most(c.n)) return false;
  return least(c.p) - most(c.q) < most(c.d) && most(c.p) - least(c.q) >= least(c.d);  // the difference
}

/// Largest error of the difference: two rounded products and a sum, exact if its last place is not above
/// theirs; or one rounded product and a fused sum.
constexpr std::int64_t difference_error(const binades& c) {
  const bool exact = c.d <= c.q && c.q > lowest;
  const std::int64_t sum = half_ulp(c.d);
  return std::max(half_ulp(c.p) + half_ulp(c.q) + (exact ? 0 : sum), half_ulp(c.p) + sum);
}
constexpr std::int64_t sum_error(const binades& c) { return half_ulp(c.m) + half_ulp(c.n) + 16; }

/// A lower bound of the pair's squared norm.
constexpr std::int64_t squared_norm(const binades& c) {
  const std::int64_t sum = std::max<std::int64_t>(16, least(c.m) + least(c.n));
  const std::int64_t difference = std::max(least(c.d), least(c.p) - most(c.q));
  const std::int64_t apart = std::max<std::int64_t>({0, least(c.m) - most(c.n), least(c.n) - most(c.m)});
  return std::max({square(sum) + square(difference),
                   square(least(c.p)) + square(least(c.q)) + square(least(c.m)) + square(least(c.n)),
                   square(least(c.p) + least(c.q)) + square(apart)});
}

constexpr bool is_main(const binades& c) { return c.m == -1 && c.n == -1 && c.p == -1 && c.q == -1; }

template <class Claim>
consteval bool in_every_class(Claim claim) {
  for (int m = lowest; m <= 0; ++m)
    for (int n = lowest; n <= 0; ++n)
      for (int p = lowest; p <= 2; ++p)
        for (int q = lowest; q <= p; ++q)
          for (int d = lowest; d <= p; ++d)
            if (const binades c{m, n, p, q, d}; can_occur(c) && !claim(c)) return false;
  return true;
}

consteval bool roundings_outside_the_main_class_are_at_most_root_73_quarters() {
  return in_every_class([](const binades& c) {
    return is_main(c) || 16 * (square(difference_error(c)) + square(sum_error(c))) <= 73 * squared_norm(c);
  });
}
static_assert(roundings_outside_the_main_class_are_at_most_root_73_quarters());

consteval bool roundings_of_the_main_class_are_at_most_one_and_two() {
  return in_every_class([](const binades& c) {
    return !is_main(c) || (difference_error(c) <= 16 && sum_error(c) <= 32 && squared_norm(c) >= 256);
  });
}
static_assert(roundings_of_the_main_class_are_at_most_one_and_two());

consteval bool main_class_occurs() { return can_occur({-1, -1, -1, -1, lowest}); }
static_assert(main_class_occurs());

/// 73/16 4^p >= 4 4^p + 4 + 1/16 + 25/4 at p = 3, and so above.
static_assert(73 * 64 >= 16 * 4 * 64 + 16 * 4 + 1 + 16 * 25 / 4);

// Theorems 7 and 8: outside the main class sqrt(73)/4 and the table's part stay below kappa and sqrt 10.
constexpr double root_of_73_quarters = detail::root_up(73 * (detail::one_squared / 16));
consteval bool other_classes_stay_below_kappa() {
  return root_of_73_quarters + root_of_half < unit_pair_factor - detail::power_of_two(-30) &&
         root_of_73_quarters + 1 < scaled_pair_factor - detail::power_of_two(-30);
}
static_assert(other_classes_stay_below_kappa());

/// Theorem 8, entries a binade apart: 5 (sqrt 2 + 1/2)^2 / 2 <= 10, that is (sqrt 2 + 1/2)^2 <= 4.
static_assert(root_of_two + 0.5 < 2);

/// Lemma 6: (1 + 5/4 u)(1 + sqrt 2 u) <= 1 + 4u, and (1 - 5/4 u)(1 + sqrt 2 u) >= 1, that is
/// sqrt 2 (1 - 5/4 u) >= 5/4.
template <floating_format Float>
consteval bool second_order_terms_are_below_four_u() {
  const double u = unit_roundoff<Float>;
  const bool upper = 1.25 + root_of_two + 1.25 * root_of_two * u < 4;
  const bool lower = (root_of_two - detail::power_of_two(-30)) * (1 - 1.25 * u) > 1.25;
  return upper && lower;
}
static_assert(second_order_terms_are_below_four_u<double>());
static_assert(second_order_terms_are_below_four_u<float>());
static_assert(second_order_terms_are_below_four_u<binary16>());
static_assert(second_order_terms_are_below_four_u<bfloat16>());

/// After theorem 7: (1 - u (1/sqrt 2 + 1/2))(1 + sqrt 2 u) >= 1, that is
/// sqrt 2 - 1/sqrt 2 - 1/2 >= sqrt 2 u (1/sqrt 2 + 1/2).
template <floating_format Float>
consteval bool a_factor_that_rounds_to_one_keeps_the_norm() {
  const double below = root_of_two - detail::power_of_two(-30) - root_of_half - 0.5;
  return unit_roundoff<double> / 2 <= unit_roundoff<Float> / 2 &&
         below >= root_of_two * unit_roundoff<Float> * (root_of_half + 0.5) * (1 + detail::power_of_two(-40));
}
static_assert(a_factor_that_rounds_to_one_keeps_the_norm<double>());
static_assert(a_factor_that_rounds_to_one_keeps_the_norm<float>());
static_assert(a_factor_that_rounds_to_one_keeps_the_norm<binary16>());
static_assert(a_factor_that_rounds_to_one_keeps_the_norm<bfloat16>());

/// Theorem 10: with storage in 16 bits, the canonical rotation is within one unit roundoff of it.
template <floating_format Float>
consteval bool canonical_is_within_one_unit_of_storage(double attention_factor) {
  return accuracy_bound<Float>(promise::canonical, attention_factor, 0).relative < unit_roundoff<Float>;
}
static_assert(canonical_is_within_one_unit_of_storage<binary16>(1));
static_assert(canonical_is_within_one_unit_of_storage<binary16>(1.25));
static_assert(canonical_is_within_one_unit_of_storage<bfloat16>(1));
static_assert(canonical_is_within_one_unit_of_storage<bfloat16>(1.25));

/// The named promises are listed from strict to loose for binary32; for other formats the order differs.
consteval bool promises_are_ordered_from_strict_to_loose(double attention_factor) {
  double last = 0;
  for (const promise_description& promise : promises) {
    const double relative = accuracy_bound<float>(promise.value, attention_factor, 1, 0x1p-20).relative;
    if (relative < last) return false;
    last = relative;
  }
  return true;
}
static_assert(promises_are_ordered_from_strict_to_loose(1));
static_assert(promises_are_ordered_from_strict_to_loose(0.75));

/// Section 5: rounded_table, and a promise of parts with the rotation in binary32, have canonical's bound.
template <floating_format Float>
consteval bool correctly_rounded_entries_have_the_finer_constants(double attention_factor) {
  const auto value = [&](const promise& promised) {
    return accuracy_bound<Float>(promised, attention_factor, 0);
  };
  const promise read_in_place{.rotation = ROPEWALK_PART_F32};
  return value(read_in_place) == value(promise::canonical) &&
         value(promise::rounded_table) == value(promise::canonical);
}
static_assert(correctly_rounded_entries_have_the_finer_constants<float>(1));
static_assert(correctly_rounded_entries_have_the_finer_constants<binary16>(1.25));
static_assert(correctly_rounded_entries_have_the_finer_constants<bfloat16>(1));

/// A coarser angle or frequency never makes the bound smaller, nor do coarser entries where the rotation is
/// not rounded. A rounded rotation reads its entries in its own format, where entries rounded once have a
/// smaller constant than those rounded twice.
template <floating_format Float>
consteval bool coarser_parts_have_larger_bounds(double attention_factor, double angle) {
  constexpr ropewalk_part angles[] = {ROPEWALK_UNROUNDED, ROPEWALK_PART_F64, ROPEWALK_PART_F32,
                                      ROPEWALK_PART_BF16};
  constexpr ropewalk_part tables[] = {ROPEWALK_UNROUNDED, ROPEWALK_PART_F64, ROPEWALK_PART_F32,
                                      ROPEWALK_PART_BF16};
  const auto bound = [&](ropewalk_part formed, int a, int t, ropewalk_part rotation) {
    return accuracy_bound<Float>(
               {.frequency = formed, .angle = angles[a], .table = tables[t], .rotation = rotation},
               attention_factor, angle, 0x1p-20)
        .relative;
  };
  for (int a = 0; a < 4; ++a)
    for (int t = 0; t < 4; ++t)
      for (const ropewalk_part rotation : {ROPEWALK_UNROUNDED, ROPEWALK_PART_F64, ROPEWALK_PART_DATA}) {
        const double here = bound(ROPEWALK_UNROUNDED, a, t, rotation);
        if (bound(ROPEWALK_PART_F32, a, t, rotation) < here) return false;
        if (a < 3 && bound(ROPEWALK_UNROUNDED, a + 1, t, rotation) < here) return false;
        if (t < 3 && rotation == ROPEWALK_UNROUNDED && bound(ROPEWALK_UNROUNDED, a, t + 1, rotation) < here)
          return false;
      }
  return true;
}
static_assert(coarser_parts_have_larger_bounds<float>(1, 1000));
static_assert(coarser_parts_have_larger_bounds<float>(1.25, 1000));
static_assert(coarser_parts_have_larger_bounds<bfloat16>(1, 1000));
static_assert(coarser_parts_have_larger_bounds<binary16>(1, 0.001));
static_assert(coarser_parts_have_larger_bounds<double>(1.25, 1000));

/// Theorem 11: ((u (1 + u) + u)(1 + sqrt 2 u)) <= 2u + 4u^2, and (1 + u)^3 - 1 <= 3u + 4u^2 with room for a
/// second rounding of frequency and position on their way to the format, by u^2 / 8 each.
template <floating_format Float>
consteval bool second_order_terms_of_an_angle_are_below_four_squares(double on_the_way) {
  const double u = unit_roundoff<Float>;
  const double factor = 1 + 2 * root_of_two + root_of_two * u;
  return factor <= 4 && 3 + u + 2 * on_the_way / (u * u) * (1 + 4 * u) <= 4;
}
static_assert(second_order_terms_of_an_angle_are_below_four_squares<double>(0));
static_assert(second_order_terms_of_an_angle_are_below_four_squares<float>(unit_roundoff<double>));
static_assert(second_order_terms_of_an_angle_are_below_four_squares<bfloat16>(unit_roundoff<float>));

}  // namespace rotation_bound_proof
}  // namespace ropewalk
