#pragma once
// The tables of every encoding: one function per table, in ENCODING_table.cpp.

#include <memory>

#include "export/array_layout.hpp"
#include "export/table.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/index_code.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::output {

/// A table of the layout's kind: frequencies, turns, cosines and sines, or ggml's divisors.
std::unique_ptr<table> rope_table_of(const array_layout& layout, model::model model,
                                     input::position_list positions);

std::unique_ptr<table> sinusoidal_table_of(const sinusoidal& config, input::position_list positions);

std::unique_ptr<table> alibi_slopes_of(const alibi& config);

/// Numbers of queries and keys. The last query has the position of the last key.
struct bias_extent {
  std::int64_t queries = 1;
  std::int64_t keys = 1;

  std::int64_t position_of(std::int64_t query) const { return keys - queries + query; }
};

std::unique_ptr<table> alibi_bias_of(const alibi& config, const bias_extent& extent);

/// Buckets of relative positions -max_relative .. max_relative.
std::unique_ptr<table> t5_buckets_of(const t5_bias& config, std::int64_t max_relative);

/// Codes of positions.
///
/// throws  bad_input naming positions if one of them has no code
std::unique_ptr<table> index_codes_of(table_kind kind, const index_code& config,
                                      input::position_list positions);

/// The part of a description that all tables of a kind share.
table_description described(table_kind kind);

/// Number of rows of `columns` numbers that are enough work for one thread; fewer if positions are real.
std::int64_t rows_a_piece(std::int64_t columns, const input::position_list& positions);

}  // namespace ropewalk::output
