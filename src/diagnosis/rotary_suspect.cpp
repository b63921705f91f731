#include "diagnosis/rotary_suspect.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::diagnosis {
namespace {

using ropewalk::detail::above, ropewalk::detail::below, ropewalk::detail::product_up,
    ropewalk::detail::quotient_up, ropewalk::detail::sum_up;

constexpr int wide = rope_rows::limb_count;
constexpr int narrow = 2;  // 128 bits: entries of binary64 and their bounds are far coarser

/// llama.cpp writes this for a pair that does not turn; no divisor gives it.
constexpr double ggml_infinity = 1e30F;

double nearest_binary64(const own_number& x) { return from_bits<double>(round<double>(x).bits); }

/// (1 + a)(1 + b) - 1, rounded up.
double with_error(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::max(a, b);
  return above(product_up(above(1 + a), above(1 + b)) - 1);
}

bool is_bfloat16(double number) {
  return number == from_bits<double>(convert<double, bfloat16>(convert<bfloat16, double>(to_bits(number))));
}

tables::array_layout changed_layout(tables::array_layout layout, const entry_change& change) {
  using tables::cos_sin_layout;
  if (change.has_other_arrangement)
    layout.arrangement =
        layout.arrangement == cos_sin_layout::vllm ? cos_sin_layout::complex : cos_sin_layout::vllm;
  if (change.copies) {
    layout.duplicated = *change.copies;
    layout.halves = change.halves;
  }
  return layout;
}

/// Whether the change gives a layout another arrangement of the same shape.
bool applies(const entry_change& change, const tables::array_grid& to) {
  const bool is_one_array = holds_both(to.layout()) && !to.has_planes();
  return (!change.has_other_arrangement || is_one_array) &&
         (!change.copies || (has_copies(to.layout()) && to.layout().duplicated != *change.copies));
}

/// Squares of the largest errors of a pair's cosines and sines.
struct pair_squares {
  enclosure<narrow> cos{};
  enclosure<narrow> sin{};
  bool are_finite = true;  // all entries
};

/// Differences of a row's entries from a suspected table.
struct row_errors {
  std::vector<pair_squares> squares;  // per pair
  std::vector<double> positions;
  bool are_bfloat16 = true;  // all entries present
};

class rotary_table : public suspected_table {
 public:
  rotary_table(rotary_suspect suspect, const rope& own)
      : suspect_(std::move(suspect)),
        rows_(rope_rows::resolved{.turns = turns_of(suspect_), .attention_factor = own_number::of(1)}),
        own_(own) {
    pairs_ = bounded_pairs(suspect_);
    cos_factor_ = with_limbs<narrow>(suspect_.cos_factor);
    sin_factor_ = with_limbs<narrow>(suspect_.sin_factor);
  }

  bool allows(array_reader& array, std::int64_t place, const promise& promised) const override {
    if (array.array().pairs != rows_.pairs() || !applies(suspect_.entries, array.grid())) return false;
    if (has_positions(array.array().layout)) return allows_row(array, place, promised);
    const auto pair = static_cast<std::size_t>(place);
    const double observed = array.at(place).front();
    return array.array().layout.kind == tables::table_kind::inv_freq
               ? allows_frequency(observed, pair, array.array().dtype, promised)
               : allows_divisor(observed, pair, array.array().dtype, promised);
  }

  std::vector<int> wrong_pairs(array_reader& array, std::int64_t place,
                               const promise& promised) const override {
    std::vector<int> pairs;
    if (array.array().pairs != rows_.pairs() || !has_positions(array.array().layout)) return pairs;
    const std::optional<row_errors> errors = errors_of_row(array, place, promised);
    for (int pair = 0; errors && pair < rows_.pairs(); ++pair)
      if (!is_within(*errors, static_cast<std::size_t>(pair), array.array().dtype, promised))
        pairs.push_back(pair);
    return pairs;
  }

