#pragma once
// Audits results by independent arithmetic: MPFR recomputes hard cases and sampled entries, and sampled units
// are recomputed with each entry from its own phase.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/certificate.hpp"
#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// Outcome of an audit. It failed if there are differences; each is a sentence.
struct audit_result {
  std::int64_t hard_cases = 0;  // recomputed by MPFR
  std::int64_t entries = 0;     // of the table, recomputed by MPFR
  std::int64_t units = 0;       // checked again
  std::vector<std::string> differences;
};

/// Called before each step with the step's name.
using audit_progress = std::function<void(const std::string&)>;

/// Audits results of units of a range of work: every hard case, and some units. The results determine which
/// units, so equal results get equal audits.
///
/// domain  sample_units >= 0
audit_result audit(const work_range& range, std::span<const unit_result> units, int sample_units,
                   const audit_progress& progress);

/// Differences between MPFR and the hard cases of one format, in their bits or distances from the tie.
std::vector<std::string> audit_hard_cases(const swept_table& table, const format_tally& tally);

/// Rechecks a certificate's unit, with each entry of the table computed from its own phase. The line of the
/// result must have the unit's checksum.
std::vector<std::string> audit_unit(const certificate& certificate, const certified_part& part,
                                    const swept_table& table, std::int64_t index);

/// Rechecks some positions of a certificate's part. No entry of the table may be wrong or undecided. Entries
/// nearer to a tie than the certificate's hardest cases must be among these.
std::vector<std::string> audit_positions(const certified_part& part, const swept_table& table,
                                         position_range positions);

}  // namespace ropewalk::sweep
