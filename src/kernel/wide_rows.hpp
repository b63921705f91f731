#pragma once
// Rows of binary64, one after another: seeds by exact arithmetic, sums of angles in pairs of binary64 between them.

#include <cstdint>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Consecutive binary64 rows, correctly rounded. For one thread; keeps pointers to plan and target.
class wide_walk {
 public:
  static constexpr std::int64_t steps = 256;  // positions that share one seed

  wide_walk(const rotation_plan& plan, const simd::target& target, bool unit);

  /// shape   cos, sin [positions, pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  void rows(position_range positions, double* cos, double* sin);

  /// Entries that exact arithmetic had to decide.
  std::int64_t decided_exactly() const { return decided_exactly_; }

 private:
  /// Rows whose entries are sums of two numbers.
  struct wide_rows {
    std::vector<double> cos, cos_low, sin, sin_low;
    void resize(std::size_t entries);
    void set(std::size_t at, const cos_sin<3>& point);
    simd::wide_row row(std::size_t first) const;
  };
  void find_seed(std::int64_t seed);
  bool pays(position_range positions) const;
  void make_steps();
  void fill_row(std::int64_t position, std::int64_t seed, double* cos, double* sin, std::uint16_t* undecided);

  const rotation_plan* plan_;
  const simd::target* target_;
  bool unit_;
  std::vector<cos_sin<3>> seed_points_;
  std::vector<cos_sin<3>> stride_points_;  // `steps` positions on
  std::int64_t seed_at_ = 1;               // a multiple of `steps` once there is one
  wide_rows seed_;
  wide_rows steps_;
  std::vector<double> least_error_;
  std::int64_t decided_exactly_ = 0;
};

}  // namespace ropewalk
