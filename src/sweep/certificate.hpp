#pragma once
// Certificates: statements that all entries of a table, over a range of positions, have been checked.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// Result of one pass over a table's positions.
struct certified_part {
  position_range positions{};
  std::int64_t positions_of_unit = 0;  // per unit; the last may have fewer
  std::string unit_checksums;          // the first checksum_digits digits per unit, in order
  std::string digest;                  // digest of the whole checksums, one per line
  std::string command;                 // command that computes the same
  int computations = 1;                // agreeing computations per entry; 1: the rounding test only
  tally counts;                        // no entry is wrong or undecided
};

/// The certificate of one table.
struct certificate {
  std::string file;     // name without ".json"; before writing, file_name_of(first model)
  std::string program;  // name and version of the program
  std::string table;    // identity of the table
  int pairs = 0;
  std::vector<std::string> models;  // models with the table
  std::vector<certified_part> parts;
};

inline constexpr int checksum_digits = 8;

/// Every table of the catalogue: one per model and kind of rotating layers, each at the model's own
/// max_position_embeddings.
std::vector<swept_table> catalogue_tables();

/// The certificate of a table for whose units all results exist. Formats with different units become parts.
///
/// throws  std::invalid_argument naming the error: a result is wrong, missing, undecided or of another table
certificate certificate_of(const swept_table& table, std::span<const unit_result> units);

/// A certificate's text, with a final line end. Equal certificates give equal bytes.
std::string text_of(const certificate& certificate);

/// throws  std::invalid_argument or nlohmann::json::exception if the text is not a certificate: a field is
///         missing, or counts, units and cases contradict each other
certificate certificate_from_text(std::string_view text);

/// The name of a certificate's file, without ".json", derived from the first model with the table: letters,
/// digits, dots, dashes and underscores, at most 100.
std::string file_name_of(std::string_view model);

/// Writes DIRECTORY/MODEL.json, or MODEL-2.json and so on if earlier names belong to other tables. An
/// existing certificate of this table keeps its parts in other formats.
///
/// throws  bad_input naming certificates and the error
void certify(const swept_table& table, std::span<const unit_result> units, const std::string& directory);

/// The certificate's file in proofs/certificate.
std::string path_of(const certificate& certificate);

/// The command that makes a model's certificate.
std::string command_for(const model::model& model);

/// The smallest number of binary64 positions in a certificate of the catalogue.
inline constexpr std::int64_t fewest_wide_positions = std::int64_t{1} << 20;

/// The commands that make the certificate of a catalogue table in the place where a build finds it. They run
/// in the root of the sources: first every position in the formats that share a pass, then binary64.
std::vector<std::string> commands_for(const swept_table& table);

/// The certificates embedded in the program by the build, sorted by file.
const std::vector<certificate>& certificates();

/// Null if the table is not certified.
const certificate* certificate_for(std::string_view table);

/// The tables without a certificate.
std::vector<swept_table> uncertified(std::span<const swept_table> tables,
                                     std::span<const certificate> certificates);

/// Errors of certificates, one sentence each: other pairs or models than their table has, a table that is not
/// among these, or a file name that does not match the first model.
std::vector<std::string> misnamed(std::span<const swept_table> tables,
                                  std::span<const certificate> certificates);

/// A unit of a part. Its name needs a range of work: work_range_of.
///
/// domain  0 <= index < unit_count(part)
unit unit_at(const certified_part& part, std::int64_t index);
std::int64_t unit_count(const certified_part& part);
/// A range of work of one table with a part's units.
work_range work_range_of(const swept_table& table, const certified_part& part);

}  // namespace ropewalk::sweep