 private:
  static std::vector<own_number> turns_of(const rotary_suspect& suspect) {
    std::vector<own_number> turns;
    for (const own_number& inv_freq : suspect.inv_freqs) turns.push_back(inv_freq * inverse_two_pi<wide>());
    return turns;
  }

  static bool is_beyond(double observed, const own_number& exact, double bound) {
    if (!std::isfinite(observed)) return true;
    if (!std::isfinite(bound)) return false;
    const own_number error = absolute(own_number::of(observed) - exact);
    return compare(error, own_number::of(bound)) == order::greater;
  }

  bool allows_frequency(double observed, std::size_t pair, tables::table_dtype dtype,
                        const promise& promised) const {
    const double bound = array::stored_frequency_bound(dtype, promised, pairs_[pair]);
    return !is_beyond(observed, suspect_.inv_freqs[pair], bound);
  }

  /// ggml's divisor, 1 / (base_power inv_freq): both frequencies may carry a forming error, and the quotient
  /// is rounded.
  bool allows_divisor(double observed, std::size_t pair, tables::table_dtype dtype,
                      const promise& promised) const {
    const own_number& inv_freq = suspect_.inv_freqs[pair];
    if (is_zero(magnitude_above(inv_freq))) return observed >= ggml_infinity;
    const rope plain{.base = own_.base, .rotary_dim = own_.rotary_dim};
    const int at = static_cast<int>(pair);
    const double formed = formed_frequency_error(plain, at), divided = pairs_[pair].frequency_error;
    if (!(divided < 1)) return true;
    const double quotient = with_error(formed, above(quotient_up(1, below(1 - divided)) - 1));
    const own_number power = ropewalk::detail::base_power<wide>(at, plain, share<wide>(plain));
    const own_number exact = own_number::of(1) / (power * inv_freq);
    const double bound = array::stored_frequency_bound(
        dtype, promised, {1, upper_binary64(exact), with_error(quotient, unit_roundoff<float>)});
    return !is_beyond(observed, exact, bound);
  }

  /// The exact entries of a pair; nullopt if the rounded angle of the engine is undecided.
  std::optional<cos_sin<narrow>> entries_at(int pair, double position, const promise& promised) const {
    if (!suspect_.rounds_angles) return scaled(rows_.exact<narrow>(pair, position, true));
    const bounded& numbers = pairs_[static_cast<std::size_t>(pair)];
    own_number radians = suspect_.inv_freqs[static_cast<std::size_t>(pair)] * own_number::of(position);
    const double formed =
        numbers.index == coordinate{} ? 0 : formed_coordinate_error(numbers.index, position);
    const double error =
        sum_up(ropewalk::detail::angle_error({.frequency = promised.frequency, .angle = ROPEWALK_PART_F32},
                                             product_up(std::abs(position), numbers.inv_freq_above),
                                             array::frequency_error_under(promised, numbers)),
               product_up(formed, numbers.inv_freq_above));
    if (!std::isfinite(error)) return std::nullopt;
    radians.error = radians.error + magnitude_above(own_number::of(error));
    const rounding<bfloat16> rounded = round<bfloat16>(radians);
    if (!rounded.decided) return std::nullopt;
    const double angle = from_bits<double>(convert<double, bfloat16>(rounded.bits));
    return scaled(cos_sin_of_radians(enclosure<narrow>::of(angle)));
  }

  cos_sin<narrow> scaled(const cos_sin<narrow>& unit) const {
    const auto sin = sin_factor_ * unit.sin;
    return {cos_factor_ * unit.cos, suspect_.entries.negates_sine ? -sin : sin};
  }

  int axis_of(std::size_t pair) const { return pair < suspect_.axis.size() ? suspect_.axis[pair] : 0; }
  const coordinate& coordinate_of(int axis) const {
    return suspect_.coordinates[static_cast<std::size_t>(axis)];
  }

