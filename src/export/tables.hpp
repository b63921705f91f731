#pragma once
// The tables of every encoding: one function per table, in ENCODING_table.cpp.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "export/array_layout.hpp"
#include "export/table.hpp"
#include "input/axis_positions.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/index_code.hpp"
#include "ropewalk/config/learned.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/rope_mixed.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"
#include "ropewalk/config/xpos.hpp"

namespace ropewalk::tables {

/// A table of the layout's kind: frequencies, turns, cosines and sines, or ggml's divisors.
std::unique_ptr<table> rope_table_of(const array_layout& layout, const model::model& model,
                                     const input::position_list& positions);

/// A table of cosines and sines whose pairs use positions on several axes. Of a skewed map, it has those of
/// each channel.
///
/// domain  the model has as many axes as the positions
std::unique_ptr<table> rope_axes_table_of(const array_layout& layout, const model::model& model,
                                          input::axis_positions positions);

/// A table of where tokens stand on a model's axes: whole numbers, or, where the model divides or shifts an
/// index, or `is_real` asks for numbers of a floating format, the exact quotients.
std::unique_ptr<table> positions_table_of(const model::model& model, input::axis_positions at, bool is_real);

/// A table of cosines and sines averaged over the cells that tokens stand for.
///
/// domain  the model has tokens of a grid with windows
std::unique_ptr<table> pooled_axes_table_of(const array_layout& layout, const model::model& model);

/// Frequencies of a mixed embedding. `place` names the array: FILE or FILE#NAME.
struct mixed_frequencies {
  std::string place;
  int axes = 0;
  int heads = 0;
  int pairs = 0;
  std::vector<double> values{};  // [axes, heads, pairs]

  rope_mixed config() const { return {axes, heads, pairs, values.data()}; }
};

/// Reads frequencies of shape [axes, heads, pairs], or [axes, pairs] for one head, in binary64 or binary32.
///
/// throws  bad_input naming frequencies
mixed_frequencies mixed_frequencies_from(const std::string& text);

/// A table of the cosines and sines of a mixed embedding, a leading axis of heads before those of the layout.
///
/// domain  as many axes of positions as of frequencies
/// throws  bad_input naming positions if angles may reach 2^1024
std::unique_ptr<table> rope_mixed_table_of(const array_layout& layout, mixed_frequencies frequencies,
                                           input::axis_positions positions);

/// A table of the cosines and sines by which xPos rotates queries, or keys.
///
/// throws  bad_input naming positions if one of them is too far from the middle
std::unique_ptr<table> xpos_table_of(const array_layout& layout, const xpos& config, xpos_side side,
                                     input::position_list positions);

/// Rows of learned weights. `place` names the array: FILE or FILE#NAME.
struct learned_weights {
  std::string place;
  table_dtype dtype{};
  learned config{};
  std::int64_t first_row = 0;      // of the array: the row of position 0; the rows before it are left out
  std::vector<std::byte> bytes{};  // [max_position_embeddings, d_model]
};

/// Reads weights of shape [max_position_embeddings, d_model] in any floating-point dtype.
///
/// throws  bad_input naming weights
learned_weights weights_from(const std::string& text, std::int64_t first_row = 0);

/// throws  bad_input naming positions if one of them has no row
std::unique_ptr<table> learned_table_of(learned_weights weights, input::position_list positions);

std::unique_ptr<table> sinusoidal_table_of(const sinusoidal& config, const input::position_list& positions);

std::unique_ptr<table> alibi_slopes_of(const alibi& config);

/// Encodings, as records have them.
input::json encoding_record(const sinusoidal& config);
input::json encoding_record(const alibi& config);

std::unique_ptr<table> alibi_bias_of(const alibi& config, const bias_extent& extent);

/// Buckets of relative positions -max_relative .. max_relative.
std::unique_ptr<table> t5_buckets_of(const t5_bias& config, std::int64_t max_relative);

/// Codes of positions.
///
/// throws  bad_input naming positions if one of them has no code
std::unique_ptr<table> index_codes_of(table_kind kind, const index_code& config,
                                      const input::position_list& positions);

/// Scales of queries; `model` names whose they are, empty by hand.
///
/// throws  bad_input naming positions if one of them has no scale
std::unique_ptr<table> query_scales_of(const query_scale& config, const input::position_list& positions,
                                       const std::string& model = "");

/// The part of a description that all tables of a kind share.
table_description described(table_kind kind);

/// Refuses positions outside 0 .. count - 1, before anything is written; `why` ends the message.
///
/// throws  bad_input naming positions and the first position without a row
void refuse_positions_beyond(const input::position_list& positions, std::int64_t count,
                             const std::string& why);

/// Number of rows of `columns` numbers that are enough work for one thread, where each number is reduced on
/// its own instead of many at once.
std::int64_t slow_rows_per_piece(std::int64_t columns);

/// The same of any table with these positions: real positions are the slow ones.
std::int64_t rows_per_piece(std::int64_t columns, const input::position_list& positions);

}  // namespace ropewalk::tables
