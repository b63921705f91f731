// Tables that an engine with one mistake makes for positions on several axes.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/axes_hypotheses.hpp"
#include "diagnosis/suspect_list.hpp"
#include "export/array_layout.hpp"
#include "fault/known_faults.hpp"
#include "input/json_text.hpp"
#include "ropewalk/function/exp_log.hpp"

namespace ropewalk::diagnosis {
namespace {

/// A configuration with another base, on every axis that has one.
placed_rope with_base_on_axes(placed_rope config, double base) {
  config.encoding.base = base;
  for (rotary_axis& axis : config.axes.axis)
    if (axis.turn.rule == spacing::geometric && axis.turn.first.numerator == axis.turn.first.denominator)
      axis.turn.last = {1, base};
  return config;
}

class axes_hypotheses_of {
 public:
  explicit axes_hypotheses_of(const placed_rope& config)
      : own_(config), list_(suspect_of(config), config.encoding), right_(list_.right()) {
    for (int pair = 0; pair < pair_count(own_.encoding); ++pair)
      places_.push_back(axis_of(pair, own_.axes, own_.encoding));
  }

  std::vector<table_hypothesis> all() {
    add_axes();
    add_bases();
    add_exponents();
    add_frequencies();
    add_coordinates();
    add_copies();
    add_positions();
    list_.add_entries();
    list_.add_units();
    list_.add_formats();
    list_.add_pairs();
    return list_.take();
  }

 private:
  /// The table of a changed configuration, if it is valid for these pairs.
  void add_changed(std::string name, std::string sentence, const placed_rope& config) {
    try {
      list_.add(std::move(name), std::move(sentence), suspect_of(config));
    } catch (const std::invalid_argument&) {  // axes that these pairs do not have
    }
  }
  void add_known_changed(const std::string& name, const placed_rope& config) {
    add_changed(name, fault::sentence_of("fault-" + name), config);
  }

  // ---- which axis turns a pair ----

  /// Pairs that keep their frequencies but turn by the coordinates of other axes.
  template <class Change>
  rotary_suspect with_axes(Change change) const {
    rotary_suspect suspect = right_;
    for (std::size_t pair = 0; pair < suspect.axis.size(); ++pair) {
      suspect.axis[pair] = change(pair, right_.axis[pair]);
      // A frequency is per unit of position_of_index, which may differ per axis.
      suspect.inv_freqs[pair] =
          suspect.inv_freqs[pair] * unit_of(suspect.axis[pair]) / unit_of(right_.axis[pair]);
    }
    return suspect;
  }

  /// The coordinate of one unit of position_of_index.
  own_number unit_of(int axis) const {
    return ropewalk::detail::with_scale(own_number::of(1), own_.coordinates[static_cast<std::size_t>(axis)]);
  }

  void add_axes() {
    const int axes = own_.axes.count;
    for (int a = 0; a < axes; ++a)
      for (int b = a + 1; b < axes; ++b) add_exchange(a, b);
    for (int axis = 0; axis < axes; ++axis) {
      const rotary_suspect suspect = with_axes([&](std::size_t, int) { return axis; });
      if (axis == 0)
        list_.add_known("axis-first", suspect);
      else
        list_.add(
            "axis-" + std::to_string(axis) + "-alone",
            "axis " + std::to_string(axis) + " turns every pair: the other rows of positions are dropped",
            suspect);
    }
    std::vector<int> sorted = right_.axis;
    std::sort(sorted.begin(), sorted.end());
    list_.add_known("axis-runs", with_axes([&](std::size_t pair, int) { return sorted[pair]; }));
    list_.add_known("axis-interleaved",
                    with_axes([&](std::size_t pair, int) { return static_cast<int>(pair) % axes; }));
  }

