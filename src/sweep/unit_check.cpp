#include "sweep/unit_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "kernel/phase_rows.hpp"
#include "kernel/quarter_turn.hpp"
#include "kernel/run_time_table.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "sweep/exact_entry.hpp"

namespace ropewalk::sweep {
namespace {

constexpr int rows_at_once = phase_rows::most_rows;

// Half an ulp of binary32 over the error of a binary64 polynomial. Every rounding test leaves values nearer
// to a tie undecided.
constexpr double smallest_near =
    quarter_turn::relative_error * (std::uint64_t{1} << (format<float>::precision - 1));

}  // namespace

namespace detail {

/// Buffers for the rows of a run, cosines and sines, as bits of a format.
template <class Stored>
struct two_arrays {
  std::vector<Stored> cos;
  std::vector<Stored> sin;

  void resize(std::size_t size) {
    cos.resize(size);
    sin.resize(size);
  }
  std::vector<Stored>& of(bool is_sin) { return is_sin ? sin : cos; }
};

}  // namespace detail

namespace {

/// Whether a value rounded to binary32 may round differently to a 16-bit format: simd::marked_rows for one
/// entry.
bool is_near_tie(std::uint32_t bits) {
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

}  // namespace

double near_tie_distance(std::int64_t entries) {
  constexpr double largest = 0x1p-17;  // ulps of a 16-bit format: half an ulp of binary32 in bfloat16
  const int length = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(entries)));
  return std::clamp(std::ldexp(1.0, 4 - length), smallest_near, largest);
}

/// Computes the correct entries of runs of positions, and compares given entries with them.
class unit_check::rows {
  template <class Stored>
  using two_arrays = detail::two_arrays<Stored>;

 public:
  rows(const swept_table& table, const subject_maker& maker, right_rows source)
      : table_(model::placed(table.model)),
        phase_(table_.fast()),
        rows_(source),
        subject_(maker.subject_of(table)),
        there_(subject_->given()),
        stride_(static_cast<std::size_t>(source == right_rows::by_phases ? phase_.width() : pairs())) {
    const std::size_t width = static_cast<std::size_t>(simd::padded(pairs()));
    values_.resize(width);
    right_.resize(rows_at_once * width);
    for (two_arrays<std::uint16_t>& narrow : narrow_) narrow.resize(width);
    wide_.resize(rows_at_once * width);
  }

  tally check(const unit& unit) {
    tally_.clear();
    largest_ = {};
    for (const ropewalk_dtype dtype : unit.dtypes) tally_.push_back({.dtype = dtype});
    near_ = near_tie_distance(size(unit.positions) * pairs());
    walk_.emplace(table_.fast(), row_walk::watched{.first_seed = fast_rows::steps / 2,
                                                   .relative_reach = relative_near(),
                                                   .undecided = [this](std::int64_t position, int) {
                                                     open_ |= std::uint32_t{1} << (position - run_begin_);
                                                   }});
    if (unit.dtypes.front() == ROPEWALK_F64)
      check_wide(unit.positions);
    else
      check_narrow(unit.positions);
    for (format_tally& counts : tally_) finish(counts);
    return std::move(tally_);
  }

 private:
  int pairs() const { return phase_.pairs(); }

