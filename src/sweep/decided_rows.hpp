#pragma once
// Right entries of runs of positions. Exact arithmetic decides those near a tie.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernel/phase_rows.hpp"
#include "kernel/quarter_turn.hpp"
#include "kernel/run_time_table.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/exact_entry.hpp"
#include "sweep/tally.hpp"
#include "sweep/two_arrays.hpp"
#include "sweep/unit_check.hpp"

namespace ropewalk::sweep {

inline constexpr int rows_at_once = phase_rows::most_rows;

namespace detail {

/// Whether a value rounded to binary32 may round differently to a 16-bit format: simd::marked_rows for one
/// entry.
inline bool is_near_tie(std::uint32_t bits) {
  const auto is_half = [&](int cut) {
    return (bits & ((std::uint32_t{1} << cut) - 1)) == std::uint32_t{1} << (cut - 1);
  };
  constexpr int precision = format<float>::precision;
  const float size = std::abs(std::bit_cast<float>(bits));
  return (size != 0 && size < std::ldexp(1.0f, format<binary16>::smallest_exponent)) ||
         is_half(precision - format<binary16>::precision) || is_half(precision - format<bfloat16>::precision);
}

/// Distance of a binary64 number from the nearest tie of a format, in ulps, and the size of an ulp there.
struct tie_distance {
  double distance;
  double ulp;
};
template <floating_format Float>
tie_distance distance_from_tie(double v) {
  if (v == 0) return {0.5, std::numeric_limits<double>::min()};
  const double ulp = std::ldexp(
      1.0, std::max(std::ilogb(v), format<Float>::smallest_exponent) - (format<Float>::precision - 1));
  const double in_ulps = std::abs(v) / ulp;  // exact
  return {std::abs(in_ulps - std::floor(in_ulps) - 0.5), ulp};
}

}  // namespace detail

/// binary32 rows of a run, and 16-bit ones of one row. For one thread.
class decided_rows {
 public:
  /// The table must outlive this.
  decided_rows(const run_time_table& table, right_rows source)
      : table_(table),
        phase_(table.fast()),
        source_(source),
        stride_(static_cast<std::size_t>(source == right_rows::by_phases ? phase_.width() : pairs())) {
    const std::size_t width = static_cast<std::size_t>(simd::padded(pairs()));
    values_.resize(width);
    right_.resize(rows_at_once * width);
    for (two_arrays<std::uint16_t>& narrow : narrow_) narrow.resize(width);
  }
  decided_rows(const decided_rows&) = delete;  // its walk refers to it
  decided_rows& operator=(const decided_rows&) = delete;

  /// Begins a unit: its formats, in which hard cases are counted, and its positions.
  void begin_unit(tally& counts, position_range positions) {
    counts_ = &counts;
    near_ = near_tie_distance(size(positions) * pairs());
    walk_.emplace(table_.fast(), row_walk::watched{.first_seed = fast_rows::steps / 2,
                                                   .relative_reach = relative_near(),
                                                   .undecided = [this](std::int64_t position, int) {
                                                     open_ |= std::uint32_t{1} << (position - run_begin_);
                                                   }});
  }

  int pairs() const { return phase_.pairs(); }
  /// From row to row.
  std::size_t stride() const { return stride_; }
  std::size_t place(int row, int pair) const {
    return static_cast<std::size_t>(row) * stride_ + static_cast<std::size_t>(pair);
  }
  /// The distance from a tie, in ulps, within which exact arithmetic decides.
  double near_tie() const { return near_; }
  /// binary32 entries of the last run that was made.
  ///
  /// shape   [rows_at_once, stride]
  const two_arrays<std::uint32_t>& right() const { return right_; }
  /// 16-bit entries of the last row that was made.
  ///
  /// shape   [pairs]
  const two_arrays<std::uint16_t>& narrow(ropewalk_dtype dtype) const { return narrow_[dtype]; }

  /// Computes the binary32 entries of a run.
  void make(position_range run) {
    if (source_ == right_rows::by_phases) return make_right_by_phases(run);
    run_begin_ = run.begin;
    open_ = 0;
    walk_->rows<float>(run, false, right_cos(), right_sin());
    // Rows that the walk left open are not taken from it, since it decides them as the table does. Neither
    // are row 0 and the first position, where it has the table's seed.
    if (run.begin <= 0 && run.end > 0) open_ |= std::uint32_t{1} << -run.begin;
    for (std::int64_t at = run.begin; at < std::min(run.end, smallest_position + fast_rows::steps); ++at)
      open_ |= std::uint32_t{1} << (at - run.begin);
    for (; open_ != 0; open_ &= open_ - 1) decide_row(run, std::countr_zero(open_));
  }

  /// Rows of a run whose entries in a 16-bit format are not their binary32 entries rounded.
  std::uint32_t near_ties_in(position_range run) const {
    return phase_.near_ties(right_cos(), right_sin(), static_cast<int>(size(run)), stride_);
  }

  /// Rows of given entries that are not binary32 entries rounded.
  template <class Narrow>
  std::uint32_t rows_not_rounded(bool is_sin, const std::uint16_t* entries, int count) const {
    return phase_.not_rounded<Narrow>(is_sin ? right_sin() : right_cos(), entries, count, stride_);
  }

