#include "diagnosis/axes_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "diagnosis/rotary_suspect.hpp"
#include "diagnosis/seen_frequencies.hpp"
#include "diagnosis/shared_by_failures.hpp"
#include "diagnosis/token_hypotheses.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr double turn = 2 * std::numbers::pi;
// Error of an angle formed here in binary64: far above its rounding, far below one step of a position.
constexpr double of_forming = 0x1p-30;
constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr number_range anything{-unknown, unknown}, nothing{1, -1};

bool is_bounded(const number_range& range) { return std::isfinite(range.low) && std::isfinite(range.high); }
bool is_unknown(const number_range& range) { return !range.is_empty() && !is_bounded(range); }
double middle_value(const number_range& range) { return range.low + (range.high - range.low) / 2; }

/// Position of the tokens of one run on one axis.
struct run_fit {
  enum class form { right, further, fixed, counted, spread };
  form is = form::right;
  std::int64_t number = 0;  // further: offset; fixed: index of all tokens; counted: index of the first
  double times = 1;         // spread: factor of the position, in units of position_of_index
  double plus = 0;
  std::string sentence{};

  friend bool operator==(const run_fit&, const run_fit&) = default;
};

/// "1 too high", "at 15", "counted from 3".
std::string text_of(const run_fit& fit) {
  switch (fit.is) {
    case run_fit::form::further:
      return fmt::format("stand {} too {}", std::abs(fit.number), fit.number > 0 ? "high" : "low");
    case run_fit::form::fixed: return fmt::format("stand at {}", fit.number);
    case run_fit::form::counted: return fmt::format("are counted one by one from {}", fit.number);
    case run_fit::form::spread: return fit.sentence;
    case run_fit::form::right: break;
  }
  return "stand right";
}

/// "axis 1", "axes 0 and 2", "axes 0, 1 and 2".
std::string axes_text(const std::vector<int>& axes) {
  if (axes.size() == 1) return fmt::format("axis {}", axes.front());
  return fmt::format("axes {} and {}", fmt::join(axes.begin(), axes.end() - 1, ", "), axes.back());
}

