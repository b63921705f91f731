#pragma once
// Finds the promises that an array keeps: entries are held to the bounds of each, as they are read.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "export/array_layout.hpp"
#include "export/entry_bounds.hpp"
#include "export/table.hpp"
#include "input/positions.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::output {

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
/// and sine are judged together where they stand in one row. Frequencies are held to the part `frequency`.
/// A promise is broken where the error is above its bound for certain, by 40 digits where binary64 cannot
/// say. Promises without a bound for the attention factor and the dtype are not tried.
class promise_search : public promise_watch {
 public:
  /// `asked` is tried beside the named promises; `of` and `positions` must outlive this object.
  promise_search(const table& of, const array_grid& grid, table_dtype dtype, const rope& config,
                 const input::position_list& positions, const promise& asked);

  void look(std::int64_t row, const std::byte* entries, const std::byte* rounded,
            const std::function<const std::byte*()>& nearest) override;
  std::vector<tried_promise> found() const override { return tried_; }
  vacuous_entries vacuous() const override;

 private:
  void add_promise(const promise& one);

  /// How closely a row was measured: against its entries in the array's dtype, in binary64, or in digits.
  enum class closeness { dtype, binary64, digits };

  /// The errors of a row against its correctly rounded entries in a format.
  template <class Float>
  void measure(std::int64_t row, const std::byte* entries, const std::byte* rounded);
  void measure_digits(std::int64_t row, const std::byte* entries);
  void add(const array_place& place, std::int64_t column, const error_range& error);
  double value_at(const std::byte* entries, std::int64_t column) const;
  /// A bound that is not above the one at a place: the bound at the power of two below its position.
  double least_bound(std::size_t promise_index, const array_place& place);
  double position_of(const array_place& place) const;

  const table* table_;
  array_grid grid_;
  table_dtype dtype_;
  const input::position_list* positions_;
  entry_bounds limits_;
  promise asked_;
  std::vector<tried_promise> tried_;
  std::vector<pair_error> errors_;  // of one row, per pair
  std::vector<double> least_;       // bounds per promise, pair and power of two; below 0: not computed yet
};

}  // namespace ropewalk::output
