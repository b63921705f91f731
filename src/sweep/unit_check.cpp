#include "sweep/unit_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernel/quarter_turn.hpp"
#include "kernel/run_time_table.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "sweep/decided_rows.hpp"
#include "sweep/entry_comparison.hpp"
#include "sweep/exact_entry.hpp"
#include "sweep/two_arrays.hpp"

namespace ropewalk::sweep {
namespace {

// Half an ulp of binary32 over the error of a binary64 polynomial. Every rounding test leaves values nearer
// to a tie undecided.
constexpr double smallest_near =
    quarter_turn::relative_error * (std::uint64_t{1} << (format<float>::precision - 1));

}  // namespace

double near_tie_distance(std::int64_t entries) {
  constexpr double largest = 0x1p-17;  // ulps of a 16-bit format: half an ulp of binary32 in bfloat16
  const int length = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(entries)));
  return std::clamp(std::ldexp(1.0, 4 - length), smallest_near, largest);
}

/// Reads the given entries of a unit run by run, and compares them with the right ones.
class unit_check::rows {
 public:
  rows(const swept_table& table, const subject_maker& maker, right_rows source)
      : table_(model::placed(table.model)),
        right_(table_, source),
        subject_(maker.subject_of(table)),
        there_(subject_->given()),
        comparison_(table_, right_.pairs(), subject_->has_signed_zeros()) {
    wide_.resize(rows_at_once * static_cast<std::size_t>(simd::padded(pairs())));
  }
  rows(const rows&) = delete;  // its parts refer to its table
  rows& operator=(const rows&) = delete;

  tally check(const unit& unit) {
    tally_.clear();
    for (const ropewalk_dtype dtype : unit.dtypes) tally_.push_back({.dtype = dtype});
    comparison_.begin_unit();
    right_.begin_unit(tally_, unit.positions);
    if (unit.dtypes.front() == ROPEWALK_F64)
      check_wide(unit.positions);
    else
      check_narrow(unit.positions);
    for (format_tally& counts : tally_) finish(counts);
    return std::move(tally_);
  }

 private:
  int pairs() const { return right_.pairs(); }

  /// Calls visit(run, first) for runs of at most rows_at_once positions, after the subject has filled the
  /// entries of all formats. `first` is the run's row among the filled ones.
  template <class Visit>
  void for_each_run(position_range positions, Visit visit) {
    const std::int64_t at_once = subject_->positions_at_once();
    for (std::int64_t begin = positions.begin; begin < positions.end; begin += at_once) {
      const position_range chunk{begin, std::min(begin + at_once, positions.end)};
      given_rows_ = static_cast<std::size_t>(size(chunk));
      for (std::size_t i = 0; i < tally_.size(); ++i) {
        const ropewalk_dtype dtype = tally_[i].dtype;
        if (dtype == ROPEWALK_F64 && subject_->is_own_table()) continue;
        const std::size_t all_rows = given_rows_ * static_cast<std::size_t>(there_.copies);
        read_[i].resize((all_rows * static_cast<std::size_t>(pairs()) + simd::row_multiple) *
                        static_cast<std::size_t>(size_of(dtype)));
        subject_->fill(chunk, dtype, read_[i].cos.data(), read_[i].sin.data());
      }
      for (std::int64_t at = chunk.begin; at < chunk.end; at += rows_at_once)
        visit(position_range{at, std::min(at + rows_at_once, chunk.end)},
              static_cast<std::size_t>(at - chunk.begin));
    }
  }

  /// Checks binary32 and 16-bit formats.
  void check_narrow(position_range positions) {
    for_each_run(positions, [&](position_range run, std::size_t first) {
      right_.make(run);
      std::uint32_t open = near_ties_in(run);
      for (std::size_t i = 0; i < tally_.size(); ++i)
        with_format(tally_[i].dtype, [&]<class Float>() {
          if constexpr (std::is_same_v<Float, float>)
            compare<float>(tally_[i], run, first, read_[i], right_.right(), right_.stride());
          else if constexpr (!std::is_same_v<Float, double>)
            open |= rows_not_rounded<Float>(run, first, read_[i]);
        });
      count_narrow(run);
      for (; open != 0; open &= open - 1) compare_narrow_row(run, first, std::countr_zero(open));
    });
  }

