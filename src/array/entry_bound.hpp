#pragma once
// Bounds on the entries of an array of cosines and sines in its own dtype, under a promise of parts.

#include "export/table_kind.hpp"
#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/law/judge/table_bound.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"

namespace ropewalk::array {

/// The numbers of a pair that its bounds depend on.
struct bounded_pair {
  double attention_factor = 1;   // the binary64 nearest to it
  double inv_freq_above = 0;     // not below the frequency
  double frequency_error = 0;    // relative, of a frequency that is formed in binary32
  double rule_error = 0;         // what its rule's numbers add in binary64, in the same units
  double repeated_error = 0;     // of a frequency that is formed from that of the pair before
  double scale = 1;              // a factor of the frequency that an engine multiplies apart: of sinusoids
  ropewalk::coordinate index{};  // of its axis; positions are then position_of_index
};

/// The error of a pair's frequency as bounds take it.
inline double frequency_error_under(const promise& promised, const bounded_pair& pair) {
  if (promised.frequency == ROPEWALK_PART_REPEATED_F32) return pair.repeated_error;
  return promised.frequency == ROPEWALK_PART_F64
             ? ropewalk::detail::sum_up(pair.frequency_error, pair.rule_error)
             : pair.frequency_error;
}

/// Error of a stored inverse frequency: |observed - inv_freq| is not above it.
inline double stored_frequency_bound(tables::table_dtype dtype, const promise& promised,
                                     const bounded_pair& pair) {
  return in_format(dtype, [&]<class Float>() {
    const pair_bound bound = frequency_bound<Float>(promised, frequency_error_under(promised, pair));
    return ropewalk::detail::sum_up(ropewalk::detail::product_up(bound.relative, pair.inv_freq_above),
                                    bound.absolute);
  });
}

/// Error of a pair's entries at a position: |observed - a (cos t, sin t)| is not above it.
///
/// domain  position: its absolute value; with a scale, the attention factor is 1
/// throws  std::invalid_argument naming attention_factor and its value
inline double entry_bound(tables::table_dtype dtype, const promise& promised, const bounded_pair& pair,
                          double position) {
  return in_format(dtype, [&]<class Float>() {
    const double angle = ropewalk::detail::product_up(position, pair.inv_freq_above);
    if (pair.scale != 1)
      return sinusoid_bound<Float>(promised, pair.scale, angle, frequency_error_under(promised, pair));
    const bool is_given = promised.coordinate == ROPEWALK_UNROUNDED && pair.index == ropewalk::coordinate{};
    const double coordinate_error =
        is_given ? 0
                 : ropewalk::detail::product_up(formed_coordinate_error(pair.index, position),
                                                pair.inv_freq_above);
    const pair_bound bound = table_bound<Float>(promised, pair.attention_factor, angle,
                                                frequency_error_under(promised, pair), coordinate_error);
    return ropewalk::detail::sum_up(ropewalk::detail::product_up(bound.relative, pair.attention_factor),
                                    bound.absolute);
  });
}

}  // namespace ropewalk::array
