#pragma once
// Holds results to arithmetic that shares nothing with what made them: hard cases and sampled entries are
// computed again by MPFR; sampled units with each entry from its own phase.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/certificate.hpp"
#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// What an audit did. It failed if there are differences, each a sentence.
struct audit_result {
  std::int64_t hard_cases = 0;  // computed by MPFR
  std::int64_t entries = 0;     // of the table, computed by MPFR
  std::int64_t units = 0;       // checked again
  std::vector<std::string> differences;
};

/// Called before each step with what is about to be done.
using audit_progress = std::function<void(const std::string&)>;

/// Audits results of units of a range of work: every hard case, and some units. Which units is decided by the
/// results, so that the same results are audited alike.
///
/// domain  sample_units >= 0
audit_result audit(const work_range& range, std::span<const unit_result> units, int sample_units,
                   const audit_progress& progress);

/// What MPFR contradicts in the hard cases of one format: their bits, or their distances from the tie.
std::vector<std::string> audit_hard_cases(const swept_table& table, const format_tally& tally);

/// Checks a certificate's unit again, each entry of the table against its own phase: the line of the result
/// must have the unit's checksum.
std::vector<std::string> audit_unit(const certificate& certificate, const certified_part& part,
                                    const swept_table& table, std::int64_t index);

/// Checks some positions of a certificate's part again: no entry of the table may be wrong or undecided, and
/// those nearer to a tie than the certificate's hardest cases must be among these.
std::vector<std::string> audit_positions(const certified_part& part, const swept_table& table,
                                         position_range positions);

}  // namespace ropewalk::sweep
