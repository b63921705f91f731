#pragma once
// The ledger of claims in words, as Markdown and as JSON.

#include <vector>

#include "claim/claim.hpp"

namespace ropewalk::report {

/// One row and what its witness sees now.
void print_claim(const claim::claim& one, const claim::evidence& seen, bool as_json);

/// The whole ledger as a table in Markdown, as proofs/README.md has it, or as JSON.
void print_claims(const std::vector<claim::claim>& all, bool as_json);

}  // namespace ropewalk::report
