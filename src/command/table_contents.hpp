#pragma once
// The tables of every encoding, each made from the options of its kind.

#include <memory>
#include <string>

#include "command/table_content.hpp"
#include "command/table_options.hpp"

namespace ropewalk::command {

/// The table that the options ask for; what was understood is kept in the session.
///
/// throws  bad_input or std::invalid_argument naming the option, its value and what is allowed
std::unique_ptr<table_content> make_table(const table_options& options, table_kind kind, session& session);

// One function an encoding, each in table_ENCODING.cpp.
std::unique_ptr<table_content> make_rope_table(const table_options& options, table_kind kind,
                                               session& session);
std::unique_ptr<table_content> make_sinusoidal_table(const table_options& options, session& session);
std::unique_ptr<table_content> make_alibi_table(const table_options& options, table_kind kind,
                                                session& session);
std::unique_ptr<table_content> make_t5_table(const table_options& options, session& session);
std::unique_ptr<table_content> make_index_code_table(const table_options& options, table_kind kind,
                                                     session& session);

/// What is said of every table of a kind, to be completed.
table_description described(table_kind kind);

/// How many rows of so many numbers make a piece of work worth a thread: fewer where a position is real.
std::int64_t rows_a_piece(std::int64_t columns, const input::position_list& positions);

/// Keeps an encoding, as its record says it, in one line for `announce`.
void tell_encoding(const input::json& encoding, session& session);

}  // namespace ropewalk::command
