#pragma once
// Compares rows of given entries with right ones, and keeps the worst of the wrong ones.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernel/run_time_table.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "sweep/exact_entry.hpp"
#include "sweep/tally.hpp"

namespace ropewalk::sweep {

class entry_comparison {
 public:
  /// The table must outlive this.
  entry_comparison(const run_time_table& table, int pairs, bool has_signed_zeros)
      : table_(table), pairs_(pairs), has_signed_zeros_(has_signed_zeros) {}

  /// Forgets the worst entries of the last unit.
  void begin_unit() { largest_ = {}; }

  /// Compares the rows of a run; `stride`: of the right ones.
  template <floating_format Float>
  void compare_copy(format_tally& counts, position_range run, bool is_sin, const std::byte* from,
                    const bits_of<Float>* expected, std::size_t stride) {
    const auto count = static_cast<std::size_t>(pairs_), positions = static_cast<std::size_t>(size(run));
    const std::size_t bytes = count * sizeof(bits_of<Float>);
    if (stride == count && std::memcmp(from, expected, positions * bytes) == 0) return;
    for (std::size_t row = 0; row < positions; ++row)
      if (std::memcmp(from + row * bytes, expected + row * stride, bytes) != 0)
        compare_row<Float>(counts, {run.begin + static_cast<std::int64_t>(row), 0, is_sin},
                           from + row * bytes, expected + row * stride);
  }

  /// Counts a wrong entry among the worst, if it is.
  template <floating_format Float>
  void note_wrong_case(format_tally& counts, const entry_place& at, bits_of<Float> bits,
                       bits_of<Float> correct, std::uint64_t steps) {
    // Only errors larger than all before are measured exactly.
    const double error = error_between<Float>(bits, correct);
    worst& known = largest_[counts.dtype];
    if (counts.largest_error && steps <= known.steps && error <= known.error) return;
    known = {std::max(steps, known.steps), std::max(error, known.error)};
    counts.add_wrong_case({at, bits, correct, exact_error<Float>(table_.exact(), at, bits)});
  }

 private:
  /// Counts the entries of a differing row; examines single entries only if one is a new worst case.
  template <floating_format Float>
  void compare_row(format_tally& counts, entry_place at, const std::byte* byte, const bits_of<Float>* right) {
    const std::uint64_t has_signed_zeros = has_signed_zeros_;
    std::uint64_t most_steps = 0;
    double largest = 0;
    std::int64_t wrong = 0;
    for (int pair = 0; pair < pairs_; ++pair) {
      const bits_of<Float> bits = given_entry<Float>(byte, pair), correct = right[pair];
      const std::uint64_t steps = steps_between<Float>(bits, correct, has_signed_zeros);
      wrong += steps != 0;
      // std::bit_width(steps) without a branch on 0, which a processor cannot predict here
      ++counts.by_steps[static_cast<std::size_t>(std::bit_width(steps | 1)) - std::size_t{steps == 0}];
      most_steps = std::max(most_steps, steps);
      largest = std::max(largest, error_between<Float>(bits, correct));
    }
    counts.wrong += wrong;
    const worst& known = largest_[counts.dtype];
    if (wrong == 0 || (counts.largest_error && most_steps <= known.steps && largest <= known.error)) return;
    for (; at.pair < pairs_; ++at.pair) {
      const bits_of<Float> bits = given_entry<Float>(byte, at.pair), correct = right[at.pair];
      const std::uint64_t steps = steps_between<Float>(bits, correct, has_signed_zeros);
      if (steps != 0) note_wrong_case<Float>(counts, at, bits, correct, steps);
    }
  }

  template <floating_format Float>
  static bits_of<Float> given_entry(const std::byte* row, int pair) {
    bits_of<Float> bits;
    std::memcpy(&bits, row + static_cast<std::size_t>(pair) * sizeof(bits), sizeof(bits));
    return bits;
  }

  /// ulp_distance, plus a step between the two zeros if their signs count; no branch depends on a sign.
  template <floating_format Float>
  static std::uint64_t steps_between(bits_of<Float> bits, bits_of<Float> correct,
                                     std::uint64_t has_signed_zeros) {
    if (is_nan<Float>(bits)) [[unlikely]]
      return ulp_distance<Float>(bits, correct);
    const auto ordinal_of = [](bits_of<Float> word) {
      const auto sign = static_cast<std::int64_t>(is_negative<Float>(word));
      return (static_cast<std::int64_t>(magnitude<Float>(word)) ^ -sign) + sign;
    };
    const std::int64_t x = ordinal_of(bits), y = ordinal_of(correct);
    const std::uint64_t apart = static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
    const std::uint64_t below = -static_cast<std::uint64_t>(x < y);
    const std::uint64_t steps = (apart ^ below) - below;
    return steps + (std::uint64_t{steps == 0} & std::uint64_t{bits != correct} & has_signed_zeros);
  }

  /// Distance of two numbers; infinite if the first is not finite.
  template <floating_format Float>
  static double error_between(bits_of<Float> bits, bits_of<Float> correct) {
    const double error = std::abs(to_double<Float>(bits) - to_double<Float>(correct));
    return error <= std::numeric_limits<double>::max() ? error : std::numeric_limits<double>::infinity();
  }

  struct worst {
    std::uint64_t steps = 0;
    double error = 0;
  };

  const run_time_table& table_;
  int pairs_;
  bool has_signed_zeros_;
  std::array<worst, 4> largest_{};  // by dtype
};

}  // namespace ropewalk::sweep
