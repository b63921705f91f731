#pragma once
// The encodings without a model that the options of `ropewalk table` and `ropewalk apply` describe.

#include <cstdint>
#include <span>
#include <string>

#include "command/table_options.hpp"
#include "export/tables.hpp"

namespace ropewalk::command {

// Each throws  bad_input or std::invalid_argument naming the option, its value and what is allowed
sinusoidal sinusoidal_from(const table_options& options);
alibi alibi_from(const table_options& options);
xpos xpos_from(const table_options& options);
xpos_side side_from(const table_options& options);
t5_bias t5_bias_from(const table_options& options);
index_code index_code_from(const table_options& options, tables::table_kind kind);

/// Queries and keys of a table of biases.
tables::bias_extent extent_from(const table_options& options);

/// The largest distance of a table of buckets.
std::int64_t max_relative_from(const table_options& options, const t5_bias& config);

/// The scale of a model, the model's name and how many positions it has; by hand, no model gives those.
struct chosen_scale {
  query_scale scale{};
  std::int64_t positions = 0;
  std::string model{};
};
chosen_scale query_scale_from(const table_options& options, session& session);

/// The options with the numbers that --config has for an encoding which does not rotate. What its code does
/// beside them is appended to session.understood.
///
/// throws  bad_input where it has another encoding, or another number than an option says
table_options with_numbers_of_config(const table_options& options, std::span<const tables::table_kind> kinds,
                                     session& session);

}  // namespace ropewalk::command
