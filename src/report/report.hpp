#pragma once
// The results of a verification as text, JSON, JUnit XML and for GitHub Actions.

#include <string>

#include "export/terminal.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// The compiler that built this program, and the processor it runs on.
std::string compiler();
std::string processor();

/// The finding of a result as text: "holds", "FAILS", "not reproducible", "vacuous", "measured",
/// "not judged", "not served", "nothing compared", "too few compared", "no bound", "not run".
std::string verdict_of(const verify::result& one);

/// Whether a result is decided by equality, not by the distance from a bound.
bool is_equality(const verify::result& one);

/// "8 verdicts: 5 hold, 1 fail, 2 not served", followed by the rarer findings that occurred.
std::string words_of(const verify::totals& sum);

/// Worst observed error and bound as the table shows them: "1.19e-07" and "1.72e-07 a|x|"; "equal" or
/// "differs" if equality decides; "-" if nothing was judged.
std::string observed_of(const verify::result& one);
std::string bound_of(const verify::result& one);

/// The counterexample of a failure, in several lines.
std::string counterexample_of(const verify::result& one);

/// How much the text shows: every result, or one screen. The screen shows a matrix for several kernels. For
/// one kernel it shows a row per law, with the worst of the models and dtypes that hold; every other result
/// that was served has its own row.
enum class detail { everything, screen };

/// The results, then calls that were not served or not judged, then failures and their causes, then totals
/// with the seed. Coloured if the stream supports it.
std::string as_text(const verify::results& of, detail shown = detail::everything,
                    output::stream to = output::stream::out, int columns = 80);
std::string as_json(const verify::results& of);
std::string as_junit(const verify::results& of);

/// GitHub Actions: annotations for standard output, and a step summary in markdown.
std::string as_annotations(const verify::results& of);
std::string as_summary(const verify::results& of);

}  // namespace ropewalk::report
