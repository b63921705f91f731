#pragma once
// Slopes that an ALiBi kernel keeps from a resolved encoding, and the bias of one query and key.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail {

/// The slope from its 256 bits. If these equal a binary64, the slope is exactly that number: a slope is a
/// power of two or irrational, and no irrational slope is that close to a binary64.
inline resolved_number resolved_slope(const ropewalk_real& real) {
  const resolved_number known = rounded_words(real.significand, 8, real.exponent);
  limbs<4> significand;
  for (int i = 0; i < 8; ++i) significand.word[i / 2] |= std::uint64_t{real.significand[i]} << (32 * (i % 2));
  const double nearest = from_bits<double>(round_magnitude<double>(false, significand, real.exponent, false));
  const resolved_number exact = resolved_number::of(nearest);
  return known.midpoint == exact.midpoint ? exact : known;
}

inline void check_slope(const ropewalk_real& real, int head) {
  const field_name field{"", "slopes", head};
  require_field((real.significand[7] >> 31) != 0, field, real.significand[7], "the highest bit set");
  // The significand has 256 bits. In this range, slope times distance neither overflows nor underflows in
  // binary64.
  require_field(real.exponent >= -356 && real.exponent <= -156, field, real.exponent,
                "the exponent of a number from 2^-101 to 2^100");
}

}  // namespace detail

inline constexpr int most_bias_heads = 65536;

/// Limits of a kernel that serves every form of ALiBi.
inline constexpr ropewalk_limits every_bias_form = [] {
  ropewalk_limits bias_limits{};
  bias_limits.struct_size = sizeof bias_limits;
  for (const alibi_form form : alibi_forms) bias_limits.forms |= form_bit(form);
  return bias_limits;
}();

/// A checked encoding, immutable: threads may share it.
struct bias_plan {
  /// throws  refused_call naming the field, its value and what is allowed
  explicit bias_plan(const ropewalk_bias_addition& encoding)
      : is_symmetric(encoding.is_symmetric != 0), origin(encoding.origin) {
    require_field(encoding.heads >= 1 && encoding.heads <= most_bias_heads, {"", "heads"}, encoding.heads,
                  "a number from 1 to 65536");
    require_field(encoding.is_symmetric == 0 || encoding.is_symmetric == 1, {"", "is_symmetric"},
                  encoding.is_symmetric, "0 or 1");
    require_field(encoding.origin >= ROPEWALK_FROM_QUERY && encoding.origin <= ROPEWALK_FROM_LAST_KEY,
                  {"", "origin"}, encoding.origin, "0, 1 or 2");
    require_field(encoding.is_symmetric == 0 || encoding.origin == ROPEWALK_FROM_QUERY, {"", "is_symmetric"},
                  encoding.is_symmetric, "0 where origin is not 0");
    require_pointer(encoding.slopes, {"", "slopes"}, "one slope per head");
    require_aligned(encoding.slopes, {"", "slopes"});
    for (int head = 0; head < encoding.heads; ++head) {
      detail::check_slope(encoding.slopes[head], head);
      slopes.push_back(detail::resolved_slope(encoding.slopes[head]));
    }
  }

  /// Heads that the scores must have: one per slope.
  int heads() const { return static_cast<int>(slopes.size()); }

  /// Whether all queries of a call have the same entries.
  bool is_by_key() const { return origin != ROPEWALK_FROM_QUERY; }

  /// The position that is subtracted from the key's position.
  std::int64_t origin_of(std::int64_t query, std::int64_t keys) const {
    if (origin == ROPEWALK_FROM_LAST_KEY) return keys - 1;
    return origin == ROPEWALK_FROM_FIRST_KEY ? 0 : query;
  }

  /// Multiplier of the slope: key - origin, or -|key - origin|.
  std::int64_t reach(std::int64_t ahead) const { return is_symmetric && ahead > 0 ? -ahead : ahead; }

  /// Bits of slope x reach; +0 at reach 0.
  ///
  /// domain  |reach| < 2^33
  /// error   correctly rounded
  /// throws  refused_call with ROPEWALK_UNDECIDED where the slope's 256 bits do not decide the rounding
  template <floating_format Float>
  bits_of<Float> entry(int head, std::int64_t reach) const {
    constexpr int limb_count = rope_rows::limb_count;
    const rounding<Float> result =
        round<Float>(slopes[static_cast<std::size_t>(head)] * enclosure<limb_count>::of(reach));
    if (!result.decided) {
      const std::string field = field_name{"", "slopes", head}.text();
      throw refused_call(field, field + " times a distance cannot be rounded correctly from 256 bits",
                         ROPEWALK_UNDECIDED);
    }
    return result.bits;
  }

  std::vector<detail::resolved_number> slopes;
  bool is_symmetric;
  std::int64_t origin;  // enum ropewalk_bias_origin
};

}  // namespace ropewalk
