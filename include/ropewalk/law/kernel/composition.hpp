#pragma once
// Composition: rotating by m and then by n is rotating by m + n, with the attention factor applied twice.

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// The case of a second rotation, whose input is the output of the first.
inline law_case next_rotation(const law_case& test_case, const rotated& first, std::uint32_t flags) {
  law_case next = test_case;
  next.query = first.query;
  next.key = first.key;
  next.flags = flags;
  return next;
}

/// Bound of two rotations with one accuracy bound each; its relative part holds for any attention factor.
constexpr pair_bound bound_of_two_rotations(const pair_bound& accuracy) {
  return composition_bound(accuracy, accuracy, 1);
}

/// The shift of one pair's axis.
inline double shift_at(const law_case& test_case, int pair) {
  return test_case.shift[static_cast<std::size_t>(axis_of(test_case, pair))];
}

/// The case with every token at position `shift` on each axis.
inline law_case shifted(law_case test_case) {
  const std::size_t row = test_case.positions.size() / static_cast<std::size_t>(test_case.axes);
  for (std::size_t i = 0; i < test_case.positions.size(); ++i)
    test_case.positions[i] = test_case.shift[i / row];
  return test_case;
}

/// Rotates the output of a first rotation. Input and output both use the kernel's pairing_out, the pairing of
/// the first rotation's output.
inline rotated rotate_again(const checked_rotation& kernel, const law_case& next) {
  const pairing written = kernel.layout().pairing_out;
  return kernel.turned(next, written, written);
}

/// Judges two rotations, the second by `second_position(place)`: a pair should be a1 a2 R(total) x.
template <floating_format Float, class SecondPosition>
measurement judge_two_rotations(const checked_rotation& kernel, const law_case& test_case,
                                const rotated& done, bool second_is_unit, SecondPosition second_position) {
  const bool unit = is_unit(test_case);
  exact_turns turns(kernel, true);  // unit rotations: `factor` applies the attention factors
  const auto factor = [&]<int N>() {
    return kernel.attention<N>(unit) * kernel.attention<N>(second_is_unit);
  };
  const double second_factor = upper_binary64(kernel.attention<2>(second_is_unit));
  const enclosure<2> a = kernel.attention<2>(unit), both = factor.template operator()<2>();
  measurement measured;
  // Room for the first rotation's own error: a factor of 2 is more than enough.
  for_each_judged_pair<Float>(
      kernel, test_case, done, times_power_of_two(a + both, 1),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const double second = second_position(where);
        const double sum = where.position + second;  // exact: see case_needs
        const double total = is_backward(test_case) ? -sum : sum;
        const pair_bound bound =
            composition_bound(kernel.accuracy_at<Float>(where.position, where.pair, unit),
                              kernel.accuracy_at<Float>(second, where.pair, second_is_unit), second_factor);
        judge_pair<Float>(measured, where, x, y, bound, [&]<int N>() -> exact_output<N> {
          const exact_pair<N> input = exact<N, Float>(x);
          const enclosure<N> factors = factor.template operator()<N>();
          return {factors * turned(input, turns.at<N>(where.pair, total)),
                  factors * factors * squared_norm(input)};
        });
      });
  return measured;
}

}  // namespace detail

namespace rotation_laws {

measurement judge_composition(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> composition{
    .name = "composition",
    .statement = "turning by m and then by n is a^2 R(m + n)",
    .norm = "a^2|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, composition",
    .catches = "fault-position-off-by-one",
    .trivial = trivial_bound,
    .bound_from = detail::bound_of_two_rotations,
    .needs = {.second_rotation = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      return kernel.served().has_sums() ? "" : "no two served positions have a served sum";
    },
    .measure = judge_composition};

}  // namespace rotation_laws

}  // namespace ropewalk
