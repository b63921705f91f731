#pragma once
// Bounds that promises set for the entries of a rotary table, or of one of sinusoids.

#include <cstdint>
#include <optional>
#include <vector>

#include "array/entry_bound.hpp"
#include "export/table_kind.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::array {

/// Bounds on the errors of entries in a dtype: of a pair's cosine and sine together, or of its frequency.
class entry_bounds {
 public:
  /// Positions are those of each pair's axis.
  entry_bounds(const placed_rope& config, tables::table_dtype dtype, bool has_positions);
  /// A position is then a row, padding included.
  entry_bounds(const sinusoidal& config, tables::table_dtype dtype);

  /// Whether a promise of parts has bounds for the attention factor and for every frequency.
  bool has(const promise& promised) const;

  /// Absolute error bound at a position.
  ///
  /// domain  a promise that has() bounds; position >= 0, and 0 for frequencies
  /// error   rounded up; entry_bound and stored_frequency_bound
  double at(const promise& promised, int pair, double position) const;

  /// The same error relative to the attention factor, or to the frequency.
  double relative_at(const promise& promised, int pair, double position) const;

  /// The first position, up to the largest one, at which an entry of zero would keep the bound of a pair's
  /// cosine and sine; none if there is no such position.
  std::optional<std::int64_t> vacuous_from(const promise& promised, int pair) const;

  double attention() const { return attention_; }  // in binary64
  int pairs() const { return static_cast<int>(pairs_.size()); }

 private:
  tables::table_dtype dtype_;
  bool has_positions_;
  double attention_ = 1;
  std::vector<bounded_pair> pairs_;
};

}  // namespace ropewalk::array
