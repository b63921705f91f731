#pragma once
// Finds the promises that an array keeps: its entries are checked against the bounds of each, as they are
// read.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "array/entry_bounds.hpp"
#include "export/array_layout.hpp"
#include "export/table.hpp"

namespace ropewalk::array {

/// An entry by its row and column.
struct entry_place {
  std::int64_t row = -1;
  std::int64_t column = 0;
  std::int64_t order = 0;  // of its row: the smallest is the first place
};

inline constexpr entry_place nowhere{};

constexpr bool is_somewhere(const entry_place& place) { return place.row >= 0; }

/// A promise, the first entry of an array that breaks it (nowhere if it is kept), and the largest
/// observed / bound up to that entry. Correctly rounded rows are not measured.
struct tried_promise {
  promise value{};
  entry_place broken_at = nowhere;
  double worst = 0;        // an upper bound of the ratio; at most 1 while the promise is kept
  double worst_bound = 0;  // the bound there, relative to the attention factor or the frequency
};

/// The entries for which a promise decides nothing: zero in their place would keep it.
struct vacuous_entries {
  std::int64_t count = 0;
  std::optional<std::int64_t> some_from{};   // the first position at which a pair has such entries
  std::optional<std::int64_t> every_from{};  // the first at which every pair has
};

/// Where an array has the cosines and sines of its pairs, or their frequencies.
struct searched_grid {
  static constexpr int no_pair = -1;  // of a column of zeros, which is exact

  std::int64_t rows = 0;
  std::int64_t columns = 0;  // column 0 is of pair 0
  int pairs = 0;
  bool has_positions = true;
  bool has_zeros = false;  // in the columns of no pair
  std::int64_t positions = 0;
  std::function<tables::array_place(std::int64_t row, std::int64_t column)> at{};
  int axes = 1;
  std::function<int(int pair)> axis_of{};  // where there are several axes
  /// What multiplies the frequencies of an axis, without its sign.
  std::function<double(std::int64_t position_row, int axis)> size_of{};
};

/// An error that lies between two numbers.
struct error_range {
  double least = 0;
  double most = 0;
};

/// Errors of a pair's cosine and sine in one row, and a column of the larger one.
struct pair_error {
  bool is_set = false;
  error_range cos{};
  error_range sin{};
  std::int64_t column = 0;
};

/// The promises of parts, from strict to loose, and for each the first entry that breaks it. A pair's cosine
/// and sine are judged together where they stand in one row. Frequencies are checked against the part
/// `frequency`. A promise is broken where the error is above its bound for certain, by 40 digits where
/// binary64 cannot say. Promises without a bound for the attention factor and the dtype are not tried. A
/// number other than 0 in a column of zeros breaks every promise.
class promise_search {
 public:
  /// `promised` is tried beside the named promises; `table` must outlive this object.
  promise_search(const tables::table& table, searched_grid grid, tables::table_dtype dtype,
                 entry_bounds limits, const promise& promised);

  /// Looks at a row of the array. `rounded` are the row's correctly rounded entries in the array's dtype;
  /// nearest() gives them in binary64.
  void look(std::int64_t row, const std::byte* entries, const std::byte* rounded,
            const std::function<const std::byte*()>& nearest);
  const std::vector<tried_promise>& found() const { return tried_; }
  /// Of the promise that was asked for.
  vacuous_entries vacuous() const;

 private:
  void add_promise(const promise& promised);

  /// How closely a row was measured: against its entries in the array's dtype, in binary64, or in digits.
  enum class closeness { dtype, binary64, digits };

  /// The errors of a row against its correctly rounded entries in a format.
  template <class Float>
  void measure(std::int64_t row, const std::byte* entries, const std::byte* rounded);
  void measure_digits(std::int64_t row, const std::byte* entries);
  void add(const tables::array_place& place, std::int64_t column, const error_range& error);
  double value_at(const std::byte* entries, std::int64_t column) const;
  /// A bound that is not above the one at a place: the bound at a position just below its own.
  double least_bound(std::size_t promise_index, int pair, std::size_t step);
  double position_of(const tables::array_place& place) const;
  void judge_zeros(std::int64_t row, const std::byte* entries);

  /// Marks the pairs of a row whose errors may break a promise that no earlier position has broken; false if
  /// there are none.
  bool mark_open_pairs(std::int64_t row, const std::byte* entries, const std::byte* rounded);
  /// Upper bounds of the errors of a row's parts, into errors_above_.
  template <class Float>
  void measure_above(const std::byte* entries, const std::byte* rounded);
  void assign_columns(std::int64_t row);
  static constexpr std::size_t no_part = static_cast<std::size_t>(-1);  // of a column of zeros
  /// Brings squares_allowed_ to a step of positions and the promises that are still open there.
  void allow_squares(const tables::array_place& place);
  /// Adds an upper bound of a pair's squared error to the result of the asked promise.
  void take_asked(double square, std::size_t pair, const tables::array_place& place);
  /// Adds a ratio of observed error to bound to the result of a promise.
  void take_ratio(tried_promise& candidate, double ratio, int pair, const tables::array_place& place) const;
  void judge(std::int64_t row, int pair, const std::byte* entries,
             const std::function<const std::byte*()>& nearest);

  const tables::table* table_;
  searched_grid grid_;
  tables::table_dtype dtype_;
  entry_bounds limits_;
  promise promised_;
  std::vector<tried_promise> tried_;
  std::vector<pair_error> errors_;     // of one row, per pair
  closeness seen_ = closeness::dtype;  // of errors_
  std::vector<double> bounds_;         // per promise, pair and step of positions; below 0: not computed yet
  std::vector<char> is_open_pair_;     // of one row
  std::vector<double> errors_above_;   // of one row: of the pairs' cosines, then of their sines
  std::vector<std::size_t> part_of_column_;  // index into errors_above_
  std::vector<double> squares_allowed_;      // per pair: below it, a squared error keeps every open promise
  std::vector<double> asked_squares_;        // per pair: the square of the asked promise's least bound, or -1
  double worst_asked_ = 0;                   // the largest ratio of squares so far
  std::size_t asked_index_ = 0;      // among tried_; their number where the asked promise is not tried
  std::vector<bool> open_promises_;  // for which squares_allowed_ holds
  std::vector<int> axis_of_;         // of each pair
  std::vector<std::size_t> steps_;   // of the positions on each axis, for which squares_allowed_ holds, too
};

}  // namespace ropewalk::array
