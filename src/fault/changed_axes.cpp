// Frequencies and widths of axes other than the model's, if each axis has its own frequencies.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"
#include "ropewalk/function/exp_log.hpp"

namespace ropewalk::fault {
namespace {

enum class axes_change {
  reversed,          // the last frequency of an axis first
  over_head,         // exponents over the channels of the head
  over_equal_share,  // exponents over the head's channels divided by the axes, rounded down
  rest_to_last,      // widths in the opposite order
  as_in_text,        // frequency i of the head for pair i
  half_exponent,     // exponents k / 2n: those for channels, used for pairs
  to_the_end,        // exponents k / (n - 1): the last pair has the frequency 1 / base
  other_base,        // regardless of the model's
  inverse_scale      // divides and multiplies coordinates the wrong way round
};

/// Pairs of each axis, in order.
using axis_pairs = std::vector<std::vector<std::size_t>>;

// Far above the rounding of frequencies and logarithms, far below the distance of other frequencies.
constexpr double same_logarithm = 1e-9;

/// Whether the frequencies of pairs fall or rise geometrically; the logarithm of the first is `first`.
bool are_geometric(const double* inv_freq, const std::vector<std::size_t>& pairs, double first) {
  const double step = std::log(inv_freq[pairs[1]]) - first;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (std::abs(std::log(inv_freq[pairs[k]]) - first - static_cast<double>(k) * step) > same_logarithm)
      return false;
  return true;
}

/// The pairs of two or more axes with their own geometric frequencies, without pairs that do not rotate. All
/// axes start at one first frequency or, if `has_scales`, each at its own. nullopt otherwise, and if axes
/// share the frequencies of text.
std::optional<axis_pairs> pairs_of_own_axes(const ropewalk_rotation& encoding, bool has_scales) {
  if (encoding.axes < 2 || encoding.axis == nullptr) return std::nullopt;
  axis_pairs result(static_cast<std::size_t>(encoding.axes));
  std::vector<std::size_t> all;
  for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair)
    if (encoding.inv_freq[pair] > 0) {
      result[static_cast<std::size_t>(encoding.axis[pair])].push_back(static_cast<std::size_t>(pair));
      all.push_back(static_cast<std::size_t>(pair));
    }
  if (std::any_of(result.begin(), result.end(), [](const auto& pairs) { return pairs.size() < 2; }))
    return std::nullopt;
  const auto first_of = [&](const std::vector<std::size_t>& pairs) {
    return std::log(encoding.inv_freq[pairs[0]]);
  };
  if (are_geometric(encoding.inv_freq, all, first_of(all))) return std::nullopt;
  for (const std::vector<std::size_t>& pairs : result)
    if (!are_geometric(encoding.inv_freq, pairs, first_of(has_scales ? pairs : result[0])))
      return std::nullopt;
  return result;
}

/// Whether each axis has a run of pairs.
bool are_runs(const axis_pairs& axes) {
  std::size_t next = 0;
  for (const std::vector<std::size_t>& pairs : axes)
    for (const std::size_t pair : pairs)
      if (pair != next++) return false;
  return true;
}

own_number power(const own_number& base, double numerator, double denominator) {
  if (numerator == 0) return own_number::of(1);
  return exp(log(base) * own_number::of(numerator) / own_number::of(denominator));
}

struct changed_axes_steps : canonical_steps {
  axes_change change = axes_change::reversed;
  int base = 0;  // for a changed base

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<axis_pairs> axes = pairs_of_own_axes(encoding, change == axes_change::inverse_scale);
    if (!axes || (change == axes_change::rest_to_last && !are_runs(*axes))) return;
    const own_number radians = own_number::of(1) / inverse_two_pi<rope_rows::limb_count>();
    std::vector<own_number> right;
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) right.push_back(plan.rows.turns(pair) * radians);
    std::vector<own_number> taken = right;
    const auto all = static_cast<double>(right.size());
    std::size_t next = 0;  // the pair that receives the next one of a run
    for (std::size_t axis = 0; axis < axes->size(); ++axis) {
      const std::vector<std::size_t>& pairs = (*axes)[axis];
      const std::size_t count = (*axes)[axes->size() - 1 - axis].size();  // if widths are reversed
      const own_number &first = right[pairs[0]], step = right[pairs[1]] / first;
      const auto own = static_cast<double>(pairs.size());
      const double share = std::floor(2 * all / static_cast<double>(axes->size())) / 2;
      const auto of_exponent = [&](std::size_t index, double over) {
        return first * power(step, own * static_cast<double>(index), over);
      };
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        switch (change) {
          case axes_change::reversed: taken[pairs[k]] = right[pairs[pairs.size() - 1 - k]]; break;
          case axes_change::over_head: taken[pairs[k]] = of_exponent(k, all); break;
          case axes_change::over_equal_share: taken[pairs[k]] = of_exponent(k, share); break;
          case axes_change::half_exponent: taken[pairs[k]] = of_exponent(k, 2 * own); break;
          case axes_change::to_the_end: taken[pairs[k]] = of_exponent(k, own - 1); break;
          case axes_change::as_in_text: taken[pairs[k]] = of_exponent(pairs[k], all); break;
          case axes_change::other_base:
            taken[pairs[k]] = first * power(own_number::of(base), -static_cast<double>(k), own);
            break;
          case axes_change::inverse_scale: taken[pairs[k]] = right[pairs[k]] / (first * first); break;
          case axes_change::rest_to_last: break;
        }
      }
      for (std::size_t k = 0; change == axes_change::rest_to_last && k < count; ++k, ++next) {
        plan.axis[next] = static_cast<int>(axis);
        taken[next] = of_exponent(k, static_cast<double>(count));
      }
    }
    plan.rows = rows_of(plan, [&](int pair) { return taken[static_cast<std::size_t>(pair)]; });
  }
};