  /// The position that an engine uses, in units of the frequencies.
  struct taken_position {
    double number = 0;
    std::optional<double> other = std::nullopt;  // the other value that earlier roundings allow
  };

  /// The position that the engine uses for a row; nullopt if it has none.
  std::optional<taken_position> position_at(const tables::row_positions& positions, std::int64_t row,
                                            int axis) const {
    const coordinate& source = coordinate_of(axis);
    const auto offset = static_cast<double>(suspect_.row_offset);
    if (positions.is_real()) {
      const double own = suspect_.place ? suspect_.place(row, axis) : positions.at(row, axis);
      const std::optional<double> taken = suspect_.positions.real(own);
      return taken ? std::optional(taken_position{*taken + offset}) : std::nullopt;
    }
    const double place =
        suspect_.place ? suspect_.place(row, axis) : static_cast<double>(positions.index_at(row, axis));
    if (place != std::trunc(place))
      return taken_position{place * static_cast<double>(source.offset.denominator) +
                            static_cast<double>(source.offset.numerator) + offset};
    const auto index = static_cast<std::int64_t>(place);
    if (source != coordinate{} && is_of_value(suspect_.positions.change))
      return changed_coordinate(index, source);
    if (source == coordinate{} && suspect_.positions.change == fault::position_change::half_after)
      return taken_position{static_cast<double>(index) + 0.5 + offset};
    const std::optional<std::int64_t> taken = suspect_.positions(index);
    if (!taken) return std::nullopt;
    return taken_position{static_cast<double>(position_of_index(*taken + suspect_.row_offset, source))};
  }

  /// The position if a mistake changes an index's coordinate instead of the index. The engine first forms the
  /// coordinate in binary32.
  std::optional<taken_position> changed_coordinate(std::int64_t index, const coordinate& source) const {
    const auto position = static_cast<double>(position_of_index(index, source));
    const double unit =
        static_cast<double>(source.scale.numerator) /
        (static_cast<double>(source.scale.denominator) * static_cast<double>(source.offset.denominator));
    const double error = source == coordinate{} ? 0 : formed_coordinate_error(source, position);
    if (suspect_.positions.change == fault::position_change::in_binary32) return taken_position{position};
    const std::optional<double> low = suspect_.positions.real((position - error) * unit),
                                high = suspect_.positions.real((position + error) * unit);
    if (!low || !high) return std::nullopt;
    return *low == *high ? taken_position{*low / unit} : taken_position{*low / unit, *high / unit};
  }

  bool allows_row(array_reader& array, std::int64_t place, const promise& promised) const {
    if (suspect_.zero_at && array.array().positions.at(place, 0) == *suspect_.zero_at) {
      const std::vector<double>& observed = array.at(place);
      return std::all_of(observed.begin(), observed.end(), [](double entry) { return entry == 0; });
    }
    const std::optional<row_errors> errors = errors_of_row(array, place, promised);
    if (!errors) return false;
    for (std::size_t pair = 0; pair < errors->squares.size(); ++pair)
      if (!is_within(*errors, pair, array.array().dtype, promised)) return false;
    return true;
  }

  /// nullopt if the engine has no position for the row.
  std::optional<row_errors> errors_of_row(array_reader& array, std::int64_t place,
                                          const promise& promised) const {
    std::vector<double> lower, upper;  // per axis, the positions that the engine may use
    for (int axis = 0; axis < array.array().positions.axes(); ++axis) {
      const std::optional<taken_position> position = position_at(array.array().positions, place, axis);
      if (!position) return std::nullopt;
      lower.push_back(position->number);
      upper.push_back(position->other.value_or(position->number));
    }
    row_errors errors = errors_from(array, place, lower, promised);
    if (lower == upper) return errors;
    const row_errors of_upper = errors_from(array, place, upper, promised);
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const pair_squares &other = of_upper.squares[pair], &own = errors.squares[pair];
      if (compare(other.cos + other.sin, own.cos + own.sin) != order::less) continue;
      errors.squares[pair] = other;
      errors.positions[pair] = of_upper.positions[pair];
    }
    return errors;
  }

