// Laws on arrays of rotary numbers, under any promise.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "array/array_laws.hpp"
#include "array/entry_bounds.hpp"
#include "array/entry_numbers.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/table/cos_sin_laws.hpp"
#include "ropewalk/law/table/frequency_laws.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::array {
namespace {

/// The numbers that the entries of an array stand for.
template <floating_format Float>
class entry_numbers {
 public:
  entry_numbers(const placed_rope& config, tables::table_dtype dtype, bool has_positions,
                const promise& promised)
      : bounds_(config, dtype, has_positions), promised_(promised) {}

  /// Half the width of an entry's numbers; none where bits are promised.
  std::optional<double> within(int pair, double position) const {
    if (promises_bits(promised_)) return std::nullopt;
    return bounds_.at(promised_, pair, std::abs(position));
  }

  /// domain  a finite entry
  static real of(std::uint64_t bits, const std::optional<double>& within) {
    const auto entry = static_cast<bits_of<Float>>(bits);
    if (!within) return ropewalk::detail::before_rounding<limb_count, Float>(entry);
    return {exact_dyadic_of_bits<limb_count, Float>(entry), magnitude_above(real::of(*within))};
  }

  double attention() const { return bounds_.attention(); }

 private:
  entry_bounds bounds_;
  promise promised_;
};

// ---- cosines and sines ----

/// Where an array has the cosines and sines of its positions.
class pair_places {
 public:
  explicit pair_places(const tables::array_grid& grid)
      : columns_(grid.columns()), rows_(grid.has_planes() ? grid.rows() / 2 : 0) {
    for (auto& places : column_) places.assign(static_cast<std::size_t>(grid.pairs()), -1);
    const auto take = [&](std::int64_t row) {
      for (std::int64_t column = grid.columns() - 1; column >= 0; --column) {
        const tables::array_place place = grid.at(row, column);
        column_[place.is_sin][static_cast<std::size_t>(place.pair)] = column;
      }
    };
    if (grid.rows() == 0) return;
    take(0);
    if (grid.has_planes()) take(rows_);
  }

  bool has(bool sine) const { return !column_[sine].empty() && column_[sine].front() >= 0; }

  std::int64_t index(std::int64_t position_row, int pair, bool sine) const {
    return (position_row + (sine ? rows_ : 0)) * columns_ + column_[sine][static_cast<std::size_t>(pair)];
  }

 private:
  std::int64_t columns_;
  std::int64_t rows_;                                // of a plane
  std::array<std::vector<std::int64_t>, 2> column_;  // of each pair's cosine and sine; -1: not in the array
};

template <floating_format Float>
class pair_laws {
 public:
  pair_laws(const tables::array_grid& grid, tables::table_dtype dtype, const placed_rope& config,
            const tables::row_positions& positions, const promise& promised)
      : places_(grid),
        numbers_(config, dtype, true, promised),
        rows_(config),
        positions_(positions),
        pairs_(grid.pairs()),
        factor_(rope_attention_factor<limb_count>(config.encoding)),
        square_(factor_ * factor_) {}

  bool has_pairs() const { return places_.has(false) && places_.has(true); }

  measurement origin(const std::byte* array, row_run run) const {
    measurement measured;
    for (std::int64_t row = run.first; row < run.first + run.count; ++row)
      for (int pair = 0; pair < pairs_; ++pair)
        for (const bool sine : {false, true})
          if (number_at(row, pair) == 0 && places_.has(sine))
            judge(
                measured, {row, pair, sine}, std::array{entry(array, row, pair, sine)},
                [&](const auto& numbers) { return may_be_equal(numbers[0], sine ? real::of(0) : factor_); });
    return measured;
  }

  measurement norm(const std::byte* array, row_run run) const {
    measurement measured;
    for (std::int64_t row = run.first; row < run.first + run.count; ++row)
      for (int pair = 0; pair < pairs_; ++pair)
        judge(measured, {row, pair}, pair_of(array, row, pair), [&](const auto& numbers) {
          return may_be_equal(numbers[0] * numbers[0] + numbers[1] * numbers[1], square_);
        });
    return measured;
  }

