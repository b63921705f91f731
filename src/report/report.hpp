#pragma once
// The results of a verification as text, JSON, JUnit XML and for GitHub Actions.

#include <string>

#include "export/terminal.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// The compiler that built this program, and the processor it runs on.
std::string compiler();
std::string processor();

/// What one result came to, in words: "holds", "FAILS", "not reproducible", "not judged",
/// "not served", "nothing compared", "no bound", "not run".
std::string verdict_of(const verify::result& one);

/// Whether equality decides, and no distance from a bound.
bool is_equality(const verify::result& one);

/// "8 verdicts: 5 hold, 1 fail, 2 not served", and the rarer findings where there are any.
std::string words_of(const verify::totals& sum);

/// Worst observed and bound as the table shows them: "1.19e-07" and "1.72e-07 a|x|"; "equal" where equality
/// decides.
std::string observed_of(const verify::result& one);
std::string bound_of(const verify::result& one);

/// The counterexample of a failure, in lines.
std::string counterexample_of(const verify::result& one);

/// What of the results text shows: every one; or one screen, which is a matrix of several kernels, and of one kernel a row a law,
/// the worst of models and dtypes that hold.
enum class detail { everything, screen };

/// The results, then failures and what was left out, then totals with the seed. Colour where the stream takes it.
std::string as_text(const verify::results& of, detail shown = detail::everything,
                    output::stream to = output::stream::out, int columns = 80);
std::string as_json(const verify::results& of);
std::string as_junit(const verify::results& of);

/// GitHub Actions: annotations for standard output, and a step summary in markdown.
std::string as_annotations(const verify::results& of);
std::string as_summary(const verify::results& of);

}  // namespace ropewalk::report
