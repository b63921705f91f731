#pragma once
// Prints the ledger of claims as text, as Markdown and as JSON.

#include <vector>

#include "claim/claim.hpp"

namespace ropewalk::report {

/// Prints one claim, with the evidence of its witness.
void print_claim(const claim::claim& stated, const claim::evidence& evidence, bool as_json);

/// Prints the whole ledger: the documents' titles and a Markdown table, as in proofs/README.md, or JSON.
void print_claims(const std::vector<claim::claim>& all, bool as_json);

}  // namespace ropewalk::report