  bool is_narrow(const format_tally& counts) const { return size_of(counts.dtype) == 2; }
  bool has_narrow() const {
    return std::any_of(tally_.begin(), tally_.end(),
                       [&](const format_tally& counts) { return is_narrow(counts); });
  }

  /// Rows whose 16-bit entries may differ from their rounded binary32 entries.
  std::uint32_t near_ties_in(position_range run) const {
    if (!has_narrow() || subject_->right() != right_entries::rounded_once) return 0;
    return right_.near_ties_in(run);
  }

  /// Rows of a subject's entries that differ from the rounded correct binary32 entries.
  template <class Narrow>
  std::uint32_t rows_not_rounded(position_range run, std::size_t first,
                                 const two_arrays<std::byte>& read) const {
    const int count = static_cast<int>(size(run));
    if (right_.stride() != static_cast<std::size_t>(pairs()))
      return ~std::uint32_t{0} >> (rows_at_once - count);
    std::uint32_t bits = 0;
    for_each_copy(first, [&](bool is_sin, std::size_t row) {
      const auto* const to =
          reinterpret_cast<const std::uint16_t*>(given_row<Narrow>(is_sin ? read.sin : read.cos, row));
      bits |= right_.rows_not_rounded<Narrow>(is_sin, to, count);
    });
    return bits;
  }

  void count_narrow(position_range run) {
    for (format_tally& counts : tally_)
      if (is_narrow(counts)) counts.entries += entries_of(run);
  }

  void compare_narrow_row(position_range run, std::size_t first, int row) {
    const position_range here{run.begin + row, run.begin + row + 1};
    const std::size_t given_row = first + static_cast<std::size_t>(row);
    right_.make_narrow(row);
    if (subject_->right() == right_entries::rounded_once) right_.decide_narrow_row(here.begin, row);
    for (std::size_t i = 0; i < tally_.size(); ++i)
      with_format(tally_[i].dtype, [&]<class Float>() {
        if constexpr (std::is_same_v<Float, binary16> || std::is_same_v<Float, bfloat16>)
          compare_given<Float>(tally_[i], here, given_row, read_[i], right_.narrow(dtype_of<Float>),
                               right_.stride());
      });
  }

  /// Checks binary64 rows: sums of angles, with exact arithmetic where these cannot decide.
  void check_wide(position_range positions) {
    format_tally& counts = tally_.front();
    wide_walk walk(table_.wide(), right_.near_tie() * std::ldexp(1.0, -format<double>::precision),
                   [&](std::int64_t position, int pair) {
                     for (const bool is_sin : {false, true})
                       right_.note_hard_case(counts,
                                             exact_entry_of<double>(table_.exact(), {position, pair, is_sin}),
                                             {position, pair, is_sin});
                   });
    for_each_run(positions, [&](position_range run, std::size_t first) {
      walk.rows(run, reinterpret_cast<double*>(wide_.cos.data()),
                reinterpret_cast<double*>(wide_.sin.data()));
      if (subject_->is_own_table())
        compare_with_witness(counts, run);
      else
        compare<double>(counts, run, first, read_[0], wide_, static_cast<std::size_t>(pairs()));
    });
  }