template <axes_change change, int base = 0>
known_fault with(const char* name, const char* sentence) {
  known_fault fault{kernel_with_steps<changed_axes_steps{{}, change, base}>(name), sentence};
  fault.kernel.limits = &any_pairing_and_position;
  return fault;
}

}  // namespace

std::vector<known_fault> changed_axes() {
  using enum axes_change;
  return {
      with<reversed>("fault-axes-reversed",
                     "the frequencies of each axis fall where they rise, or rise where they fall"),
      with<over_head>("fault-axes-over-head",
                      "the exponents are over the channels of the head in place of those of the axis"),
      with<over_equal_share>(
          "fault-axes-over-equal-share",
          "the exponents are over an equal share of the head, as d // 3, in place of the axis's "
          "own width, as 2 (d // 6)"),
      with<rest_to_last>(
          "fault-axes-rest-last",
          "the widths of the axes are in the opposite order: the rest of the channels goes to the "
          "last axis in place of the first"),
      with<as_in_text>("fault-axes-as-in-text",
                       "pairs have the frequencies that they have in text, where each axis has its own"),
      with<half_exponent>("fault-axes-half-exponent",
                          "the exponents are k / 2n in place of k / n: the factor 2 of 2 k over the axis's "
                          "channels is missing"),
      with<to_the_end>("fault-axes-to-the-end",
                       "the exponents are k / (n - 1) in place of k / n: each axis reaches 1 / base"),
      with<other_base, 10000>("fault-axes-base-10000",
                              "every axis has the base 10000, whatever the model's is"),
      with<other_base, 256>("fault-axes-base-256", "every axis has the base 256, whatever the model's is"),
      with<other_base, 100>("fault-axes-base-100", "every axis has the base 100, whatever the model's is"),
      with<other_base, 2000>("fault-axes-base-2000", "every axis has the base 2000, whatever the model's is"),
      with<inverse_scale>("fault-axes-inverse-scale",
                          "the coordinate is multiplied where it should be divided, or divided where it "
                          "should be multiplied"),
  };
}

}  // namespace ropewalk::fault