  /// Judges each row of the run with the next.
  measurement distance_only(const std::byte* array, row_run run) const {
    measurement measured;
    const std::int64_t end = std::min(run.first + run.count, positions_.rows() - 1);
    std::vector<turned_pair> turned(static_cast<std::size_t>(pairs_));
    for (std::int64_t row = run.first; row < end; ++row)
      for (int pair = 0; pair < pairs_; ++pair) {
        const int axis = positions_.axis_of(pair);
        const std::int64_t distance = positions_.whole_at(row + 1, axis) - positions_.whole_at(row, axis);
        turned_pair& last = turned[static_cast<std::size_t>(pair)];
        if (last.distance != distance) last = {distance, rows_.exact<limb_count>(pair, distance, true)};
        judge_distance(measured, array, row, pair, last.by);
      }
    return measured;
  }

 private:
  using entry_pair = std::array<std::uint64_t, 2>;

  /// A pair's rotation by a distance, without the attention factor.
  struct turned_pair {
    std::optional<std::int64_t> distance{};
    cos_sin<limb_count> by{};
  };

  /// What is judged: a pair at the position of a row, or its cosine or sine alone.
  struct judged_entries {
    std::int64_t row = 0;
    int pair = 0;
    bool is_sine = false;
  };

  std::uint64_t entry(const std::byte* array, std::int64_t row, int pair, bool sine) const {
    return bits_at<bits_of<Float>>(array, places_.index(row, pair, sine));
  }
  entry_pair pair_of(const std::byte* array, std::int64_t row, int pair) const {
    return {entry(array, row, pair, false), entry(array, row, pair, true)};
  }

  std::optional<double> within(std::int64_t row, int pair) const {
    return numbers_.within(pair, number_at(row, pair));
  }

  double number_at(std::int64_t row, int pair) const { return positions_.at(row, positions_.axis_of(pair)); }

  void judge_distance(measurement& measured, const std::byte* array, std::int64_t row, int pair,
                      const cos_sin<limb_count>& turned) const {
    const real cosine = square_ * turned.cos, sine = square_ * turned.sin;
    const auto next_within = within(row + 1, pair);
    const entry_pair next = pair_of(array, row + 1, pair);
    const auto keeps_with = [&](const entry_pair& other) {
      return [&, other](const auto& numbers) {
        if (!are_finite(other)) return false;
        const real &c = numbers[0], &s = numbers[1];
        const real next_c = numbers_.of(other[0], next_within), next_s = numbers_.of(other[1], next_within);
        return may_be_equal(c * next_c + s * next_s, cosine) && may_be_equal(c * next_s - s * next_c, sine);
      };
    };
    const bool held = measured.holds;
    judge(measured, {row, pair}, pair_of(array, row, pair), keeps_with(next), keeps_with({0, 0}));
    const bool is_first_right = std::equal(std::begin(measured.numbers.bits), std::end(measured.numbers.bits),
                                           measured.numbers.expected);
    if (held && !measured.holds && is_first_right) measured.numbers = shown({row + 1, pair}, next);
  }

  template <std::size_t Count>
  static bool are_finite(const std::array<std::uint64_t, Count>& entries) {
    return std::all_of(entries.begin(), entries.end(), [](std::uint64_t bits) {
      return is_finite<Float>(static_cast<bits_of<Float>>(bits));
    });
  }

  /// The numbers that entries stand for.
  template <std::size_t Count>
  std::array<real, Count> numbers_of(const std::array<std::uint64_t, Count>& entries,
                                     const std::optional<double>& within) const {
    std::array<real, Count> values{};
    for (std::size_t i = 0; i < Count; ++i) values[i] = numbers_.of(entries[i], within);
    return values;
  }