class sight_on_axes {
 public:
  sight_on_axes(array_reader& array, const model::model& model, const promise& promised,
                const std::vector<std::int64_t>& places)
      : array_(array),
        positions_(array.array().positions),
        promised_(promised),
        places_(places),
        own_(model::placed(model)),
        right_(suspect_of(own_)),
        bounded_(bounded_pairs(right_)),
        runs_(runs_of(model, positions_)),
        pairs_of_(static_cast<std::size_t>(positions_.axes())) {
    for (std::size_t pair = 0; pair < right_.inv_freqs.size(); ++pair) {
      inv_freqs_.push_back(from_bits<double>(round<double>(right_.inv_freqs[pair]).bits));
      if (inv_freqs_.back() != 0) pairs_of_[static_cast<std::size_t>(right_.axis[pair])].push_back(pair);
    }
    for (std::vector<std::size_t>& pairs : pairs_of_)
      std::sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(inv_freqs_[a]) < std::abs(inv_freqs_[b]);
      });
  }

  bool has_own_pairs() const { return array_.array().pairs == static_cast<int>(inv_freqs_.size()); }

  std::vector<table_hypothesis> hypotheses() {
    std::vector<table_hypothesis> hypotheses;
    if (!has_own_pairs()) return hypotheses;
    if (!positions_.is_real()) add_places(hypotheses);
    see_frequencies();
    add_bases(hypotheses);
    add_ratios(hypotheses);
    add_factor(hypotheses);
    return hypotheses;
  }

  std::string in_words(const suspected_table& right) {
    if (!has_own_pairs())
      return fmt::format("the array has {} pairs, and the model {}", array_.array().pairs, inv_freqs_.size());
    std::string text = wrong_pairs_in_words(right);
    const std::string token = token_in_words();
    if (!token.empty()) return text + "; " + token;
    if (places_.size() < 2) return text;  // one token does not determine a frequency
    see_frequencies();
    const std::string frequencies = frequencies_in_words();
    return frequencies.empty() ? text : text + "; " + frequencies;
  }

 private:
  // ---- angles ----

  /// The error of a pair's angle at a position, in radians, that the promise allows; infinity if it allows
  /// any angle.
  double angle_bound(std::size_t pair, double position, double norm) const {
    const double bound =
        array::entry_bound(array_.array().dtype, promised_, bounded_[pair], std::abs(position)) / norm;
    return bound < 1 ? std::asin(bound) + of_forming : unknown;
  }

  // ---- places ----

  /// Offset of a row's tokens from their right position on each axis, in units of position_of_index. An empty
  /// range if the angles on the axis do not agree on one number.
  std::vector<number_range> steps_at(std::int64_t place) {
    const std::vector<pair_point> points = points_at(array_, place);
    std::vector<number_range> steps;
    for (int axis = 0; axis < positions_.axes(); ++axis) steps.push_back(step_on(axis, place, points));
    return steps;
  }

  number_range step_on(int axis, std::int64_t place, const std::vector<pair_point>& points) const {
    const double position = positions_.at(place, axis);
    number_range further = anything;
    for (const std::size_t pair : pairs_of_[static_cast<std::size_t>(axis)]) {
      const double norm = std::hypot(points[pair].cos, points[pair].sin);
      if (!std::isfinite(norm)) return nothing;
      const double inv_freq = inv_freqs_[pair];
      const double middle = is_bounded(further) ? middle_value(further) : 0;
      const double bound = angle_bound(pair, std::abs(position) + std::abs(middle), norm);
      if (!(bound < std::numbers::pi / 2)) continue;
      if (is_bounded(further) && (further.high - further.low) * std::abs(inv_freq) > turn) break;
      const double apart =
          std::remainder(std::atan2(points[pair].sin, points[pair].cos) - inv_freq * position, turn);
      const double angle = apart + std::round((middle * inv_freq - apart) / turn) * turn;
      const double value = (angle - bound) / inv_freq, other = (angle + bound) / inv_freq;
      further = common_part(further, {std::min(value, other), std::max(value, other)});
      if (further.is_empty()) return nothing;
    }
    return is_bounded(further) ? further : nothing;
  }

  /// The index offset of least magnitude in a range.
  std::optional<std::int64_t> whole_step(int axis, const number_range& further) const {
    if (further.is_empty()) return std::nullopt;
    if (further.has(0)) return 0;
    const auto unit = static_cast<double>(positions_.coordinate_of(axis).offset.denominator);
    const double step = further.low > 0 ? std::ceil(further.low / unit) : std::floor(further.high / unit);
    if (positions_.is_real() || !further.has(step * unit)) return std::nullopt;
    return static_cast<std::int64_t>(step);
  }

  /// Positions of the tokens of each run, if one rule per axis explains them.
  void add_places(std::vector<table_hypothesis>& to) {
    std::vector<std::vector<number_range>> steps;
    for (const std::int64_t place : places_) steps.push_back(steps_at(place));
    std::vector<std::vector<run_fit>> fits;  // per run and axis
    std::string sentence;
    for (const run_of_rows& run : runs_) {
      std::vector<run_fit> on_axes;
      for (int axis = 0; axis < positions_.axes(); ++axis) {
        std::optional<run_fit> fit = fit_of(run, axis, steps);
        if (!fit) fit = spread_of(run, axis, steps);
        if (!fit) return;
        on_axes.push_back(*fit);
      }
      add_sentence(sentence, run, on_axes);
      fits.push_back(std::move(on_axes));
    }
    if (sentence.empty()) return;
    rotary_suspect suspect = right_;
    suspect.place = [own = &positions_, runs = runs_, fits](std::int64_t row, int axis) {
      std::size_t run = 0;
      while (run + 1 < runs.size() && row >= runs[run].end) ++run;
      const run_fit& fit = fits[run][static_cast<std::size_t>(axis)];
      const std::int64_t right = own->index_at(row, axis);
      switch (fit.is) {
        case run_fit::form::further: return static_cast<double>(right + fit.number);
        case run_fit::form::fixed: return static_cast<double>(fit.number);
        case run_fit::form::counted: return static_cast<double>(fit.number + row - runs[run].begin);
        case run_fit::form::spread: {  // as an index that is not whole
          const ratio& offset = own->coordinate_of(axis).offset;
          const double position = fit.times * static_cast<double>(own->whole_at(row, axis)) + fit.plus;
          return (position - static_cast<double>(offset.numerator)) / static_cast<double>(offset.denominator);
        }
        case run_fit::form::right: break;
      }
      return static_cast<double>(right);
    };
    to.push_back({"tokens-elsewhere", sentence, table_of(std::move(suspect), own_.encoding)});
  }

  std::optional<run_fit> fit_of(const run_of_rows& run, int axis,
                                const std::vector<std::vector<number_range>>& steps) const {
    using enum run_fit::form;
    std::optional<run_fit> as_further, as_fixed, as_counted;
    bool is_first = true;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] < run.begin || places_[i] >= run.end) continue;
      const std::optional<std::int64_t> step = whole_step(axis, steps[i][static_cast<std::size_t>(axis)]);
      if (!step) return std::nullopt;
      const std::int64_t index = positions_.index_at(places_[i], axis) + *step;
      const run_fit further{*step == 0 ? right : run_fit::form::further, *step};
      const run_fit fixed_at{fixed, index}, counted_from{counted, index - (places_[i] - run.begin)};
      if (is_first) as_further = further, as_fixed = fixed_at, as_counted = counted_from;
      if (as_further != further) as_further.reset();
      if (as_fixed != fixed_at) as_fixed.reset();
      if (as_counted != counted_from) as_counted.reset();
      is_first = false;
    }
    if (is_first) return run_fit{};
    return as_further ? as_further : as_fixed ? as_fixed : as_counted;
  }

  /// Tokens with another step and start: a position times a number, plus a number.
  std::optional<run_fit> spread_of(const run_of_rows& run, int axis,
                                   const std::vector<std::vector<number_range>>& steps) const {
    std::map<double, number_range> further;  // by position
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const number_range& step = steps[i][static_cast<std::size_t>(axis)];
      if (places_[i] < run.begin || places_[i] >= run.end) continue;
      if (step.is_empty()) return std::nullopt;
      const auto [entry, is_new] = further.emplace(positions_.at(places_[i], axis), step);
      if (!is_new) entry->second = common_part(entry->second, step);
    }
    if (further.size() < 3) return std::nullopt;  // a line goes through any two
    const auto& [lowest, at_lowest] = *further.begin();
    const auto& [highest, at_highest] = *further.rbegin();
    const double width = highest - lowest;
    const double times = shortest_in(
        {1 + (at_highest.low - at_lowest.high) / width, 1 + (at_highest.high - at_lowest.low) / width});
    number_range plus = anything;
    for (const auto& [position, step] : further)
      plus = common_part(plus, {step.low - (times - 1) * position, step.high - (times - 1) * position});
    if (plus.is_empty()) return std::nullopt;
    const coordinate& coordinate = positions_.coordinate_of(axis);
    const double unit = static_cast<double>(coordinate.scale.numerator) /
                        (static_cast<double>(coordinate.scale.denominator) *
                         static_cast<double>(coordinate.offset.denominator));
    run_fit fit{.is = run_fit::form::spread, .times = times, .plus = plus.has(0) ? 0 : shortest_in(plus)};
    if (times == 1)
      fit.sentence =
          fmt::format("stand {:.6g} too {}", std::abs(fit.plus * unit), fit.plus * unit > 0 ? "high" : "low");
    else
      fit.sentence =
          fmt::format("stand from {:.6g} on in steps of {:.6g}, where {:.6g} and steps of {:.6g} are right,",
                      (times * lowest + fit.plus) * unit,
                      times * unit * static_cast<double>(coordinate.offset.denominator), lowest * unit,
                      unit * static_cast<double>(coordinate.offset.denominator));
    return fit;
  }

  static void add_sentence(std::string& to, const run_of_rows& run, const std::vector<run_fit>& on_axes) {
    std::vector<run_fit> said;
    for (const run_fit& fit : on_axes) {
      if (fit.is == run_fit::form::right || std::find(said.begin(), said.end(), fit) != said.end()) continue;
      said.push_back(fit);
      std::vector<int> axes;
      for (std::size_t axis = 0; axis < on_axes.size(); ++axis)
        if (on_axes[axis] == fit) axes.push_back(static_cast<int>(axis));
      to += (to.empty() ? "" : "; ") + run.tokens() + " " + text_of(fit) + " on " + axes_text(axes);
    }
  }

  /// The row nearest to 0 whose angles show a wrong position.
  std::string token_in_words() {
    for (const std::int64_t place : places_) {
      const std::vector<number_range> seen_steps = steps_at(place);
      std::vector<std::optional<std::int64_t>> steps;
      for (int axis = 0; axis < positions_.axes(); ++axis)
        steps.push_back(whole_step(axis, seen_steps[static_cast<std::size_t>(axis)]));
      const auto is_known = [](const auto& step) { return step.has_value(); };
      if (!std::all_of(steps.begin(), steps.end(), is_known)) continue;
      std::vector<std::string> seen, right;
      bool is_moved = false;
      for (int axis = 0; axis < positions_.axes(); ++axis) {
        const std::int64_t step = *steps[static_cast<std::size_t>(axis)];
        right.push_back(positions_.is_real() ? fmt::format("{}", positions_.at(place, axis))
                                             : fmt::format("{}", positions_.index_at(place, axis)));
        seen.push_back(step == 0 ? right.back() : fmt::format("{}", positions_.index_at(place, axis) + step));
        is_moved = is_moved || step != 0;
      }
      if (is_moved)
        return fmt::format("by its angles, token {} stands at ({}), where ({}) is right", place,
                           fmt::join(seen, ", "), fmt::join(right, ", "));
    }
    return "";
  }

  /// One factor of all cosines and sines.
  void add_factor(std::vector<table_hypothesis>& to) {
    number_range factor = anything;
    for (const std::int64_t place : places_) {
      const std::vector<pair_point> points = points_at(array_, place);
      for (std::size_t pair = 0; pair < points.size(); ++pair) {
        const double norm = std::hypot(points[pair].cos, points[pair].sin);
        if (!std::isfinite(norm)) return;
        const double bound = norm * array::entry_bound(array_.array().dtype, promised_, bounded_[pair], 0);
        factor = common_part(factor, {norm - bound, norm + bound});
        if (factor.is_empty()) return;
      }
    }
    const double own = from_bits<double>(round<double>(right_.cos_factor).bits);
    if (!is_bounded(factor) || factor.has(own)) return;
    const double number = shortest_in(factor);
    to.push_back({"axes-factor", fmt::format("every cosine and sine is multiplied by {:.6g}", number / own),
                  table_of(with_factor(right_, own_number::of(number)), own_.encoding)});
  }

  // ---- frequencies ----

  /// Range of every pair's frequency, in radians per unit of position_of_index: `nothing` if no frequency
  /// fits the angles, `anything` if they do not determine one.
  void see_frequencies() {
    seen_.assign(inv_freqs_.size(), anything);
    for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
      std::map<double, std::int64_t> places;  // by the magnitude of the position
      for (const std::int64_t place : places_)
        if (const double position = std::abs(positions_.at(place, static_cast<int>(axis))); position > 0)
          places.emplace(position, place);
      if (places.empty()) continue;
      const double widest = std::numbers::pi / places.begin()->first;
      for (const std::size_t pair : pairs_of_[axis])  // the whole turns of faster pairs are unknown
        if (std::abs(inv_freqs_[pair]) < widest) seen_[pair] = {-widest, widest};
      for (const auto& [position, place] : places) see_place(axis, position, place, false);
      for (const std::int64_t place : places_)  // checks that all agree
        see_place(axis, std::abs(positions_.at(place, static_cast<int>(axis))), place, true);
    }
  }

  void see_place(std::size_t axis, double position, std::int64_t place, bool only_checks) {
    const std::vector<pair_point> points = points_at(array_, place);
    const bool is_negative = positions_.at(place, static_cast<int>(axis)) < 0;
    for (const std::size_t pair : pairs_of_[axis]) {
      number_range& range = seen_[pair];
      if (!is_bounded(range) || range.is_empty()) continue;
      const pair_point at{points[pair].cos, is_negative ? -points[pair].sin : points[pair].sin};
      const double norm = std::hypot(at.cos, at.sin);
      const double bound = std::isfinite(norm) ? angle_bound(pair, position, norm) : unknown;
      if (!std::isfinite(norm)) range = nothing;
      if (!std::isfinite(bound)) continue;
      if (!only_checks) {
        narrow_by(range, at, position, bound);
        continue;
      }
      const double apart =
          std::abs(std::remainder(std::atan2(at.sin, at.cos) - middle_value(range) * position, turn));
      if (is_bounded(range) && apart > bound + (range.high - range.low) / 2 * position) range = nothing;
    }
  }

  /// Exponent of a base; a frequency is this power of it.
  struct exponent {
    double numerator = 0;
    double denominator = 1;

    double value() const { return numerator / denominator; }
  };

  /// The exponents of an axis's pairs, in their order, if the frequencies are powers of a base; otherwise
  /// empty.
  std::vector<exponent> exponents_of(std::size_t axis) const {
    const frequencies& own = own_.axes.axis[axis].turn;
    const std::vector<std::size_t>& pairs = pairs_of_[axis];
    std::vector<exponent> exponents;
    const bool has_own = own_.axes.frequencies_of == axis_frequencies::own;
    if (own.rule == spacing::of_base && has_own) {  // even if a rule changes the base
      const auto count = static_cast<double>(pairs.size());
      for (std::size_t k = 0; k < pairs.size(); ++k)
        exponents.push_back({count - 1 - static_cast<double>(k), count});
      return exponents;
    }
    const bool is_power = own.rule == spacing::geometric && own.first.numerator == own.first.denominator &&
                          own.last.numerator == 1;
    const double base = own.rule == spacing::of_base ? own_.encoding.base
                        : is_power                   ? own.last.denominator
                                                     : 0;
    for (std::size_t k = 0; base > 1 && k < pairs.size(); ++k)
      exponents.push_back(
          {-std::log(std::abs(inv_freqs_[pairs[k]] / inv_freqs_[pairs.back()])), std::log(base)});
    return exponents;
  }

  /// The base of each axis that explains all its pairs.
  void add_bases(std::vector<table_hypothesis>& to) const {
    std::vector<std::vector<seen_number>> bases(pairs_of_.size());
    number_range of_all = anything;
    bool is_one_wrong = false;
    for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
      const std::vector<exponent> exponents = exponents_of(axis);
      const std::vector<std::size_t>& pairs = pairs_of_[axis];
      if (exponents.size() < 2) continue;
      const double unit = std::abs(inv_freqs_[pairs.back()]);  // the frequency of exponent 0
      number_range log_base = anything;
      bool is_right = true;
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const number_range& range = seen_[pairs[k]];
        if (exponents[k].value() == 0) continue;
        if (is_unknown(range)) continue;
        if (range.is_empty() || !(range.low > 0)) return;
        is_right = is_right && range.has(inv_freqs_[pairs[k]]);
        log_base = common_part(log_base, {-std::log(range.high / unit) / exponents[k].value(),
                                          -std::log(range.low / unit) / exponents[k].value()});
      }
      if (!is_bounded(log_base) && !log_base.is_empty()) continue;  // all tokens are at 0 on this axis
      const number_range range{std::exp(log_base.low), std::exp(log_base.high)};
      if (log_base.is_empty() || !std::isfinite(range.high) || !(range.low > 1)) return;
      of_all = common_part(of_all, range);
      if (!is_right) bases[axis] = numbers_of(range);
      is_one_wrong = is_one_wrong || !is_right;
    }
    if (!is_one_wrong) return;
    const bool is_one = !of_all.is_empty() && is_bounded(of_all);
    if (is_one) std::fill(bases.begin(), bases.end(), numbers_of(of_all));
    for (const bool is_middle : {false, true}) {
      rotary_suspect suspect = right_;
      std::string sentence = is_one ? "every axis has the base " + number_in(bases[0], is_middle).text() : "";
      for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
        if (bases[axis].empty()) continue;
        const seen_number& base = number_in(bases[axis], is_middle);
        const std::vector<exponent> exponents = exponents_of(axis);
        const std::vector<std::size_t>& pairs = pairs_of_[axis];
        for (std::size_t k = 0; k < exponents.size(); ++k) {
          const own_number power =
              exp(log(own_number::of(base.value)) * own_number::of(exponents[k].numerator) /
                  own_number::of(exponents[k].denominator));
          suspect.inv_freqs[pairs[k]] = right_.inv_freqs[pairs.back()] / power;
          suspect.frequency_errors[pairs[k]] += 2 * base.relative_width;
        }
        if (!is_one)
          sentence +=
              fmt::format("{}axis {} has the base {}", sentence.empty() ? "" : ", ", axis, base.text());
      }
      to.push_back({"axes-other-base", sentence, table_of(std::move(suspect), own_.encoding)});
    }
  }

  static const seen_number& number_in(const std::vector<seen_number>& numbers, bool is_middle) {
    return is_middle ? numbers.back() : numbers.front();
  }

  /// One factor per axis of all its frequencies.
  void add_ratios(std::vector<table_hypothesis>& to) const {
    std::vector<std::vector<seen_number>> numbers(pairs_of_.size());
    bool is_one_wrong = false;
    for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
      number_range ratio{std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
      for (const std::size_t pair : pairs_of_[axis]) ratio = common_part(ratio, ratio_of(pair));
      if (ratio.is_empty()) return;
      if (!ratio.has(1)) numbers[axis] = numbers_of(ratio);
      is_one_wrong = is_one_wrong || !ratio.has(1);
    }
    if (!is_one_wrong) return;
    for (const bool is_middle : {false, true}) {
      rotary_suspect suspect = right_;
      std::string sentence;
      for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
        if (numbers[axis].empty()) continue;
        const seen_number& number = number_in(numbers[axis], is_middle);
        for (const std::size_t pair : pairs_of_[axis]) {
          suspect.inv_freqs[pair] = suspect.inv_freqs[pair] * own_number::of(number.value);
          suspect.frequency_errors[pair] += 2 * (number.relative_width + unit_roundoff<float>);
        }
        sentence += fmt::format("{}the frequencies of axis {} are the expected ones times {}",
                                sentence.empty() ? "" : "; ", axis, number.text());
      }
      to.push_back({"axes-frequencies-times", sentence, table_of(std::move(suspect), own_.encoding)});
    }
  }

  number_range ratio_of(std::size_t pair) const {
    const number_range& range = seen_[pair];
    if (range.is_empty() || is_unknown(range)) return range;
    const double value = range.low / inv_freqs_[pair], other = range.high / inv_freqs_[pair];
    return {std::min(value, other), std::max(value, other)};
  }

  /// Frequencies of wrong pairs, if their angles agree on them.
  std::string frequencies_in_words() const {
    number_range ratios{unknown, -unknown};
    for (const std::size_t pair : wrong_) {
      const number_range ratio = ratio_of(pair);
      if (ratio.is_empty() || is_unknown(ratio) || ratio.has(1)) return "";
      ratios = {std::min(ratios.low, ratio.low), std::max(ratios.high, ratio.high)};
    }
    if (wrong_.empty()) return "";
    const std::string whose =
        wrong_.size() == 1 ? "by its angles, its frequency is" : "by their angles, their frequencies are";
    if (ratios.has(0) && ratios.high - ratios.low <= unit_roundoff<bfloat16>)
      return whose + " 0: nothing turns";
    const std::string low = fmt::format("{:.3g}", ratios.low), high = fmt::format("{:.3g}", ratios.high);
    if (low == "1" || high == "1") return "";
    return fmt::format("{} {} times the expected", whose, low == high ? low : low + " to " + high);
  }

  // ---- pairs ----

  /// "all pairs of axis 1 (22 to 42) and pairs 43 to 50 of axis 2".
  std::string wrong_pairs_in_words(const suspected_table& right) {
    for (const std::int64_t place : places_)
      for (const int pair : right.wrong_pairs(array_, place, promised_))
        wrong_.insert(static_cast<std::size_t>(pair));
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < pairs_of_.size(); ++axis) {
      std::set<std::int64_t> wrong;
      std::size_t pairs = 0;
      for (std::size_t pair = 0; pair < right_.axis.size(); ++pair) {
        if (right_.axis[pair] != static_cast<int>(axis)) continue;
        ++pairs;
        if (wrong_.count(pair) != 0) wrong.insert(static_cast<std::int64_t>(pair));
      }
      if (wrong.empty()) continue;
      const std::string numbers = range_text(wrong);
      if (wrong.size() == pairs)
        parts.push_back(fmt::format("all pairs of axis {} ({})", axis, numbers));
      else
        parts.push_back(fmt::format("pair{} {} of axis {}", wrong.size() == 1 ? "" : "s", numbers, axis));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  array_reader& array_;
  const tables::row_positions& positions_;
  promise promised_;
  std::vector<std::int64_t> places_;
  placed_rope own_;
  rotary_suspect right_;
  std::vector<array::bounded_pair> bounded_;
  std::vector<run_of_rows> runs_;
  std::vector<double> inv_freqs_;                   // per pair, in binary64
  std::vector<std::vector<std::size_t>> pairs_of_;  // per axis, the pairs that turn, the slowest first
  std::vector<number_range> seen_;                  // per pair
  std::set<std::size_t> wrong_;                     // pairs
};

}  // namespace

std::vector<table_hypothesis> fitted_axes_hypotheses(array_reader& array, const model::model& model,
                                                     const promise& promised,
                                                     const std::vector<std::int64_t>& places) {
  return sight_on_axes(array, model, promised, places).hypotheses();
}

std::string axes_in_words(array_reader& array, const model::model& model, const promise& promised,
                          const std::vector<std::int64_t>& places, const suspected_table& right) {
  return sight_on_axes(array, model, promised, places).in_words(right);
}

}  // namespace ropewalk::diagnosis
