#include "model/separation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/exact_numbers.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/frequency_divisors.hpp"

namespace ropewalk::model {
namespace {

using std::numbers::pi;

/// Whether no position turns a pair: it then has no frequency.
bool stands_still(const model* model, int pair) {
  return model == nullptr ||
         std::find(model->fourth_row.begin(), model->fourth_row.end(), pair) != model->fourth_row.end();
}

template <class Float>
std::vector<double> divisors(const model& model) {
  std::vector<double> numbers;
  for (const bits_of<Float> bits : frequency_divisors<Float>(model.encoding))
    numbers.push_back(static_cast<double>(from_bits<Float>(bits)));
  return numbers;
}

double frequency(const model& model, int pair) {
  return nearest("inv_freq", [&]<int N>() { return rope_inv_freq<N>(pair, model.encoding); });
}

/// |f - g| of two frequencies, rounded once. Rounding f and g first would swamp a small difference.
double frequency_difference(const model& first, const model& second, int pair) {
  try {
    return std::abs(nearest("inv_freq", [&]<int N>() {
      return rope_inv_freq<N>(pair, first.encoding) - rope_inv_freq<N>(pair, second.encoding);
    }));
  } catch (const undecided&) {
    return 0;  // the same number, computed in two ways
  }
}

double attention_factor(const model* model) {
  if (model == nullptr) return 1;
  return nearest("attention factor", [&]<int N>() { return rope_attention_factor<N>(model->encoding); });
}

/// One pair's rotations by the angles p f and p g, times a and b.
struct two_rotations {
  double step = 0;  // |f - g|
  double a = 1, b = 1;

  /// sqrt(|a e^(i p f) - b e^(i p g)|^2).
  double at(std::int64_t position) const { return at_angle(static_cast<double>(position) * step); }

  double at_angle(double angle) const {
    const double sine = std::sin(angle / 2);
    return std::sqrt((a - b) * (a - b) + 4 * a * b * sine * sine);
  }

  /// The position below `end` with the largest distance: the last one while the angle is below half a turn,
  /// else the one nearest to an odd number of half turns.
  std::int64_t furthest(std::int64_t end) const {
    const auto last = static_cast<double>(end - 1);
    if (step == 0) return 0;
    if (last * step <= pi) return end - 1;
    // Radians from an odd number of half turns: 1 - cos(near_enough / 2) is below 1.3e-9.
    constexpr double near_enough = 1e-4;
    double best = 0, miss = pi;
    for (double half_turns = 1;; half_turns += 2) {
      const double position = std::min(std::round(half_turns * pi / step), last);
      const double angle = std::abs(position * step - half_turns * pi);
      if (angle < miss) best = position, miss = angle;
      if (miss < near_enough || half_turns * pi > last * step) break;
    }
    return static_cast<std::int64_t>(best);
  }

  /// The first position below `end` whose distance exceeds `size`.
  given<std::int64_t> first_beyond(double size, std::int64_t end) const {
    if (std::abs(a - b) > size) return {0};
    const double sine = std::sqrt((size * size - (a - b) * (a - b)) / (4 * a * b));
    if (step == 0 || !(sine < 1)) return {};
    auto position = static_cast<std::int64_t>(std::min(2 * std::asin(sine) / step, static_cast<double>(end)));
    while (position < end && !(at(position) > size)) ++position;
    return position < end ? given<std::int64_t>{position} : given<std::int64_t>{};
  }
};

bool share_pairs(const model& first, const model& second) {
  const head_layout &x = first.layout, &y = second.layout;
  return x.head_dim == y.head_dim && x.rotary_begin == y.rotary_begin && x.pairing_in == y.pairing_in &&
         x.pairing_out == y.pairing_out && first.encoding.rotary_dim == second.encoding.rotary_dim;
}

/// The difference of the two frequencies of each pair.
std::vector<double> steps_of(const model* first, const model* second, bool in_binary32) {
  const model& either = first != nullptr ? *first : *second;
  const bool are_both = first != nullptr && second != nullptr;
  std::vector<double> x, y;
  if (are_both) {
    x = in_binary32 ? divisors<float>(*first) : divisors<double>(*first);
    y = in_binary32 ? divisors<float>(*second) : divisors<double>(*second);
  }
  std::vector<double> steps;
  for (int pair = 0; pair < pair_count(either.encoding); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    const bool first_still = stands_still(first, pair), second_still = stands_still(second, pair);
    if (first_still || second_still) {
      steps.push_back(first_still && second_still ? 0 : frequency(first_still ? *second : *first, pair));
      continue;
    }
    const bool has_one_base = pair == 0 || first->encoding.base == second->encoding.base;
    const bool are_alike = has_one_base && x[at] == y[at];
    steps.push_back(are_alike ? 0 : frequency_difference(*first, *second, pair));
  }
  return steps;
}

}  // namespace

std::optional<separation> separation_of(const model* first, const model* second, std::int64_t positions,
                                        bool in_binary32) {
  if (first == nullptr && second == nullptr) return std::nullopt;
  if (first != nullptr && second != nullptr && !share_pairs(*first, *second)) return std::nullopt;
  two_rotations rotations{0, attention_factor(first), attention_factor(second)};
  if (in_binary32 && static_cast<float>(rotations.a) == static_cast<float>(rotations.b))
    rotations.b = rotations.a;
  separation result;
  const std::vector<double> steps = steps_of(first, second, in_binary32);
  for (std::size_t pair = 0; pair < steps.size(); ++pair) {
    rotations.step = steps[pair];
    const std::int64_t place = rotations.furthest(positions);
    if (const double size = rotations.at(place); size > result.largest) {
      result.largest = size;
      result.pair = static_cast<int>(pair);
      result.position = place;
    }
    const given<std::int64_t> beyond = rotations.first_beyond(noticeable_separation, positions);
    if (beyond && (!result.noticeable || beyond.value < result.noticeable.value)) result.noticeable = beyond;
  }
  return result.largest > 0 ? std::optional(result) : std::nullopt;
}

}  // namespace ropewalk::model