  /// Records whether keeps(numbers) holds of the numbers that entries stand for. It decides nothing where
  /// keeps_zeros(numbers) holds of those that zeros stand for.
  template <std::size_t Count, class Keeps, class KeepsZeros>
  void judge(measurement& measured, const judged_entries& entries,
             const std::array<std::uint64_t, Count>& got, const Keeps& keeps,
             const KeepsZeros& keeps_zeros) const {
    const auto wide = within(entries.row, entries.pair);
    verdict verdict = judge_equal(are_finite(got) && keeps(numbers_of(got, wide)));
    // Below half of the attention factor, no numbers of zeros keep any of these laws.
    const bool may_be_vacuous = wide && 2 * *wide >= numbers_.attention();
    verdict.decides = !may_be_vacuous || !keeps_zeros(numbers_of(std::array<std::uint64_t, Count>{}, wide));
    place where;
    where.pair = entries.pair;
    where.token = entries.row;
    where.position = number_at(entries.row, entries.pair);
    record(measured, verdict, where, [&] { return shown(entries, got); });
  }
  template <std::size_t Count, class Keeps>
  void judge(measurement& measured, const judged_entries& entries,
             const std::array<std::uint64_t, Count>& got, const Keeps& keeps) const {
    judge(measured, entries, got, keeps, keeps);
  }

  /// The entries, beside the correctly rounded ones.
  template <std::size_t Count>
  evidence shown(const judged_entries& entries, const std::array<std::uint64_t, Count>& got) const {
    const cos_sin_bits<Float> want =
        rows_.entry<Float>(entries.pair, number_at(entries.row, entries.pair), false);
    evidence result{dtype_of<Float>, static_cast<int>(Count), {}, {want.cos, want.sin}, {}};
    if (Count == 1 && entries.is_sine) result.expected[0] = want.sin;
    std::copy(got.begin(), got.end(), result.bits);
    return result;
  }

  pair_places places_;
  entry_numbers<Float> numbers_;
  rope_rows rows_;
  tables::row_positions positions_;
  int pairs_;
  real factor_, square_;
};

template <floating_format Float>
std::vector<array_law> laws_of_pairs(const tables::array_grid& grid, tables::table_dtype dtype,
                                     const placed_rope& config, const tables::row_positions& positions,
                                     const promise& promised) {
  constexpr std::int64_t entries_per_run = 1 << 14;
  const auto on = std::make_shared<const pair_laws<Float>>(grid, dtype, config, positions, promised);
  const std::int64_t rows = positions.rows();
  const std::int64_t rows_per_run = std::max<std::int64_t>(1, entries_per_run / std::max(1, grid.pairs()));
  std::vector<array_law> laws;
  const auto add = [&](const auto& tested_law, auto measure) {
    laws.push_back({text_on_array(tested_law.text()), rows, rows_per_run,
                    [on, measure](const std::byte* array, row_run run) { return (*on.*measure)(array, run); },
                    false});
  };
  add(cos_sin_laws::origin, &pair_laws<Float>::origin);
  if (!on->has_pairs()) return laws;
  add(cos_sin_laws::norm, &pair_laws<Float>::norm);
  if (positions.is_real()) return laws;
  add(cos_sin_laws::distance_only, &pair_laws<Float>::distance_only);
  laws.back().compares_rows = true;
  return laws;
}

// ---- inverse frequencies ----

template <floating_format Float>
class frequency_array_laws {
 public:
  frequency_array_laws(tables::table_dtype dtype, const rope& config, const promise& promised)
      : numbers_({config}, dtype, false, promised), config_(config), shared_(share<limb_count>(config)) {}

  measurement kept(const std::byte* array, row_run) const {
    return judge_pairs(array, treatment::kept,
                       [&](int pair, const real& f) { return may_be_equal(f, unscaled(pair)); });
  }
  measurement divided(const std::byte* array, row_run) const {
    return judge_pairs(array, treatment::divided,
                       [&](int pair, const real& f) { return may_be_equal(f, whole_divided(pair)); });
  }
  measurement still(const std::byte* array, row_run) const {
    return judge_pairs(array, treatment::still, [&](int pair, const real&) {
      return magnitude<Float>(static_cast<bits_of<Float>>(entry(array, pair))) == 0;
    });
  }
  measurement between(const std::byte* array, row_run) const {
    return judge_pairs(array, std::nullopt, [&](int pair, const real& f) {
      if (treatment_of(pair, config_) == treatment::still) return true;
      const order above = compare(f, unscaled(pair)), below = compare(f, whole_divided(pair));
      return above != below || above == order::undecided || above == order::equal;
    });
  }
  measurement monotone(const std::byte* array, row_run) const {
    return judge_pairs(array, std::nullopt, [&](int pair, const real& f) {
      return pair == 0 || !is_finite_entry(array, pair - 1) ||
             compare(f, number(array, pair - 1)) != order::greater;
    });
  }
  measurement continuity(const std::byte* array, row_run) const {
    return judge_pairs(array, std::nullopt, [&](int pair, const real& f) {
      if (pair == 0 || !is_finite_entry(array, pair - 1)) return true;
      return config_.scaling.visit([&](const auto& rule) {
        if constexpr (has_ramp<decltype(rule)>)
          return ropewalk::detail::may_be_continuous<limb_count>(rule, pair - 1, config_,
                                                                 number(array, pair - 1), f);
        else
          return true;
      });
    });
  }