  /// Compares binary64 entries with the binary32 entries of the same exact values.
  void compare_with_witness(format_tally& counts, position_range run) {
    right_.make(run);
    counts.entries += 2 * size(run) * pairs();
    for (int row = 0; row < static_cast<int>(size(run)); ++row)
      for (const bool is_sin : {false, true}) {
        const std::uint64_t* const entries = wide_.of(is_sin).data() + row * pairs();
        const std::uint32_t* const right = right_.right().of(is_sin).data() + right_.place(row, 0);
        std::uint32_t differs = 0;
        for (int pair = 0; pair < pairs(); ++pair)
          differs |= std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(entries[pair]))) ^
                     right[pair];
        if (differs != 0) compare_row_with_witness(counts, {run.begin + row, 0, is_sin}, entries, right);
      }
  }

  void compare_row_with_witness(format_tally& counts, entry_place at, const std::uint64_t* entries,
                                const std::uint32_t* right) {
    constexpr int cut = format<double>::precision - format<float>::precision;
    for (; at.pair < pairs(); ++at.pair) {
      const std::uint64_t bits = entries[at.pair];
      const auto as_float = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      const bool is_tie = (bits & ((std::uint64_t{1} << cut) - 1)) == std::uint64_t{1} << (cut - 1);
      if (as_float == right[at.pair] || is_tie) continue;
      const std::uint64_t correct = exact_entry_of<double>(table_.exact(), at).bits;
      const std::uint64_t steps = ulp_distance<double>(bits, correct);
      if (steps == 0) continue;
      ++counts.wrong;
      ++counts.by_steps[static_cast<std::size_t>(std::bit_width(steps))];
      comparison_.note_wrong_case<double>(counts, at, bits, correct, steps);
    }
  }

  std::int64_t entries_of(position_range run) const {
    return (int{there_.cos} + int{there_.sin}) * there_.copies * size(run) * pairs();
  }

  /// Calls visit(is_sin, row) for each copy of a run's given cosines and sines; `first` is the run's row.
  template <class Visit>
  void for_each_copy(std::size_t first, Visit visit) const {
    for (const bool is_sin : {false, true}) {
      if (!(is_sin ? there_.sin : there_.cos)) continue;
      for (std::size_t copy = 0; copy < static_cast<std::size_t>(there_.copies); ++copy)
        visit(is_sin, copy * given_rows_ + first);
    }
  }

  template <floating_format Float>
  void compare(format_tally& counts, position_range run, std::size_t first, const two_arrays<std::byte>& read,
               const two_arrays<bits_of<Float>>& right, std::size_t stride) {
    counts.entries += entries_of(run);
    compare_given<Float>(counts, run, first, read, right, stride);
  }

  template <floating_format Float>
  void compare_given(format_tally& counts, position_range run, std::size_t first,
                     const two_arrays<std::byte>& read, const two_arrays<bits_of<Float>>& right,
                     std::size_t stride) {
    for_each_copy(first, [&](bool is_sin, std::size_t row) {
      comparison_.compare_copy<Float>(counts, run, is_sin,
                                      given_row<Float>(is_sin ? read.sin : read.cos, row),
                                      (is_sin ? right.sin : right.cos).data(), stride);
    });
  }

  template <floating_format Float>
  const std::byte* given_row(const std::vector<std::byte>& from, std::size_t row) const {
    return from.data() + row * static_cast<std::size_t>(pairs()) * sizeof(bits_of<Float>);
  }

  void finish(format_tally& counts) { counts.by_steps[0] = counts.entries - counts.wrong; }

  run_time_table table_;
  decided_rows right_;
  std::unique_ptr<subject> subject_;
  given_entries there_;
  entry_comparison comparison_;
  tally tally_;
  two_arrays<std::uint64_t> wide_;  // [rows_at_once, pairs]
  two_arrays<std::byte> read_[4];   // by format of the tally, [copies, given_rows_, pairs]
  std::size_t given_rows_ = 0;      // positions per call of the subject
};

unit_check::unit_check(const swept_table& table, const subject_maker& maker, right_rows source)
    : rows_(std::make_unique<rows>(table, maker, source)) {}
unit_check::~unit_check() = default;

tally unit_check::check(const unit& unit) { return rows_->check(unit); }

}  // namespace ropewalk::sweep
