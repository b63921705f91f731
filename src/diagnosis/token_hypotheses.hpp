#pragma once
// Tables whose tokens stand elsewhere: another order of tokens, another side first, an option that was not
// read.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"
#include "export/row_positions.hpp"

namespace ropewalk::diagnosis {

/// Consecutive rows of tokens that one rule places.
struct run_of_rows {
  std::string what;  // "the picture", or empty where all tokens are one run
  std::int64_t begin = 0;
  std::int64_t end = 0;

  /// "all tokens of the picture", or "all tokens".
  std::string tokens() const { return what.empty() ? "all tokens" : "all tokens of " + what; }
};

/// The runs of a model's grid, if the positions are those of its grid; otherwise one of all rows.
std::vector<run_of_rows> runs_of(const model::model& model, const tables::row_positions& positions);

/// The index of a token on an axis, or its real coordinate.
double place_of(const tables::row_positions& positions, std::int64_t row, int axis);

/// Tables of tokens that an engine has in another order, or places as if another grid had been asked for.
///
/// domain  the positions outlive the hypotheses
std::vector<table_hypothesis> token_hypotheses(const model::model& model,
                                               const tables::row_positions& positions);

}  // namespace ropewalk::diagnosis
