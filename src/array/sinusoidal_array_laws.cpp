// Laws on arrays of sinusoids, under any promise.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "array/array_laws.hpp"
#include "array/checked_array.hpp"
#include "array/entry_bounds.hpp"
#include "array/entry_numbers.hpp"
#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/law/table/sinusoidal_laws.hpp"
#include "ropewalk/table/sinusoidal_entry.hpp"

namespace ropewalk::array {
namespace {

constexpr std::int64_t shifted_rows = 64, distinct_rows = 1024;

/// What an array asks of the laws of its kind.
struct asked_laws {
  tables::table_dtype dtype;
  sinusoidal config;
  position_range all;

  bool has(std::int64_t position) const { return all.begin <= position && position < all.end; }
  auto subject() const {
    return [*this](const std::byte* array) {
      return checked_sinusoids{law_dtype(dtype), rows_as_source(array, dtype, config.d_model, all), config};
    };
  }
  checked_sinusoids configuration() const {
    return {law_dtype(dtype), {}, config};
  }  // laws apply by it alone
};

void add_zeros(std::vector<array_law>& to, const asked_laws& laws) {
  if (laws.has(laws.config.padding_idx ? -1 : laws.all.begin) &&
      sinusoidal_laws::zeros.applies(laws.configuration()))
    add_on_runs(to, sinusoidal_laws::zeros, shifted_rows, laws.all, laws.subject());
}

std::vector<array_law> laws_of_bits(const asked_laws& laws) {
  std::vector<array_law> result;
  add_on_runs(result, sinusoidal_laws::range, shifted_rows, laws.all, laws.subject());
  if (laws.has(0) && sinusoidal_laws::origin.applies(laws.configuration()))
    add_on_whole(result, sinusoidal_laws::origin, {0, 1}, laws.subject());
  add_zeros(result, laws);
  if (laws.has(1) && sinusoidal_laws::frequencies.applies(laws.configuration()))
    add_on_whole(result, sinusoidal_laws::frequencies, {1, 2}, laws.subject());
  add_on_runs(result, sinusoidal_laws::distinct, distinct_rows, laws.all, laws.subject());
  add_on_runs(result, sinusoidal_laws::shift, shifted_rows, laws.all, laws.subject());
  return result;
}

/// The laws under a promise of parts.
template <floating_format Float>
class laws_of_parts {
 public:
  laws_of_parts(const asked_laws& laws, const promise& promised)
      : laws_(laws), bounds_(laws.config, laws.dtype), promised_(promised) {
    const sinusoidal_shift<limb_count> shift(laws.config, 1);
    for (int pair = 0; pair < pair_count(laws.config); ++pair) turned_by_one_.push_back(shift.turn(pair));
  }

  measurement range(const std::byte* array, row_run run) const {
    return judge_pairs(array, run, [](const real_pair& pair) {
      const auto is_in = [](const real& x) { return compare(absolute(x), real::of(1)) != order::greater; };
      return is_in(pair.sine) && is_in(pair.cosine);
    });
  }

  measurement origin(const std::byte* array, row_run run) const {
    return judge_pairs(array, run, [](const real_pair& pair) {
      return may_be_equal(pair.sine, real::of(0)) && may_be_equal(pair.cosine, real::of(1));
    });
  }

  measurement frequencies(const std::byte* array, row_run run) const {
    measurement measured;
    for (int pair = 1; pair < pair_count(laws_.config); ++pair)
      judge(measured, run.first, pair, entries_of(array, run.first, pair), [&](const real_pair& numbers) {
        const entry_pair before = entries_of(array, run.first, pair - 1);
        return !are_finite(before) ||
               compare(numbers.sine, numbers_of(before, run.first, pair - 1).sine) != order::greater;
      });
    return measured;
  }

  /// Judges each row of the run with the next.
  measurement shift(const std::byte* array, row_run run) const {
    measurement measured;
    const std::int64_t end = std::min(run.first + run.count, size(laws_.all) - 1);
    for (std::int64_t row = run.first; row < end; ++row) {
      if (is_padding_row(row) || is_padding_row(row + 1)) continue;
      for (int pair = 0; pair < pair_count(laws_.config); ++pair)
        judge(measured, row, pair, entries_of(array, row, pair), [&](const real_pair& numbers) {
          const entry_pair next = entries_of(array, row + 1, pair);
          return are_finite(next) && is_turned(numbers, numbers_of(next, row + 1, pair), pair);
        });
    }
    return measured;
  }

 private:
  struct entry_pair {
    bits_of<Float> sine{};
    bits_of<Float> cosine{};
  };
  struct real_pair {
    real sine;
    real cosine;
  };

  std::int64_t position_of(std::int64_t row) const { return laws_.all.begin + row; }
  bool is_padding_row(std::int64_t row) const {
    return is_padding(static_cast<double>(position_of(row)), laws_.config);
  }
  double bound_of(std::int64_t row, int pair) const {
    return bounds_.at(promised_, pair,
                      std::abs(static_cast<double>(position_of(row) + row_offset(laws_.config))));
  }

