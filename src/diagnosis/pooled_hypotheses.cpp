// Tables of cosines and sines averaged over cells, from an engine with one mistake.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "diagnosis/pooled_hypotheses.hpp"
#include "diagnosis/rotary_suspect.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::diagnosis {
namespace {

/// The number that a table has instead of the mean of a window's cells.
enum class pooling { mean, first_cell, middle, unit_norm, zeros_beyond, sum };

class pooled_suspect : public suspected_table {
  static constexpr int narrow = 2;  // 128 bits: entries of binary64 and their bounds are far coarser

 public:
  pooled_suspect(const model::model& model, pooling how)
      : windows_(model.windows),
        axes_(static_cast<std::size_t>(model.axes.count)),
        rows_(model::placed(model)),
        how_(how) {
    const rotary_suspect right = suspect_of(model::placed(model));
    axis_of_ = right.axis;
    pairs_ = bounded_pairs(right);
  }

  bool allows(array_reader& array, std::int64_t place, const promise& promised) const override {
    if (array.array().pairs != static_cast<int>(pairs_.size())) return false;
    const std::vector<double>& observed = array.at(place);
    std::vector<std::optional<cos_sin<narrow>>> exact(pairs_.size());
    for (std::size_t i = 0; i < observed.size(); ++i) {
      const auto columns = static_cast<std::size_t>(array.grid().columns());
      const std::int64_t row = place + static_cast<std::int64_t>(i / columns) * array.places();
      const tables::array_place at = array.grid().at(row, static_cast<std::int64_t>(i % columns));
      const auto pair = static_cast<std::size_t>(at.pair);
      const axis_window& window = window_at(place, static_cast<std::size_t>(axis_of_[pair]));
      if (!exact[pair]) exact[pair] = entries_of(at.pair, place);
      const double bound = array::entry_bound(array.array().dtype, promised, pairs_[pair],
                                              static_cast<double>(window.first + window.cells));
      const auto apart =
          enclosure<narrow>::of(observed[i]) - (at.is_sin ? exact[pair]->sin : exact[pair]->cos);
      if (!std::isfinite(observed[i]) ||
          compare(absolute(apart), enclosure<narrow>::of(bound)) == order::greater)
        return false;
    }
    return true;
  }

 private:
  cos_sin<narrow> at(int pair, double position) const { return rows_.exact<narrow>(pair, position, false); }

  const axis_window& window_at(std::int64_t place, std::size_t axis) const {
    return windows_[static_cast<std::size_t>(place) * axes_ + axis];
  }

  /// Number of a window's cells on the grid.
  static int cells_on_grid(const axis_window& window) {
    return std::min(window.cells, window.last - window.first + 1);
  }

  cos_sin<narrow> entries_of(int pair, std::int64_t place) const {
    const auto own = static_cast<std::size_t>(axis_of_[static_cast<std::size_t>(pair)]);
    const axis_window& window = window_at(place, own);
    if (how_ == pooling::first_cell) return at(pair, window.first);
    if (how_ == pooling::middle) return at(pair, window.first + 0.5 * (window.cells - 1));
    cos_sin<narrow> sum{enclosure<narrow>::of(0), enclosure<narrow>::of(0)};
    for (int cell = 0; cell < window.cells; ++cell) {
      if (how_ == pooling::zeros_beyond && cell >= cells_on_grid(window)) break;
      const cos_sin<narrow> point = at(pair, window.index(cell));
      sum = {sum.cos + point.cos, sum.sin + point.sin};
    }
    enclosure<narrow> by = enclosure<narrow>::of(window.cells);
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      const axis_window& other = window_at(place, axis);
      if (how_ == pooling::zeros_beyond && axis != own)  // cells beyond another axis's end are zero, too
        by = by * enclosure<narrow>::of(other.cells) / enclosure<narrow>::of(cells_on_grid(other));
      if (how_ == pooling::sum) by = by / enclosure<narrow>::of(other.cells);
    }
    if (how_ == pooling::unit_norm) by = square_root(sum.cos * sum.cos + sum.sin * sum.sin);
    return {sum.cos / by, sum.sin / by};
  }

  std::vector<axis_window> windows_;  // [tokens, axes]
  std::size_t axes_;
  rope_rows rows_;
  pooling how_;
  std::vector<int> axis_of_;  // each pair
  std::vector<array::bounded_pair> pairs_;
};

}  // namespace

table_suspects pooled_suspects(const model::model& model) {
  const auto table = [&](pooling how) { return std::make_shared<const pooled_suspect>(model, how); };
  std::vector<table_hypothesis> made;
  const auto add = [&](const char* name, const char* sentence, pooling how) {
    made.push_back({name, sentence, table(how)});
  };
  add("pooled-first-cell", "each token has the cosines and sines of its first cell: nothing is averaged",
      pooling::first_cell);
  add("pooled-middle",
      "each token is turned by the angle of its middle, with the norm 1: the mean's norm is less",
      pooling::middle);
  add("pooled-unit-norm", "the means are scaled to the norm 1", pooling::unit_norm);
  add("pooled-zeros-beyond", "cells beyond the grid count as zeros, where its last cell is repeated",
      pooling::zeros_beyond);
  add("pooled-sum", "the cells are summed, and not divided by their number", pooling::sum);
  return {table(pooling::mean), as_known(std::move(made))};
}

}  // namespace ropewalk::diagnosis