 private:
  static std::uint64_t entry(const std::byte* array, int pair) {
    return bits_at<bits_of<Float>>(array, pair);
  }
  static bool is_finite_entry(const std::byte* array, int pair) {
    return is_finite<Float>(static_cast<bits_of<Float>>(entry(array, pair)));
  }
  real number(const std::byte* array, int pair) const {
    return numbers_.of(entry(array, pair), numbers_.within(pair, 0));
  }

  real unscaled(int pair) const {
    return real::of(1) / ropewalk::detail::base_power<limb_count>(pair, config_, shared_);
  }
  real whole_divided(int pair) const {
    const exact_factor<limb_count> factor = whole_factor<limb_count>(config_);
    return factor.denominator /
           (ropewalk::detail::base_power<limb_count>(pair, config_, shared_) * factor.numerator);
  }

  /// Judges keeps(pair, its numbers) for each pair that the rule treats in this way, or for every pair.
  template <class Keeps>
  measurement judge_pairs(const std::byte* array, std::optional<treatment> as, const Keeps& keeps) const {
    measurement measured;
    for (int pair = 0; pair < pair_count(config_); ++pair) {
      if (as && treatment_of(pair, config_) != *as) continue;
      place where;
      where.pair = pair;
      record(measured, judge_equal(is_finite_entry(array, pair) && keeps(pair, number(array, pair))), where,
             [&] {
               const std::uint64_t want = round_with_enough_limbs<Float>(
                   "inv_freq", [&]<int N>() { return rope_inv_freq<N>(pair, config_); });
               return evidence{dtype_of<Float>, 1, {}, {want}, {entry(array, pair)}};
             });
    }
    return measured;
  }

  entry_numbers<Float> numbers_;
  rope config_;
  rope_shared<limb_count> shared_;
};

template <floating_format Float>
std::vector<array_law> laws_of_frequencies(tables::table_dtype dtype, const rope& config,
                                           const promise& promised) {
  const auto on = std::make_shared<const frequency_array_laws<Float>>(dtype, config, promised);
  const checked_frequencies subject{{}, config};  // its laws apply by the configuration alone
  std::vector<array_law> laws;
  const auto add = [&](const law<checked_frequencies>& tested_law, auto measure) {
    if (tested_law.applies(subject))
      laws.push_back(
          {text_on_array(tested_law.text()), 1, 1,
           [on, measure](const std::byte* array, row_run run) { return (*on.*measure)(array, run); }});
  };
  add(frequency_laws::kept, &frequency_array_laws<Float>::kept);
  add(frequency_laws::divided, &frequency_array_laws<Float>::divided);
  add(frequency_laws::between, &frequency_array_laws<Float>::between);
  add(frequency_laws::monotone, &frequency_array_laws<Float>::monotone);
  add(frequency_laws::continuity, &frequency_array_laws<Float>::continuity);
  add(frequency_laws::still, &frequency_array_laws<Float>::still);
  return laws;
}

}  // namespace

std::vector<array_law> array_laws(const tables::rotary_content& content, tables::table_dtype dtype,
                                  const promise& promised) {
  const tables::array_layout& layout = content.layout;
  if (layout.kind == tables::table_kind::skewed_cos_sin) return {};
  return in_format(dtype, [&]<class Float>() -> std::vector<array_law> {
    if (has_positions(layout))
      return laws_of_pairs<Float>(grid_of(content), dtype, placed(content), content.positions, promised);
    if (layout.kind == tables::table_kind::inv_freq)
      return laws_of_frequencies<Float>(dtype, content.model.encoding, promised);
    return {};
  });
}

}  // namespace ropewalk::array
