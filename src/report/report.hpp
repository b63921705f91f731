#pragma once
// The results of a verification as text, and the parts of it that every kind of report shows.

#include <string>
#include <vector>

#include "output/terminal.hpp"
#include "report/report_kind.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// The compiler that built this program, and the processor it runs on.
std::string compiler();
std::string processor();

/// The finding of a result as text: "holds", "FAILS", "not reproducible", "vacuous", "measured",
/// "not judged", "not served", "nothing compared", "too few compared", "no bound", "not run".
std::string verdict_of(const verify::result& result);

/// Whether a result is decided by equality, not by the distance from a bound.
bool is_equality(const verify::result& result);

/// "8 verdicts: 5 hold, 1 fail, 2 not served", followed by the rarer findings that occurred.
std::string words_of(const verify::totals& sum);

/// Of those, what begins with a comma: ", 3 not judged".
std::string rarer_words_of(const verify::totals& sum);

/// Worst observed error and bound as the table shows them: "1.19e-07" and "1.72e-07 a|x|"; "equal" or
/// "differs" if equality decides; "-" if nothing was judged.
std::string observed_of(const verify::result& result);
std::string bound_of(const verify::result& result);

/// Whether a failure is told whole: the first of each kernel and law, and every failure of a table.
bool is_reported(const verify::result& result);

/// The file behind a result, as CI servers name it: relative to the working directory if it lies there,
/// otherwise absolute; empty if there is none.
std::string shown_file_of(const verify::results& results, const verify::result& result);

/// The counterexample of a failure, in several lines.
std::string counterexample_of(const verify::result& result);

/// The results with the names of kernels and models, and the commands that hold them, as plain lines.
verify::results with_plain_names(verify::results results);

/// The results with the names of kernels and arrays without their files' paths, where they still differ.
verify::results with_short_names(verify::results results);

/// How much the text shows: every result, or one screen. The screen shows a matrix for several kernels. For
/// one kernel it shows a row per law and finding, with the worst of the dtypes, and of the models that hold.
/// Of failures it shows the first of two kernels.
enum class detail { everything, screen };

/// PASS or FAIL, the results, then calls that were not served or not judged, then failures and their causes,
/// then totals with the seed. Coloured if the stream supports it.
std::string as_text(const verify::results& results, detail shown = detail::everything,
                    output::stream to = output::stream::out, int columns = 80);

/// Its two parts: what is known before the causes of failures are looked for, and the rest.
std::string verdicts_as_text(const verify::results& results, detail shown, output::stream to, int columns);
std::string findings_as_text(const verify::results& results, detail shown, output::stream to);

/// Parts of that text: the matrix or table; what was measured, and what was not judged, by reason; causes of
/// failures, and the promises that kernels keep: dtypes with the same answer share a line.
std::string overview_of(const verify::results& results, detail shown, output::stream to, int columns);
std::string remarks_of(const verify::results& results, detail shown);
std::string conclusions_of(const verify::results& results);
std::string kept_promises_of(const verify::results& results);

/// A cause in a line, and the kernel that has it. A kernel has a line for each cause if its models differ;
/// arrays with the same cause share one.
struct cause_text {
  std::string kernel;
  std::string text;
};
std::vector<cause_text> causes_of(const verify::results& results);

/// What was found of each array of a file, beside its laws. One screen shows those of which a law fails, or
/// the only one.
std::string arrays_of(const verify::results& results, detail shown);

/// Workflow commands for the standard output of a step of GitHub Actions: annotations of failures.
std::string as_annotations(const verify::results& results);

}  // namespace ropewalk::report