  void add_exchange(int a, int b) {
    rotary_suspect suspect = with_axes([&](std::size_t, int axis) {
      return axis == a ? b : axis == b ? a : axis;
    });
    const int axes = own_.axes.count;
    if (a == axes - 2 && b == axes - 1)
      list_.add_known("axis-exchanged", std::move(suspect));
    else if (a == 0 && (b == 1 || b == axes - 1))
      list_.add_known(b == 1 ? "axes-exchanged-first" : "axes-exchanged-ends", std::move(suspect));
    else
      list_.add("axes-exchanged-" + std::to_string(a) + "-" + std::to_string(b),
                "axes " + std::to_string(a) + " and " + std::to_string(b) + " are exchanged",
                std::move(suspect));
  }

  // ---- frequencies ----

  void add_bases() {
    for (const double base : {100.0, 256.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 500000.0, 1000000.0}) {
      const std::string text = input::shown(base);
      add_changed("axes-base-" + text, "every axis has the base " + text + ", whatever the model's is",
                  with_base_on_axes(own_, base));
    }
  }

  bool has_own_frequencies_of_base() const {
    return own_.axes.frequencies_of == axis_frequencies::own &&
           std::all_of(own_.axes.axis.begin(), own_.axes.axis.begin() + own_.axes.count,
                       [](const rotary_axis& axis) { return axis.turn.rule == spacing::of_base; });
  }

  /// Frequencies base^-(numerator / denominator), per unit of each axis's coordinate.
  template <class Exponent>
  rotary_suspect with_exponents(Exponent exponent) const {
    rotary_suspect suspect = right_;
    const own_number logarithm = log(own_number::of(own_.encoding.base));
    for (std::size_t pair = 0; pair < places_.size(); ++pair) {
      if (places_[pair].is_still()) continue;
      const auto [numerator, denominator] = exponent(pair, places_[pair]);
      const own_number power = exp(logarithm * own_number::of(numerator) / own_number::of(denominator));
      suspect.inv_freqs[pair] = unit_of(places_[pair].axis) / power;
    }
    return suspect;
  }

  /// Exponents with other denominators.
  void add_exponents() {
    if (!has_own_frequencies_of_base()) return;
    using exponent = std::pair<double, double>;
    const auto all = static_cast<double>(places_.size());
    list_.add_known("axes-over-head", with_exponents([&](std::size_t, const pair_axis& at) {
                      return exponent(at.frequency, all);
                    }));
    const double share = std::floor(2 * all / own_.axes.count) / 2;  // pairs
    list_.add_known("axes-over-equal-share", with_exponents([&](std::size_t, const pair_axis& at) {
                      return exponent(at.frequency, share);
                    }));
    list_.add_known("axes-half-exponent", with_exponents([&](std::size_t, const pair_axis& at) {
                      return exponent(at.frequency, 2 * pairs_of_axis(at.axis, own_.axes, own_.encoding));
                    }));
    list_.add_known("axes-to-the-end", with_exponents([&](std::size_t, const pair_axis& at) {
                      return exponent(at.frequency, pairs_of_axis(at.axis, own_.axes, own_.encoding) - 1);
                    }));
    list_.add_known("axes-as-in-text", with_exponents([&](std::size_t pair, const pair_axis&) {
                      return exponent(static_cast<double>(pair), all);
                    }));
    add_widths();
  }

  /// Axes with their pair counts in another order, or with equal shares and the rest on the first or the last
  /// axis.
  void add_widths() {
    const int axes = own_.axes.count;
    std::vector<int> own;
    for (int axis = 0; axis < axes; ++axis) own.push_back(pairs_of_axis(axis, own_.axes, own_.encoding));
    const std::vector<int> reversed(own.rbegin(), own.rend());
    add_known_changed("axes-rest-last", with_widths(reversed));
    std::vector<int> widths = own;
    std::sort(widths.begin(), widths.end());
    do
      if (widths != own && widths != reversed) add_widths(widths);
    while (std::next_permutation(widths.begin(), widths.end()));
    const int pairs = std::accumulate(own.begin(), own.end(), 0), share = pairs / axes;
    const std::vector<int> sorted = widths;
    for (const bool is_rest_first : {true, false}) {
      std::vector<int> equal(own.size(), share);
      (is_rest_first ? equal.front() : equal.back()) += pairs - axes * share;
      if (!std::is_permutation(equal.begin(), equal.end(), sorted.begin())) add_widths(equal);
    }
  }

