#pragma once
// Canonical bits: every output equals the mirror's, whatever the input; every NaN equals every NaN.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// The correctly rounded table entries of one position, in the format that data of a format is rotated in.
template <floating_format Float>
class canonical_row {
  using wide = rotation_format<Float>;

 public:
  /// Refers to the kernel, which must outlive the row; `flags` are those of the case.
  canonical_row(const held_rotation& kernel, std::uint32_t flags)
      : kernel_(kernel),
        unit_((flags & ROPEWALK_UNIT) != 0),
        backward_((flags & ROPEWALK_BACKWARD) != 0),
        cos_(static_cast<std::size_t>(kernel.pairs())),
        sin_(cos_.size()) {}

  /// Cosine and sine of one pair, the sine negated for a backward rotation; the row of the last position is
  /// kept.
  ///
  /// error   correctly rounded
  /// throws  undecided at the cap of Ziv's loop
  bits_pair<wide> at(int pair, std::int64_t position) {
    if (!is_filled_ || position != position_)
      kernel_.rows().template row<wide>(position, unit_, cos_.data(), sin_.data());
    is_filled_ = true;
    position_ = position;
    const auto i = static_cast<std::size_t>(pair);
    const bits_pair<wide> entry{cos_[i], sin_[i]};
    return backward_ ? backward<wide>(entry) : entry;
  }

 private:
  const held_rotation& kernel_;
  bool unit_;
  bool backward_;
  bool is_filled_ = false;
  std::int64_t position_ = 0;
  std::vector<bits_of<wide>> cos_;
  std::vector<bits_of<wide>> sin_;
};

/// Every rotated pair against rotate_pair, equal bits.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_canonical(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  canonical_row<Float> rows(kernel, given.flags);
  measurement m;
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.pair = 0; where.pair < kernel.pairs(); ++where.pair) {
      const auto x = pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair));
      const auto y = pair_at<Float>(elements_of(done, where.tensor), start, kernel.channels_out(where.pair));
      const bits_pair<Float> expected = rotate_pair<Float>(x, rows.at(where.pair, where.position));
      const bool equal =
          same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
      record(m, judge_equal(equal), where, [&] {
        return evidence{
            dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
      });
    }
  });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_canonical, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> canonical{
    .name = "canonical",
    .statement = "every output has the canonical operation's bits",
    .needs = {.every_bit_pattern = true},
    .applies = [](const held_rotation& kernel) { return kernel.promised() == promise::canonical; },
    .measure =
        [](const held_rotation& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return measure_canonical<Float>(kernel, given); });
        }};

}  // namespace rotation_laws

}  // namespace ropewalk
