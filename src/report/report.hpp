#pragma once
// A verification's results as text, and the parts shared by all kinds of reports.

#include <string>
#include <vector>

#include "output/terminal.hpp"
#include "report/report_kind.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// The compiler of this program, and the processor that it runs on.
std::string compiler();
std::string processor();

/// The finding of a result as text: "holds", "FAILS", "not reproducible", "vacuous", "measured",
/// "not judged", "not served", "nothing compared", "too few compared", "no bound", "not run".
std::string verdict_of(const verify::result& result);

/// Whether equality decides a result, rather than the distance from a bound.
bool is_equality(const verify::result& result);

/// "8 verdicts: 5 hold, 1 fail, 2 not served", followed by the rarer findings that occurred.
std::string words_of(const verify::totals& sum);

/// The rarer findings of words_of, beginning with a comma: ", 3 not judged".
std::string rarer_words_of(const verify::totals& sum);

/// Worst observed error and bound, as in the table: "1.19e-07" and "1.72e-07 a|x|". "equal" or "differs" if
/// equality decides; "-" if nothing was judged.
std::string observed_of(const verify::result& result);
std::string bound_of(const verify::result& result);

/// Whether a failure is reported in full: the first per kernel and law, and every failure of a table.
bool is_reported(const verify::result& result);

/// The file of a result, for CI servers: relative to the working directory if inside it, otherwise absolute;
/// empty if there is none.
std::string shown_file_of(const verify::results& results, const verify::result& result);

/// The counterexample of a failure, in several lines.
std::string counterexample_of(const verify::result& result);

/// The results with names of kernels and models, and commands that contain them, as plain lines.
verify::results with_plain_names(verify::results results);

/// The results with names of kernels and arrays without their files' paths, where they stay unique.
verify::results with_short_names(verify::results results);

/// Amount of text: every result, or one screen. For several kernels the screen shows a matrix. For one kernel
/// it shows one row per law and finding, with the worst of the dtypes, and of the models that hold. It shows
/// failures of the first two kernels.
enum class detail { everything, screen };

/// PASS or FAIL, the results, then calls that were not served or not judged, then failures and their causes,
/// then totals with the seed. Coloured if the stream supports it.
std::string as_text(const verify::results& results, detail shown = detail::everything,
                    output::stream to = output::stream::out, int columns = 80);

/// The two parts of as_text: the content that is known before the diagnosis, and the rest.
std::string verdicts_as_text(const verify::results& results, detail shown, output::stream to, int columns);
std::string findings_as_text(const verify::results& results, detail shown, output::stream to);

/// Parts of as_text: the matrix or table; measurements, and results that were not judged, by reason; causes
/// of failures; and the promises that kernels keep, where dtypes with the same answer share a line.
std::string overview_of(const verify::results& results, detail shown, output::stream to, int columns);
std::string remarks_of(const verify::results& results, detail shown);
std::string conclusions_of(const verify::results& results);
std::string kept_promises_of(const verify::results& results);

/// A cause on one line, and its kernel. A kernel has one line per cause if its models differ; arrays with the
/// same cause share a line.
struct cause_text {
  std::string kernel;
  std::string text;
};
std::vector<cause_text> causes_of(const verify::results& results);

/// Findings on each array of a file, apart from its laws. One screen shows arrays with a failing law, or the
/// only array.
std::string arrays_of(const verify::results& results, detail shown);

/// Workflow commands for the standard output of a GitHub Actions step: annotations of failures.
std::string as_annotations(const verify::results& results);

}  // namespace ropewalk::report