  placed_rope with_widths(const std::vector<int>& pairs) const {
    placed_rope config = own_;
    for (std::size_t axis = 0; axis < pairs.size(); ++axis) config.axes.axis[axis].pairs = pairs[axis];
    return config;
  }

  void add_widths(const std::vector<int>& pairs) {
    std::string text;
    for (const int pair : pairs) text += (text.empty() ? "" : ", ") + std::to_string(pair);
    std::string own;
    for (int axis = 0; axis < own_.axes.count; ++axis)
      own += (axis == 0 ? "" : ", ") + std::to_string(pairs_of_axis(axis, own_.axes, own_.encoding));
    add_changed("axes-widths", "the axes have " + text + " pairs, where " + own + " are right",
                with_widths(pairs));
  }

  void add_frequencies() {
    rotary_suspect reversed = right_;
    for (std::size_t pair = 0; pair < places_.size(); ++pair)
      for (std::size_t other = 0; other < places_.size(); ++other)
        if (places_[other].axis == places_[pair].axis && !places_[pair].is_still() &&
            places_[other].frequency == largest_frequency_of(places_[pair].axis) - places_[pair].frequency) {
          reversed.inv_freqs[pair] = right_.inv_freqs[other];
          reversed.frequency_errors[pair] = right_.frequency_errors[other];
        }
    if (own_.axes.frequencies_of == axis_frequencies::own) list_.add_known("axes-reversed", reversed);
    for (const auto& [frequencies, sentence] :
         {std::pair{axis_frequencies::shared,
                    "the axes share the frequencies of the embedding, where each has its own"},
          std::pair{axis_frequencies::own,
                    "each axis has frequencies of its own, where they share those of the embedding"}}) {
      placed_rope other = own_;
      other.axes.frequencies_of = frequencies;
      add_changed(frequencies == axis_frequencies::shared ? "axes-shared" : "axes-own", sentence, other);
    }
    placed_rope unscaled_axes = own_;
    unscaled_axes.encoding.scaling = unscaled{};
    for (rotary_axis& axis : unscaled_axes.axes.axis) axis.scaling = unscaled{};
    add_changed("axes-unscaled", "the scaling rule is not applied", unscaled_axes);
    placed_rope in_radians = own_;
    for (rotary_axis& axis : in_radians.axes.axis) axis.turn.unit = angle_unit::radian;
    add_changed("axes-in-radians",
                "frequencies in parts of a turn are taken as radians: the factor pi is missing", in_radians);
    list_.add("axes-frequencies-doubled", "every frequency is twice the expected one",
              with_frequencies_times(right_, own_number::of(2)));
    list_.add("axes-frequencies-halved", "every frequency is half the expected one",
              with_frequencies_times(right_, own_number::of(0.5)));
  }

  int largest_frequency_of(int axis) const {
    int frequency = 0;
    for (const pair_axis& place : places_)
      if (place.axis == axis) frequency = std::max(frequency, place.frequency);
    return frequency;
  }

  // ---- coordinates of indices ----

  template <class Change>
  void add_changed_coordinates(std::string name, std::string sentence, Change change) {
    placed_rope other = own_;
    bool is_changed = false;
    for (int axis = 0; axis < own_.axes.count; ++axis) {
      coordinate& source = other.coordinates[static_cast<std::size_t>(axis)];
      const coordinate before = source;
      if (source != coordinate{}) change(source);
      is_changed = is_changed || source != before;
    }
    if (is_changed) add_changed(std::move(name), std::move(sentence), other);
  }

