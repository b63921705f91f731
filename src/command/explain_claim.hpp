#pragma once
// ropewalk explain claim N: one row of the ledger of claims, with its witness run. ropewalk explain claims:
// the whole ledger.

#include <string>
#include <vector>

#include "command/command.hpp"

namespace ropewalk::command {

/// The numbers that a refusal says are allowed.
inline constexpr const char* allowed_claims = "a number that `ropewalk explain claims` lists";

/// Runs the witness of one claim and prints its row with the evidence. Returns exit_code::fails if the
/// evidence does not support the verdict.
///
/// throws  bad_input if no claim has that number
exit_code explain_claim(const std::string& number, bool as_json);

/// Prints the whole ledger in Markdown, as in proofs/README.md, or as JSON. No witness runs.
exit_code explain_claims(bool as_json);

}  // namespace ropewalk::command
