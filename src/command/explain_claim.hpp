#pragma once
// ropewalk explain claim N and explain claims: the ledger's rows, each with its witness run on the spot.

#include <string>

#include "command/command.hpp"

namespace ropewalk::command {

/// Prints one row and what its witness sees now; fails where that does not show the verdict.
///
/// throws  bad_input where there is no claim of that number
exit_code explain_claim(const std::string& number, bool as_json);

/// The whole ledger as a table in Markdown, as proofs/README.md has it, or as JSON; no witness runs.
exit_code explain_claims(bool as_json);

}  // namespace ropewalk::command