  void add_coordinates() {
    add_changed_coordinates("coordinates-without-offset",
                            "the offset of a coordinate is dropped: indices are not centred or shifted",
                            [](coordinate& coordinate) {
                              coordinate.offset = {0, 1};
                            });
    add_changed_coordinates("coordinates-without-scale", "the scale of a coordinate is dropped",
                            [](coordinate& coordinate) {
                              coordinate.scale = {1, 1};
                            });
    add_changed_coordinates("coordinates-as-indices", "the index itself is taken for the coordinate",
                            [](coordinate& coordinate) { coordinate = {}; });
    add_changed_coordinates("axes-inverse-scale", fault::sentence_of("fault-axes-inverse-scale"),
                            [](coordinate& coordinate) { invert(coordinate.scale); });
    for (const int half : {1, -1})
      add_changed_coordinates(half > 0 ? "coordinates-half-after" : "coordinates-half-before",
                              std::string("every index is taken half a step too far ") +
                                  (half > 0 ? "on" : "back") + ": an edge for a centre, or the reverse",
                              [&](coordinate& coordinate) { add_half(coordinate.offset, half); });
    add_changed_coordinates("coordinates-over-one-less",
                            "the coordinate is divided by n - 1 in place of n: from end to end, where the "
                            "centres of n parts are right",
                            [](coordinate& coordinate) {
                              if (coordinate.scale.denominator > 2) --coordinate.scale.denominator;
                            });
    add_changed_coordinates("coordinates-over-one-more", "the coordinate is divided by n + 1 in place of n",
                            [](coordinate& coordinate) { ++coordinate.scale.denominator; });
    for (const int step : {1, -1})
      add_changed_coordinates(
          step > 0 ? "coordinates-after" : "coordinates-before",
          std::string("every index is one step too far ") + (step > 0 ? "on" : "back") +
              ", which is half a patch where indices count halves: an edge for a centre, or the reverse",
          [&](coordinate& coordinate) {
            coordinate.offset.numerator += step * coordinate.offset.denominator;
          });
  }

  static void invert(ratio& ratio) {
    const bool is_negative = ratio.numerator < 0;
    std::swap(ratio.numerator, ratio.denominator);
    if (is_negative) ratio.numerator = -ratio.numerator, ratio.denominator = -ratio.denominator;
  }
  static void add_half(ratio& to, int halves) {
    to = {2 * to.numerator + halves * to.denominator, 2 * to.denominator};
    const std::int64_t shared = std::gcd(to.numerator, to.denominator);
    to.numerator /= shared, to.denominator /= shared;
  }

  // ---- entries and positions ----

  /// Copies of an entry at the channels of another pairing.
  void add_copies() {
    for (const pairing pairs : every_pairing) {
      try {
        const tables::array_layout layout = tables::with_copies({}, pairs, own_.axes, own_.encoding);
        list_.add(std::string("copies-") + name_of(pairs),
                  std::string("the two copies of an entry stand as in the pairing ") + name_of(pairs),
                  list_.with_entries({.copies = pairs, .halves = layout.halves}));
      } catch (const std::invalid_argument&) {  // axes that have no runs
      }
    }
  }

  bool is_every_axis_scaled() const {
    return std::all_of(own_.coordinates.begin(), own_.coordinates.begin() + own_.axes.count,
                       [](const coordinate& source) { return source != coordinate{}; });
  }

  /// Changed positions; for axes with coordinates, changed coordinates.
  void add_positions() {
    using enum fault::position_change;
    list_.add_rounded_positions();
    if (!is_every_axis_scaled()) return list_.add_positions(0);
    list_.add_position("bf16", "coordinates pass through bfloat16", {in_bfloat16});
    list_.add_position("f16", "coordinates pass through binary16", {in_binary16});
    list_.add_position("negated", fault::the_other_way, {negated});
    list_.add_position("absolute", "coordinates lose their sign", {absolute});
  }

  const placed_rope& own_;
  suspect_list list_;
  const rotary_suspect& right_;
  std::vector<pair_axis> places_;
};

}  // namespace

std::vector<table_hypothesis> axes_hypotheses(const placed_rope& config) {
  return axes_hypotheses_of(config).all();
}

}  // namespace ropewalk::diagnosis
