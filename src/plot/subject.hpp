#pragma once
// Helpers shared by figures: model, lengths, captions.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plot/figures.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/measure/context_extension.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::plot {

/// Breaks a line between two points.
inline constexpr double line_break = std::numeric_limits<double>::quiet_NaN();

inline constexpr int drawn_limbs = 4;
using drawn_number = enclosure<drawn_limbs>;

/// The binary64 nearest to the midpoint: for drawing, not for decisions.
template <int N>
double drawn(const enclosure<N>& x) {
  return from_bits<double>(round<double>(x.midpoint));
}

/// 131072 as "131,072".
std::string grouped(std::int64_t count);

/// The command that makes the figure alone; with a subject, for the same model; with measurements, for the
/// same kernels.
std::string command_of(std::string_view name);
std::string command_of(std::string_view name, const subject& subject);
std::string measured_command_of(std::string_view name, const subject& subject);

/// The subject's trained and target lengths.
length_pair lengths_of(const subject& subject);

/// The model's name; if it was given by options, its numbers.
std::string label_of(const subject& subject);

/// The model's encoding without its scaling rule.
rope plain_encoding(const subject& subject);

/// Whether the model has a scaling rule.
bool has_own_rule(const subject& subject);

/// Tokens in which each pair turns once; NaN for a pair that does not turn.
///
/// shape   [rotary_dim / 2]
std::vector<double> wavelengths_of(const rope& config);

/// A scaling rule in a comparison.
struct compared_rule : extension_measurement {
  bool is_own = false;  // the model's own parameters, not the usual ones

  /// "yarn", or "yarn (the model's own)".
  std::string name() const;
};

/// No rule, the model's own rule, if any, then each rule with usual parameters, all for the same lengths.
/// Skips rules that cannot be applied, or that equal the model's own.
std::vector<compared_rule> compared_rules(const subject& subject);

/// 0, 1, ... count - 1.
std::vector<double> indices(std::size_t count);

/// An axis of whole numbers below `count`, with ticks at multiples of a power of two.
axis counting_axis(std::string title, std::size_t count);

/// The unit circle as a guide.
series unit_circle();

}  // namespace ropewalk::plot
