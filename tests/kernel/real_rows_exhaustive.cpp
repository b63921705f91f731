// Rows at positions in binary64 against MPFR: random positions and those that turn a pair by nearly quarter
// turns.

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "kernel/fast_rows_case.hpp"
#include "kernel/real_case.hpp"
#include "kernel/real_rows.hpp"

namespace ropewalk::test {
namespace {

/// Compares the row of one axis at a position.
wrong_floats compare_real_row(const real_form& form, const real_rows& rows, int axis, double position,
                              row_space<float>& space) {
  rows.row(axis, position, false, space.cos(), space.sin(), space.undecided());
  wrong_floats r;
  std::size_t at = 0;
  for (const int pair : rows.pairs_of(axis)) {
    const auto truth =
        oracle::turns_oracle::at(position, form.pairs[static_cast<std::size_t>(pair)], form.factor);
    r += {2,
          (to_bits(space.cos()[at]) != truth.cos.in<float>()) +
              (to_bits(space.sin()[at]) != truth.sin.in<float>()),
          static_cast<std::int64_t>(position)};
    ++at;
  }
  return r;
}

TEST(RealRowsExhaustive, RandomAndHardPositionsOfEveryForm) {
  constexpr std::int64_t entries = 4'000'000, rows_at_once = 200;
  wrong_floats all;
  const std::vector<real_form> forms = real_forms();
  for (const real_form& form : forms) {
    const real_encoding encoding(form);
    const rotation_plan plan(encoding.view());
    const fast_rows whole(plan, *simd::targets().front());
    const real_rows rows(plan, whole);
    const auto of_row = static_cast<std::int64_t>(2 * form.pairs.size());
    const std::int64_t wanted = entries / static_cast<std::int64_t>(forms.size()) / of_row;
    const wrong_floats wrong = oracle::on_every_core(wanted / rows_at_once + 1, [&](std::int64_t index) {
      std::mt19937_64 random(static_cast<std::uint64_t>(index));
      row_space<float> space(plan.layout.pairs());
      wrong_floats r;
      for (std::int64_t row = 0; row < rows_at_once; ++row)
        for (int axis = 0; axis < form.axes; ++axis) {
          const std::vector<int>& pairs = rows.pairs_of(axis);
          const auto pair = static_cast<std::size_t>(pairs[random() % pairs.size()]);
          const double position =
              row % 2 == 0 ? random_real_position(random) : near_quarter_turn(form.pairs[pair], random);
          r += compare_real_row(form, rows, axis, position, space);
        }
      return r;
    });
    EXPECT_EQ(wrong.wrong, 0) << form.name << ": " << wrong;
    all += wrong;
  }
  EXPECT_GE(all.entries, entries);
  std::cout << all << "\n";
}

}  // namespace
}  // namespace ropewalk::test
