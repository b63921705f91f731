#pragma once
// Correctly rounded rows of cosines and sines: vector arithmetic if the rounding test decides, exact
// arithmetic for the rare entries that it leaves undecided.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kernel/page_memory.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Number of entries (a cosine and a sine each) that each step of Ziv's loop decided.
struct decided_entries {
  std::int64_t by_sum = 0;         // binary64, from the sum of two angles
  std::int64_t by_polynomial = 0;  // binary64, from the entry's own phase
  std::int64_t exactly = 0;        // exact arithmetic on limbs

  std::int64_t total() const { return by_sum + by_polynomial + exactly; }

  decided_entries& operator+=(const decided_entries& other) {
    by_sum += other.by_sum;
    by_polynomial += other.by_polynomial;
    exactly += other.exactly;
    return *this;
  }
};

/// Type of a row's entries: 16-bit formats by their bits.
template <floating_format Float>
struct entry_in_row {
  using type = Float;
};
template <>
struct entry_in_row<binary16> {
  using type = bits_of<binary16>;
};
template <>
struct entry_in_row<bfloat16> {
  using type = bits_of<bfloat16>;
};
template <floating_format Float>
using row_entry = typename entry_in_row<Float>::type;

/// Rows of one plan on one target; holds pointers to both.
class fast_rows {
 public:
  static constexpr std::int64_t steps = 32;  // positions that share one seed

  fast_rows(const rotation_plan& plan, const simd::target& target);

  int pairs() const { return plan_->rows.pairs(); }
  const simd::target& target() const { return *target_; }

  /// The row of one position, correctly rounded; sin 0 is +0. Returns how many entries exact arithmetic
  /// decided.
  ///
  /// shape   cos, sin [simd::padded(pairs)]; undecided [pairs], scratch
  /// domain  any signed 32-bit position
  /// throws  undecided at the cap of Ziv's loop
  int row(std::int64_t position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const;
  /// The same in binary64, by exact arithmetic only.
  void row(std::int64_t position, bool unit, double* cos, double* sin, std::uint16_t* undecided) const;
  /// Fills the entries of a binary32 row that vector arithmetic decides. Lists the other pairs in `undecided`
  /// and returns their number.
  int try_row(std::int64_t position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const;
  /// The row of one position in a 16-bit format.
  template <class Narrow>
  int narrow_row(std::int64_t position, bool unit, std::uint16_t* cos, std::uint16_t* sin,
                 std::uint16_t* undecided) const;

 private:
  friend class row_walk;
  friend class phase_rows;
  friend class real_rows;
  friend class real_walk;
  std::size_t width() const { return static_cast<std::size_t>(simd::padded(pairs())); }
  bool has_vectors(bool unit) const { return unit || factor_fits_; }
  simd::row_source source(bool unit) const { return {blocks_.data(), pairs(), unit ? 1 : factor_}; }
  template <class Float>
  void decide_exactly(std::int64_t position, bool unit, int pair, row_entry<Float>* cos,
                      row_entry<Float>* sin) const;

  const rotation_plan* plan_;
  const simd::target* target_;
  std::vector<simd::turn_block> blocks_;
  page_memory<double> steps_;            // [2: cos, sin][steps][padded(pairs)], without the factor
  std::vector<double> widest_step_sin_;  // [padded(pairs)]
  // Cosine at position 0: [false] the attention factor, correctly rounded; [true] 1.
  float still_cos_[2];
  bool knows_still_cos_;
  double factor_;
  bool factor_fits_;
};

/// Computes rows one after another, cheapest for consecutive positions: one seed per 32 positions, and sums
/// of angles for the others. For one thread.
class row_walk {
 public:
  /// Options for checks of tables.
  struct watched {
    /// Position of a seed. Another value gives every entry another seed and another step.
    std::int64_t first_seed = 0;
    /// Also leaves entries v undecided that are nearer to a tie than the rounding test needs, by up to this
    /// times |v|.
    double relative_reach = 0;
    /// Callback for every entry that its sum leaves undecided, except at position 0, where there are no sums.
    std::function<void(std::int64_t position, int pair)> undecided;
  };

  explicit row_walk(const fast_rows& rows) : row_walk(rows, watched{}) {}
  row_walk(const fast_rows& rows, watched watching);
  row_walk(const row_walk&) = delete;
  row_walk& operator=(const row_walk&) = delete;

  /// As fast_rows::row, in any format but binary64.
  template <class Float = float>
  void row(std::int64_t position, bool unit, row_entry<Float>* cos, row_entry<Float>* sin,
           std::uint16_t* undecided);

  /// Fills the rows of consecutive positions.
  ///
  /// shape   cos, sin [positions, pairs]
  template <class Float = float>
  void rows(position_range positions, bool unit, row_entry<Float>* cos, row_entry<Float>* sin);

  /// Counts of all rows that this walk computed.
  const decided_entries& decided() const { return decided_; }

 private:
  static constexpr std::size_t usual_pairs = 128;
  static constexpr std::int64_t no_seed = std::numeric_limits<std::int64_t>::max();

  std::int64_t seed_before(std::int64_t position) const;
  bool finds_seed(std::int64_t position, bool unit);
  simd::angle_sum sums_from(std::int64_t position) const;
  template <class Float>
  void padded_rows(position_range positions, bool unit, row_entry<Float>* cos, row_entry<Float>* sin);
  template <class Float>
  void lone_row(std::int64_t position, bool unit, row_entry<Float>* cos, row_entry<Float>* sin,
                std::uint16_t* undecided);
  template <class Float, class Sums>
  void sum_rows(Sums sums, std::int64_t position, int rows, bool unit, row_entry<Float>* cos,
                row_entry<Float>* sin, std::uint16_t* undecided);
  template <class Float>
  void decide_again(std::int64_t position, bool unit, int listed, row_entry<Float>* cos,
                    row_entry<Float>* sin, const std::uint16_t* undecided);

  const fast_rows* rows_;
  watched watched_;
  double* seed_row_;             // [4: cos, sin, their reaches][padded(pairs)]
  float* float_reaches_;         // [2: of cos, of sin][padded(pairs)]
  std::int64_t seed_ = no_seed;  // its position
  bool seed_unit_ = false;
  std::int64_t last_;
  decided_entries decided_{};
  alignas(simd::stream_alignment) std::array<double, 4 * usual_pairs> usual_row_;  // uninitialised
  alignas(simd::stream_alignment) std::array<float, 2 * usual_pairs> usual_reaches_;
  page_memory<double> long_row_;  // for rows of more pairs
  page_memory<float> long_reaches_;
  std::vector<std::uint16_t> undecided_;  // scratch of `rows`
};

}  // namespace ropewalk
