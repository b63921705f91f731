#pragma once
// Tables with misplaced tokens: in another order, with another side first, or without an option.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"
#include "export/row_positions.hpp"

namespace ropewalk::diagnosis {

/// Consecutive rows of tokens placed by one rule.
struct run_of_rows {
  std::string what;  // "the picture"; empty if all tokens are one run
  std::int64_t begin = 0;
  std::int64_t end = 0;

  /// "all tokens of the picture", or "all tokens".
  std::string tokens() const { return what.empty() ? "all tokens" : "all tokens of " + what; }
};

/// The runs of a model's grid, if the positions are those of its grid; otherwise one run of all rows.
std::vector<run_of_rows> runs_of(const model::model& model, const tables::row_positions& positions);

/// The index of a token on an axis, or its real coordinate.
double place_of(const tables::row_positions& positions, std::int64_t row, int axis);

/// Tables whose tokens are in another order, or placed as for another grid.
///
/// domain  the positions must outlive the hypotheses
std::vector<table_hypothesis> token_hypotheses(const model::model& model,
                                               const tables::row_positions& positions);

}  // namespace ropewalk::diagnosis