  entry_pair entries_of(const std::byte* array, std::int64_t row, int pair) const {
    const sinusoidal_channels at = channels_of(pair, laws_.config);
    const std::int64_t first = row * laws_.config.d_model;
    return {bits_at<bits_of<Float>>(array, first + at.sine),
            bits_at<bits_of<Float>>(array, first + at.cosine)};
  }
  static bool are_finite(const entry_pair& pair) {
    return is_finite<Float>(pair.sine) && is_finite<Float>(pair.cosine);
  }
  /// The numbers that entries stand for. domain  finite entries
  real_pair numbers_of(const entry_pair& entry, std::int64_t row, int pair) const {
    const radius within = magnitude_above(real::of(bound_of(row, pair)));
    return {{exact_dyadic_of_bits<limb_count, Float>(entry.sine), within},
            {exact_dyadic_of_bits<limb_count, Float>(entry.cosine), within}};
  }

  bool is_turned(const real_pair& from, const real_pair& to, int pair) const {
    const cos_sin<limb_count>& turn = turned_by_one_[static_cast<std::size_t>(pair)];
    return may_be_equal(from.sine * turn.cos + from.cosine * turn.sin, to.sine) &&
           may_be_equal(from.cosine * turn.cos - from.sine * turn.sin, to.cosine);
  }

  /// Judges keeps(numbers of a pair) in every row of a run but the padding's.
  template <class Keeps>
  measurement judge_pairs(const std::byte* array, row_run run, const Keeps& keeps) const {
    measurement measured;
    for (std::int64_t row = run.first; row < run.first + run.count; ++row)
      for (int pair = 0; !is_padding_row(row) && pair < pair_count(laws_.config); ++pair)
        judge(measured, row, pair, entries_of(array, row, pair), keeps);
    return measured;
  }

  /// Records whether keeps(numbers) holds of the numbers that a pair stands for. It decides nothing where
  /// those of zeros keep it, for want of a tighter bound.
  template <class Keeps>
  void judge(measurement& measured, std::int64_t row, int pair, const entry_pair& got,
             const Keeps& keeps) const {
    verdict verdict = judge_equal(are_finite(got) && keeps(numbers_of(got, row, pair)));
    verdict.decides = 2 * bound_of(row, pair) < 1 || !keeps(numbers_of({}, row, pair));
    place where;
    where.pair = pair;
    where.position = static_cast<std::int32_t>(position_of(row));
    record(measured, verdict, where, [&] {
      const auto wanted = [&](int channel) {
        return round_sinusoidal_entry<Float>(static_cast<double>(position_of(row)), channel, laws_.config);
      };
      const sinusoidal_channels at = channels_of(pair, laws_.config);
      return evidence{dtype_of<Float>, 2, {}, {wanted(at.sine), wanted(at.cosine)}, {got.sine, got.cosine}};
    });
  }

  asked_laws laws_;
  entry_bounds bounds_;
  promise promised_;
  std::vector<cos_sin<limb_count>> turned_by_one_;
};

template <floating_format Float>
std::vector<array_law> laws_within_bounds(const asked_laws& laws, const promise& promised) {
  const auto on = std::make_shared<const laws_of_parts<Float>>(laws, promised);
  std::vector<array_law> result;
  const auto add = [&](const law<checked_sinusoids>& tested_law, row_run rows, auto measure) {
    result.push_back({text_on_array(tested_law.text()), rows.count, std::min(shifted_rows, rows.count),
                      [on, measure, first = rows.first](const std::byte* array, row_run run) {
                        return (*on.*measure)(array, {first + run.first, run.count});
                      }});
  };
  const row_run every{0, size(laws.all)};
  const auto row_of = [&](std::int64_t position) { return row_run{position - laws.all.begin, 1}; };
  add(sinusoidal_laws::range, every, &laws_of_parts<Float>::range);
  if (laws.has(0) && sinusoidal_laws::origin.applies(laws.configuration()))
    add(sinusoidal_laws::origin, row_of(0), &laws_of_parts<Float>::origin);
  add_zeros(result, laws);
  if (laws.has(1) && sinusoidal_laws::frequencies.applies(laws.configuration()))
    add(sinusoidal_laws::frequencies, row_of(1), &laws_of_parts<Float>::frequencies);
  add(sinusoidal_laws::shift, every, &laws_of_parts<Float>::shift);
  result.back().compares_rows = true;
  return result;
}

}  // namespace

std::vector<array_law> array_laws(const tables::sinusoidal_content& content, tables::table_dtype dtype,
                                  const promise& promised) {
  if (!has_runs(content.positions)) return {};
  const asked_laws laws{dtype, content.config, content.positions.range};
  if (promises_bits(promised)) return laws_of_bits(laws);
  return in_format(dtype, [&]<class Float>() { return laws_within_bounds<Float>(laws, promised); });
}

}  // namespace ropewalk::array
