#pragma once
// Canonical bits: every output has the bits of the canonical rotation, rotate_pair, whatever the input; every
// NaN equals every NaN.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Correctly rounded table entries at the positions of a case, in the format that its data is rotated in.
template <floating_format Float>
class canonical_rows {
  using wide = rotation_format<Float>;

 public:
  /// Refers to the kernel and the case, which must outlive the rows.
  canonical_rows(const checked_rotation& kernel, const law_case& test_case)
      : kernel_(kernel),
        test_case_(test_case),
        unit_((test_case.flags & ROPEWALK_UNIT) != 0),
        backward_((test_case.flags & ROPEWALK_BACKWARD) != 0),
        rows_(static_cast<std::size_t>(test_case.axes)) {}

  /// Cosine and sine of a place's pair at its position, the sine negated for a backward rotation. The row of
  /// the last position on each axis is cached.
  ///
  /// error   correctly rounded
  /// throws  undecided at the cap of Ziv's loop
  bits_pair<wide> at(const place& where) {
    kept_row& row = rows_[static_cast<std::size_t>(axis_of(test_case_, where.pair))];
    if (row.cos.empty() || row.position != where.position) {
      row.cos.resize(static_cast<std::size_t>(kernel_.pairs()));
      row.sin.resize(row.cos.size());
      kernel_.rows().template row<wide>(where.position, unit_, row.cos.data(), row.sin.data());
      row.position = where.position;
    }
    const auto i = static_cast<std::size_t>(where.pair);
    const bits_pair<wide> entry{row.cos[i], row.sin[i]};
    return backward_ ? backward<wide>(entry) : entry;
  }

 private:
  struct kept_row {
    double position = 0;
    std::vector<bits_of<wide>> cos{};
    std::vector<bits_of<wide>> sin{};
  };

  const checked_rotation& kernel_;
  const law_case& test_case_;
  bool unit_;
  bool backward_;
  std::vector<kept_row> rows_;  // one per axis
};

namespace rotation_laws {

measurement judge_canonical(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> canonical{
    .name = "canonical",
    .statement = "every output has the canonical operation's bits",
    .equality = "equal bits",
    .catches = "fault-small-flushed",
    .needs = {.every_bit_pattern = true},
    .applies = [](const checked_rotation& kernel) { return kernel.promised() == promise::canonical; },
    .measure = judge_canonical};

}  // namespace rotation_laws

}  // namespace ropewalk