  format_tally* tally_of(ropewalk_dtype dtype) {
    for (format_tally& counts : tally_)
      if (counts.dtype == dtype) return &counts;
    return nullptr;
  }

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
      make_right(run);
      std::uint32_t open = near_ties_in(run);
      for (std::size_t i = 0; i < tally_.size(); ++i)
        with_format(tally_[i].dtype, [&]<class Float>() {
          if constexpr (std::is_same_v<Float, float>)
            compare<float>(tally_[i], run, first, read_[i], right_, stride_);
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
    return phase_.near_ties(right_cos(), right_sin(), static_cast<int>(size(run)), stride_);
  }

  /// Rows of a subject's entries that differ from the rounded correct binary32 entries.
  template <class Narrow>
  std::uint32_t rows_not_rounded(position_range run, std::size_t first,
                                 const two_arrays<std::byte>& read) const {
    const int count = static_cast<int>(size(run));
    if (stride_ != static_cast<std::size_t>(pairs())) return ~std::uint32_t{0} >> (rows_at_once - count);
    std::uint32_t bits = 0;
    for_each_copy(first, [&](bool is_sin, std::size_t row) {
      const auto* const to =
          reinterpret_cast<const std::uint16_t*>(given_row<Narrow>(is_sin ? read.sin : read.cos, row));
      bits |= phase_.not_rounded<Narrow>(is_sin ? right_sin() : right_cos(), to, count, stride_);
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
    make_narrow(row);
    if (subject_->right() == right_entries::rounded_once) decide_narrow_row(here.begin, row);
    for (std::size_t i = 0; i < tally_.size(); ++i)
      with_format(tally_[i].dtype, [&]<class Float>() {
        if constexpr (std::is_same_v<Float, binary16> || std::is_same_v<Float, bfloat16>)
          compare_given<Float>(tally_[i], here, given_row, read_[i], narrow_[dtype_of<Float>], stride_);
      });
  }

  /// Checks binary64 rows: sums of angles, with exact arithmetic where these cannot decide.
  void check_wide(position_range positions) {
    format_tally& counts = tally_.front();
    wide_walk walk(table_.wide(), near_ * std::ldexp(1.0, -format<double>::precision),
                   [&](std::int64_t position, int pair) {
                     for (const bool is_sin : {false, true})
                       note_hard_case(counts,
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
    make_right(run);
    counts.entries += 2 * size(run) * pairs();
    for (int row = 0; row < static_cast<int>(size(run)); ++row)
      for (const bool is_sin : {false, true}) {
        const std::uint64_t* const entries = wide_.of(is_sin).data() + row * pairs();
        const std::uint32_t* const right = right_.of(is_sin).data() + place(row, 0);
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
      note_wrong_case<double>(counts, at, bits, correct, steps);
    }
  }

  /// Computes the binary32 entries of a run.
  void make_right(position_range run) {
    if (rows_ == right_rows::by_phases) return make_right_by_phases(run);
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
        if (!is_near_tie(right_.of(is_sin)[place(row, pair)])) continue;
        if (!has_values) phase_.values(position, values_.cos.data(), values_.sin.data());
        has_values = true;
        const entry_place at{position, pair, is_sin};
        decide_narrow<binary16>(at);
        decide_narrow<bfloat16>(at);
      }
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
      const tie_distance tie = distance_from_tie<Float>(v);
      const double reach = std::abs(v) * quarter_turn::relative_error + error;
      if (tie.distance * tie.ulp > near_ * tie.ulp + reach)
        return round<Float>(exact_dyadic_of_bits<1, double>(to_bits(v)));
    }
    const exact_entry<Float> entry = exact_entry_of<Float>(table_.exact(), at);
    if (format_tally* const counts = tally_of(dtype_of<Float>)) note_hard_case(*counts, entry, at);
    return entry.bits;
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

  std::size_t place(int row, int pair) const {
    return static_cast<std::size_t>(row) * stride_ + static_cast<std::size_t>(pair);
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
      compare_copy<Float>(counts, run, is_sin, given_row<Float>(is_sin ? read.sin : read.cos, row),
                          (is_sin ? right.sin : right.cos).data(), stride);
    });
  }

  template <floating_format Float>
  const std::byte* given_row(const std::vector<std::byte>& from, std::size_t row) const {
    return from.data() + row * static_cast<std::size_t>(pairs()) * sizeof(bits_of<Float>);
  }

  template <floating_format Float>
  void compare_copy(format_tally& counts, position_range run, bool is_sin, const std::byte* from,
                    const bits_of<Float>* expected, std::size_t stride) {
    const auto count = static_cast<std::size_t>(pairs()), positions = static_cast<std::size_t>(size(run));
    const std::size_t bytes = count * sizeof(bits_of<Float>);
    if (stride == count && std::memcmp(from, expected, positions * bytes) == 0) return;
    for (std::size_t row = 0; row < positions; ++row)
      if (std::memcmp(from + row * bytes, expected + row * stride, bytes) != 0)
        compare_row<Float>(counts, {run.begin + static_cast<std::int64_t>(row), 0, is_sin},
                           from + row * bytes, expected + row * stride);
  }

  /// Counts the entries of a differing row; examines single entries only if one is a new worst case.
  template <floating_format Float>
  void compare_row(format_tally& counts, entry_place at, const std::byte* byte, const bits_of<Float>* right) {
    const std::uint64_t has_signed_zeros = subject_->has_signed_zeros();
    std::uint64_t most_steps = 0;
    double largest = 0;
    std::int64_t wrong = 0;
    for (int pair = 0; pair < pairs(); ++pair) {
      const bits_of<Float> bits = given_entry<Float>(byte, pair), correct = right[pair];
      const std::uint64_t steps = steps_between<Float>(bits, correct, has_signed_zeros);
      wrong += steps != 0;
      // std::bit_width(steps) without a branch on 0, which a processor cannot predict here
      ++counts.by_steps[static_cast<std::size_t>(std::bit_width(steps | 1)) - std::size_t{steps == 0}];
      most_steps = std::max(most_steps, steps);
      largest = std::max(largest, error_between<Float>(bits, correct));
    }
    counts.wrong += wrong;
    const worst& known = largest_[counts.dtype];
    if (wrong == 0 || (counts.largest_error && most_steps <= known.steps && largest <= known.error)) return;
    for (; at.pair < pairs(); ++at.pair) {
      const bits_of<Float> bits = given_entry<Float>(byte, at.pair), correct = right[at.pair];
      const std::uint64_t steps = steps_between<Float>(bits, correct, has_signed_zeros);
      if (steps != 0) note_wrong_case<Float>(counts, at, bits, correct, steps);
    }
  }

  template <floating_format Float>
  static bits_of<Float> given_entry(const std::byte* row, int pair) {
    bits_of<Float> bits;
    std::memcpy(&bits, row + static_cast<std::size_t>(pair) * sizeof(bits), sizeof(bits));
    return bits;
  }

  /// ulp_distance, plus a step between the two zeros if their signs count; no branch depends on a sign.
  template <floating_format Float>
  static std::uint64_t steps_between(bits_of<Float> bits, bits_of<Float> correct,
                                     std::uint64_t has_signed_zeros) {
    if (is_nan<Float>(bits)) [[unlikely]]
      return ulp_distance<Float>(bits, correct);
    const auto ordinal_of = [](bits_of<Float> word) {
      const auto sign = static_cast<std::int64_t>(is_negative<Float>(word));
      return (static_cast<std::int64_t>(magnitude<Float>(word)) ^ -sign) + sign;
    };
    const std::int64_t x = ordinal_of(bits), y = ordinal_of(correct);
    const std::uint64_t apart = static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
    const std::uint64_t below = -static_cast<std::uint64_t>(x < y);
    const std::uint64_t steps = (apart ^ below) - below;
    return steps + (std::uint64_t{steps == 0} & std::uint64_t{bits != correct} & has_signed_zeros);
  }

  /// Distance of two numbers; infinite if the first is not finite.
  template <floating_format Float>
  static double error_between(bits_of<Float> bits, bits_of<Float> correct) {
    const double error = std::abs(to_double<Float>(bits) - to_double<Float>(correct));
    return error <= std::numeric_limits<double>::max() ? error : std::numeric_limits<double>::infinity();
  }

  template <floating_format Float>
  void note_wrong_case(format_tally& counts, const entry_place& at, bits_of<Float> bits,
                       bits_of<Float> correct, std::uint64_t steps) {
    // Only errors larger than all before are measured exactly.
    const double error = error_between<Float>(bits, correct);
    worst& known = largest_[counts.dtype];
    if (counts.largest_error && steps <= known.steps && error <= known.error) return;
    known = {std::max(steps, known.steps), std::max(error, known.error)};
    counts.add_wrong_case({at, bits, correct, exact_error<Float>(table_.exact(), at, bits)});
  }

  void finish(format_tally& counts) { counts.by_steps[0] = counts.entries - counts.wrong; }

  struct worst {
    std::uint64_t steps = 0;
    double error = 0;
  };

  run_time_table table_;
  phase_rows phase_;
  std::optional<row_walk> walk_;
  right_rows rows_;
  std::unique_ptr<subject> subject_;
  given_entries there_;
  std::size_t stride_;
  double near_ = 0;
  std::int64_t run_begin_ = 0;
  std::uint32_t open_ = 0;  // rows of the run whose entries are decided one by one
  tally tally_;
  two_arrays<double> values_;            // one row
  two_arrays<std::uint32_t> right_;      // [rows_at_once, width]
  two_arrays<std::uint16_t> narrow_[4];  // by dtype, one row
  two_arrays<std::uint64_t> wide_;       // [rows_at_once, pairs]
  two_arrays<std::byte> read_[4];        // by format of the tally, [copies, given_rows_, pairs]
  std::size_t given_rows_ = 0;           // positions per call of the subject
  std::array<worst, 4> largest_{};       // by dtype
};

unit_check::unit_check(const swept_table& table, const subject_maker& maker, right_rows source)
    : rows_(std::make_unique<rows>(table, maker, source)) {}
unit_check::~unit_check() = default;

tally unit_check::check(const unit& unit) { return rows_->check(unit); }

}  // namespace ropewalk::sweep