  /// Rounds a row's binary32 entries to the 16-bit formats.
  void make_narrow(int row) {
    const auto count = static_cast<std::size_t>(simd::padded_to_blocks(pairs()));
    const auto narrow = [&]<class Float>() {
      two_arrays<std::uint16_t>& to = narrow_[dtype_of<Float>];
      phase_.narrow<Float>(right_cos() + place(row, 0), count, to.cos.data());
      phase_.narrow<Float>(right_sin() + place(row, 0), count, to.sin.data());
    };
    if (tally_of(ROPEWALK_F16) != nullptr) narrow.operator()<binary16>();
    if (tally_of(ROPEWALK_BF16) != nullptr) narrow.operator()<bfloat16>();
  }

  /// Rounds exact values to the 16-bit formats if that differs from rounding binary32 entries.
  void decide_narrow_row(std::int64_t position, int row) {
    bool has_values = false;
    for (const bool is_sin : {false, true})
      for (int pair = 0; pair < pairs(); ++pair) {
        if (!detail::is_near_tie(right_.of(is_sin)[place(row, pair)])) continue;
        if (!has_values) phase_.values(position, values_.cos.data(), values_.sin.data());
        has_values = true;
        const entry_place at{position, pair, is_sin};
        decide_narrow<binary16>(at);
        decide_narrow<bfloat16>(at);
      }
  }

  template <floating_format Float>
  void note_hard_case(format_tally& counts, const exact_entry<Float>& entry, const entry_place& at) {
    if (!entry.decided) {
      ++counts.undecided;
      return;
    }
    if (!(entry.distance < near_)) return;
    ++counts.exactly;
    counts.add_hard_case({entry.distance, at, entry.bits});
  }

 private:
  format_tally* tally_of(ropewalk_dtype dtype) {
    for (format_tally& counts : *counts_)
      if (counts.dtype == dtype) return &counts;
    return nullptr;
  }

  /// The distance from a tie, relative to a normal entry, within which exact arithmetic decides: an ulp is at
  /// most 2^(1 - precision) of the entry.
  double relative_near() const { return near_ * std::ldexp(1.0, 1 - format<float>::precision); }

  void make_right_by_phases(position_range run) {
    // A computed value may be farther from a tie than the exact value, by its own error.
    const double reach = quarter_turn::relative_error + relative_near();
    for (std::uint32_t left = phase_.fill(run, reach, right_cos(), right_sin()); left != 0; left &= left - 1)
      decide_row(run, std::countr_zero(left));
  }
  float* right_cos() { return reinterpret_cast<float*>(right_.cos.data()); }
  float* right_sin() { return reinterpret_cast<float*>(right_.sin.data()); }
  const float* right_cos() const { return reinterpret_cast<const float*>(right_.cos.data()); }
  const float* right_sin() const { return reinterpret_cast<const float*>(right_.sin.data()); }

  void decide_row(position_range run, int row) {
    const std::int64_t position = run.begin + row;
    phase_.values(position, values_.cos.data(), values_.sin.data());
    for (int pair = 0; pair < pairs(); ++pair)
      for (const bool is_sin : {false, true})
        right_.of(is_sin)[place(row, pair)] = decided_bits<float>({position, pair, is_sin});
  }

  template <class Narrow>
  void decide_narrow(const entry_place& at) {
    if (tally_of(dtype_of<Narrow>) == nullptr) return;
    narrow_[dtype_of<Narrow>].of(at.is_sin)[static_cast<std::size_t>(at.pair)] = decided_bits<Narrow>(at);
  }

  double value(const entry_place& at) const {
    return (at.is_sin ? values_.sin : values_.cos)[static_cast<std::size_t>(at.pair)];
  }

  /// The bits of an entry: its binary64 value rounded or, near a tie, exact arithmetic.
  template <floating_format Float>
  bits_of<Float> decided_bits(const entry_place& at) {
    const double v = value(at), error = phase_.phase_error(at.pair);
    if (std::isfinite(error)) {
      const detail::tie_distance tie = detail::distance_from_tie<Float>(v);
      const double reach = std::abs(v) * quarter_turn::relative_error + error;
      if (tie.distance * tie.ulp > near_ * tie.ulp + reach)
        return round<Float>(exact_dyadic_of_bits<1, double>(to_bits(v)));
    }
    const exact_entry<Float> entry = exact_entry_of<Float>(table_.exact(), at);
    if (format_tally* const counts = tally_of(dtype_of<Float>)) note_hard_case(*counts, entry, at);
    return entry.bits;
  }

  const run_time_table& table_;
  phase_rows phase_;
  right_rows source_;
  std::size_t stride_;
  std::optional<row_walk> walk_;
  tally* counts_ = nullptr;
  double near_ = 0;
  std::int64_t run_begin_ = 0;
  std::uint32_t open_ = 0;               // rows of the run whose entries are decided one by one
  two_arrays<double> values_;            // one row
  two_arrays<std::uint32_t> right_;      // [rows_at_once, width]
  two_arrays<std::uint16_t> narrow_[4];  // by dtype, one row
};

}  // namespace ropewalk::sweep