  /// `positions`: the position that the engine uses on each axis.
  row_errors errors_from(array_reader& array, std::int64_t place, const std::vector<double>& positions,
                         const promise& promised) const {
    const std::vector<double>& observed = array.at(place);
    const tables::array_grid grid{changed_layout(array.array().layout, suspect_.entries), array.array().pairs,
                                  array.places()};
    row_errors errors{std::vector<pair_squares>(pairs_.size()), {}};
    std::vector<std::optional<cos_sin<narrow>>> exact;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      errors.positions.push_back(positions[static_cast<std::size_t>(axis_of(pair))]);
      exact.push_back(entries_at(static_cast<int>(pair), errors.positions.back(), promised));
    }
    for (std::size_t i = 0; i < observed.size(); ++i) {
      const auto columns = static_cast<std::size_t>(grid.columns());
      const std::int64_t row = place + static_cast<std::int64_t>(i / columns) * array.places();
      const tables::array_place at = grid.at(row, static_cast<std::int64_t>(i % columns));
      const auto pair = static_cast<std::size_t>(at.pair);
      if (!std::isfinite(observed[i])) errors.squares[pair].are_finite = false;
      errors.are_bfloat16 = errors.are_bfloat16 && is_bfloat16(observed[i]);
      if (!exact[pair] || !errors.squares[pair].are_finite) continue;
      const bool is_sin = at.is_sin != suspect_.entries.is_exchanged;
      const auto apart = enclosure<narrow>::of(observed[i]) - (is_sin ? exact[pair]->sin : exact[pair]->cos);
      auto& largest =
          at.is_sin ? errors.squares[pair].sin : errors.squares[pair].cos;  // a pair may have two copies
      if (const auto square = apart * apart; compare(square, largest) == order::greater) largest = square;
    }
    return errors;
  }

  bool is_within(const row_errors& errors, std::size_t pair, tables::table_dtype dtype,
                 const promise& promised) const {
    const pair_squares& squares = errors.squares[pair];
    if (!squares.are_finite) return false;
    // Cosines of rounded angles may also be rounded to bfloat16, but then all entries are.
    const auto table = errors.are_bfloat16 ? decltype(promised.table){ROPEWALK_PART_BF16} : promised.table;
    const double bound =
        suspect_.rounds_angles
            ? array::entry_bound(dtype, {.angle = ROPEWALK_PART_F32, .table = table}, pairs_[pair], 0)
            : array::entry_bound(dtype, promised, pairs_[pair], std::abs(errors.positions[pair]));
    const auto limit = enclosure<narrow>::of(bound);
    return compare(squares.cos + squares.sin, limit * limit) != order::greater;
  }

  using bounded = array::bounded_pair;

  rotary_suspect suspect_;
  rope_rows rows_;  // without the factors
  rope own_;
  std::vector<bounded> pairs_;
  enclosure<narrow> cos_factor_;
  enclosure<narrow> sin_factor_;
};

/// Additional error of a frequency formed from the previous pair's: at most the roundings of all
/// earlier pairs.
double repeated_products(std::size_t pair) {
  const double roundings =
      ropewalk::detail::roundings_of_power(ROPEWALK_PART_REPEATED_F32, static_cast<int>(pair));
  return 2 * ropewalk::detail::with_higher_orders(roundings);
}

}  // namespace

rotary_suspect suspect_of(const placed_rope& config) {
  validate(config);
  rotary_suspect suspect;
  const rope_rows rows(config);  // decides turns next to a rule's thresholds
  for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
    suspect.inv_freqs.push_back(rows.turns(pair) * (own_number::of(2) * pi<wide>()));
    suspect.frequency_errors.push_back(formed_frequency_error(config, pair));
    suspect.axis.push_back(axis_of(pair, config.axes, config.encoding).axis);
  }
  suspect.coordinates = config.coordinates;
  return with_factor(std::move(suspect), rope_attention_factor<wide>(config.encoding));
}

