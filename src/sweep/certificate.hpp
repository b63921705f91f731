#pragma once
// What is certified of a table: that all its entries, over a range of positions, have been checked.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// What one pass over a table's positions found.
struct certified_part {
  position_range positions{};
  std::int64_t positions_of_unit = 0;  // of every unit but the last, which may have fewer
  std::string unit_checksums;          // the first checksum_digits digits of every unit's, in their order
  std::string digest;                  // of the whole checksums, a line each
  std::string command;                 // that computes the same
  int computations = 1;                // of every entry, which agree: 1 asked its rounding test alone
  tally counts;                        // no entry of it is wrong or undecided
};

/// The certificate of one table.
struct certificate {
  std::string file;     // its name without ".json"; until it is written, file_name_of its first model
  std::string program;  // and its version
  std::string table;    // identity
  int pairs = 0;
  std::vector<std::string> models;  // that have the table
  std::vector<certified_part> parts;
};

inline constexpr int checksum_digits = 8;

/// Every table of the catalogue: of each model at its own max_position_embeddings and of each kind of its
/// layers that rotates.
std::vector<swept_table> catalogue_tables();

/// The certificate of a table whose every unit has a result. Formats whose units differ become parts.
///
/// throws  std::invalid_argument saying what is wrong, missing, undecided or another table's
certificate certificate_of(const swept_table& table, std::span<const unit_result> units);

/// A certificate's text, with its line's end. Equal certificates give equal bytes.
std::string text_of(const certificate& certificate);

/// throws  std::invalid_argument or nlohmann::json::exception if the text is no certificate: a field is
///         missing, or counts, units and cases do not fit each other
certificate certificate_from_text(std::string_view text);

/// The name of a certificate's file, without ".json", from that of the first model that has the table:
/// letters, digits, dots, dashes and underscores, at most 100.
std::string file_name_of(std::string_view model);

/// Writes DIRECTORY/MODEL.json, or MODEL-2.json and so on where these are of other tables. In a certificate
/// of this table that is there already, parts in other formats stay.
///
/// throws  bad_input naming certificates, with what is wrong
void certify(const swept_table& table, std::span<const unit_result> units, const std::string& directory);

/// Its file in proofs/certificate.
std::string path_of(const certificate& certificate);

/// The command that makes a model's certificate.
std::string command_for(const model::model& model);

/// How many positions of binary64 a certificate of the catalogue has at least.
inline constexpr std::int64_t fewest_wide_positions = std::int64_t{1} << 20;

/// The commands that make the certificate of a table of the catalogue where a build finds it, if they run in
/// the root of the sources: every position in the formats that share a pass, then binary64.
std::vector<std::string> commands_for(const swept_table& table);

/// The certificates that the build has put into the program, sorted by file.
const std::vector<certificate>& certificates();

/// None if the table is not certified.
const certificate* certificate_for(std::string_view table);

/// The tables that no certificate is of.
std::vector<swept_table> uncertified(std::span<const swept_table> tables,
                                     std::span<const certificate> certificates);

/// Certificates that name other pairs or models than their table has, whose table is none of these, or whose
/// file has another name than its first model gives it, a sentence each.
std::vector<std::string> misnamed(std::span<const swept_table> tables,
                                  std::span<const certificate> certificates);

/// The unit of a part. Its name needs a range of work: work_range_of.
///
/// domain  0 <= index < unit_count(part)
unit unit_at(const certified_part& part, std::int64_t index);
std::int64_t unit_count(const certified_part& part);
/// A range of work of one table that holds a part's units.
work_range work_range_of(const swept_table& table, const certified_part& part);

}  // namespace ropewalk::sweep