std::vector<array::bounded_pair> bounded_pairs(const rotary_suspect& suspect) {
  const double factor = std::max(std::abs(nearest_binary64(suspect.cos_factor)),
                                 std::abs(nearest_binary64(suspect.sin_factor)));
  std::vector<array::bounded_pair> pairs;
  for (std::size_t pair = 0; pair < suspect.inv_freqs.size(); ++pair) {
    const int axis = pair < suspect.axis.size() ? suspect.axis[pair] : 0;
    pairs.push_back({.attention_factor = factor,
                     .inv_freq_above = upper_binary64(suspect.inv_freqs[pair]),
                     .frequency_error = suspect.frequency_errors[pair],
                     .repeated_error = sum_up(suspect.frequency_errors[pair], repeated_products(pair)),
                     .scale = suspect.scale,
                     .index = suspect.coordinates[static_cast<std::size_t>(axis)]});
  }
  return pairs;
}

rotary_suspect with_factor(rotary_suspect suspect, const own_number& factor) {
  suspect.cos_factor = suspect.sin_factor = factor;
  return suspect;
}

rotary_suspect with_frequencies_times(rotary_suspect suspect, const own_number& number) {
  const double roundings = with_error(unit_roundoff<float>, unit_roundoff<float>);
  for (own_number& inv_freq : suspect.inv_freqs) inv_freq = inv_freq * number;
  for (double& error : suspect.frequency_errors) error = with_error(error, roundings);
  return suspect;
}

template <floating_format Float>
rotary_suspect with_rounded_frequencies(rotary_suspect suspect) {
  const auto rounded = [](const own_number& x) {
    return from_bits<double>(convert<double, Float>(round<Float>(x).bits));
  };
  for (std::size_t pair = 0; pair < suspect.inv_freqs.size(); ++pair) {
    own_number& inv_freq = suspect.inv_freqs[pair];
    double& error = suspect.frequency_errors[pair];
    // An engine forms the frequency first. If that is next to a rounding midpoint, take the middle.
    const double low = rounded(inv_freq * own_number::of(1 - error));
    const double high = rounded(inv_freq * own_number::of(above(1 + error)));
    const double middle = low + (high - low) / 2;
    inv_freq = own_number::of(middle);
    error = low == high ? 0 : quotient_up(above(middle - low), middle);
  }
  return suspect;
}
template rotary_suspect with_rounded_frequencies<binary16>(rotary_suspect suspect);
template rotary_suspect with_rounded_frequencies<bfloat16>(rotary_suspect suspect);

bool is_same_table(const rotary_suspect& suspect, const rotary_suspect& other) {
  const auto is_same = [](const own_number& a, const own_number& b) {
    return nearest_binary64(a) == nearest_binary64(b);
  };
  return std::equal(suspect.inv_freqs.begin(), suspect.inv_freqs.end(), other.inv_freqs.begin(),
                    other.inv_freqs.end(), is_same) &&
         is_same(suspect.cos_factor, other.cos_factor) && is_same(suspect.sin_factor, other.sin_factor) &&
         suspect.positions.change == other.positions.change &&
         suspect.positions.number == other.positions.number && suspect.entries == other.entries &&
         suspect.rounds_angles == other.rounds_angles && suspect.zero_at == other.zero_at &&
         suspect.row_offset == other.row_offset && suspect.axis == other.axis &&
         suspect.coordinates == other.coordinates && !suspect.place && !other.place;
}

std::shared_ptr<const suspected_table> table_of(rotary_suspect suspect, const rope& own) {
  return std::make_shared<const rotary_table>(std::move(suspect), own);
}

}  // namespace ropewalk::diagnosis
