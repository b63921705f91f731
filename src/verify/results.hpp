#pragma once
// Results of a verification: one per kernel, subject, dtype and law.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "array/comparison.hpp"
#include "diagnosis/cause.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "search/search.hpp"

namespace ropewalk::verify {

/// The kernel name in results of this library's own tables.
inline constexpr std::string_view tables_label = "tables";

/// One search and its verdict, or one law of a table.
struct result {
  std::string kernel;
  std::string model;
  ropewalk_dtype dtype = ROPEWALK_F32;
  law_text law{};
  case_needs needs{};
  promise promised = promise::canonical;
  ropewalk_operation operation = ROPEWALK_ROTATE;
  int rotary_dim = 0;
  int rotary_begin = 0;
  pairing pairing_out = pairing::half_split;
  rope_axes axes{};  // give the channels of pairs that are half-split by axis
  search::outcome outcome{};
  // Whether reports show this failure: the first of its kernel and law, which is shrunk. Of arrays that fail
  // alike, such as layers, the first.
  bool is_shown = false;
  std::string reproduce{};  // for a failure, the command that reproduces it
  std::string no_bound{};   // why the promise has no bound and nothing was judged; else empty
  std::string beyond{};     // what exceeds the kernel's limits, so no case ran; else empty
  // First positions at which the bounds of some pair, and of every pair, are vacuous.
  std::optional<std::int64_t> some_vacuous_from{};
  std::optional<std::int64_t> every_vacuous_from{};
  bool allows_cut = false;  // fewer cases than wanted still make a verdict
  bool has_keys = false;    // a head's numbers are scores of keys, not channels
  // Of an array of a file; found.failure->table then names the entry that breaks the law.
  bool is_array = false;
  std::string elements{};  // an array's element type that is no dtype: "u32", "i32"
};

/// Name of the number format of a result.
std::string element_name(const result& result);

/// Findings on an array of a file that are not verdicts of laws.
struct array_finding {
  std::string array;                             // its file and name, as in results
  std::string subject;                           // the expected encoding
  std::shared_ptr<const tables::table> content;  // the correctly rounded table
  array::comparison compared{};
};

/// A promise that a kernel breaks, and by how much in a failing case.
struct broken_promise {
  promise promised = promise::canonical;
  std::string law{};
  double times_the_bound = 0;  // 0: bits must be equal, or only the caller's environment fails it
};

/// The promise that a kernel keeps in one dtype.
struct dtype_promise {
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::optional<promise> kept{};             // the kept promise with the smallest bound, if any
  std::int64_t cases = 0;                    // run to try promises
  std::string missing{};                     // why no promise was decided; else empty
  std::optional<broken_promise> stricter{};  // the broken promise with the largest bound below `kept`
};

/// The promise that a kernel claims, and the promises that it keeps.
struct promise_result {
  std::string kernel;
  ropewalk_operation operation = ROPEWALK_ROTATE;
  promise claimed = promise::canonical;
  std::vector<dtype_promise> in_dtypes{};
  std::vector<std::string> laws{};  // requested laws; empty: all
  std::string untried{};            // why no promise was tried; else empty
  bool judged = true;               // false: no case of this kernel was judged
  bool is_claimed = true;           // false: the promise is the user's, not the kernel's own
};

/// Why a kernel fails on some models.
struct diagnosed {
  std::string kernel;
  std::vector<std::string> models;
  diagnosis::cause cause;
};

struct results {
  std::string command_line;
  std::uint64_t seed = 0;
  int threads = 1;
  double seconds = 0;
  double processor_seconds = 0;  // of this program and of the kernels' processes
  bool interrupted = false;
  std::vector<result> lines;
  std::vector<diagnosed> diagnoses{};  // of failing kernels; models with the same cause share an entry
  std::vector<promise_result> promises;
  std::vector<array_finding> arrays{};
  std::string device{};               // the Vulkan device, if a kernel runs on one
  std::string cut{};                  // searches dropped for lack of time; no effect on the exit code
  std::vector<std::string> limits{};  // restrictions of the request, limits of kernels; one line each
  std::map<std::string, std::string> skipped_laws{};  // each with the user's reason
  std::string left_out{};  // kernels that this machine cannot run, and why; no effect on the exit code
  std::vector<std::string> failed_on{};   // conditions of --fail-on that occurred; exit code 1
  std::vector<std::string> not_judged{};  // requests without a verdict; exit code 1
  // Files whose requests await answers, and how to go on. Exit code 3 if a verdict depends on them.
  std::vector<std::string> awaits{};
  bool awaits_verdicts = false;
  // Libraries and programs that ended unexpectedly or did not answer, and how; exit code 1.
  std::vector<std::string> ended{};
  // Libraries that printed something, and how much; no effect on the exit code.
  std::vector<std::string> printed{};
  // If set, the exit code ignores calls that were declined or undecided, or verdicts with too few cases.
  bool allows_declined = false;
  bool allows_cut = false;
  // Files of kernels and models, by their names in results; some have none.
  std::map<std::string, std::string> files{};
};

/// The file of a result's kernel, else of its model; empty if neither has one.
std::string file_of(const results& results, const result& result);

/// Whether every request holds, so that the exit code is 0.
bool all_hold(const results& results);

/// Reasons for exit code 1 apart from failing results: processes that ended or did not answer, conditions of
/// --fail-on, and requests without a verdict.
std::vector<std::string> errors_of(const results& results);

/// Whether a result without a failure still makes the exit code 1.
bool is_error(const result& result, const results& results);

/// The finding of a result. Only the first three are verdicts.
enum class finding {
  holds,
  fails,
  not_reproducible,
  vacuous,     // every bound is so wide that an output of zeros would keep it
  measured,    // the promise lets the error grow with the position; the growth is measured
  not_judged,  // see doubt
  not_served,
  nothing_compared,
  no_bound,
  not_run
};

finding finding_of(const result& result);

/// Why the kernel of a result fails on its model, in a sentence; empty if it
/// does not fail, or has no diagnosis.
std::string cause_of(const results& results, const result& result);

/// Why a result without a failure is no verdict.
enum class doubt {
  unanswered,  // the kernel's process ended or did not answer in a case
  declined,    // the kernel declined a call within its own limits
  undecided,   // no case, or too few cases, could be decided
  cut          // fewer cases ran than a verdict needs
};

struct doubtful {
  doubt kind;
  std::string why;  // "declined 19 of 60 cases"
};

/// All reasons why a result cannot be judged; empty for any other result.
std::vector<doubtful> doubts_of(const result& result);
/// doubts_of in one line.
std::string why_not_judged(const result& result);

/// Cases wanted for a verdict, minus the sizes that the kernel turned out not to serve.
inline std::int64_t wanted_of(const result& result) {
  return result.outcome.count - result.outcome.passed_over;
}
bool is_judged(const result& result);

/// Whether the kernel answered some case, even if too few to judge.
bool is_answered(const result& result);

/// Exceptions that options accepted, one line each: "--allow-cut: 12 verdicts ...".
std::vector<std::string> accepted(const results& results);

/// Growth of an error with the position.
struct growth {
  std::optional<int> over_1_percent;  // first range with such an error, as a power of two
  std::optional<int> over_10_percent;
};

/// Growth of the error of a measured result.
growth growth_of(const result& result);

/// The largest relative error in the ranges of positions that begin at or below `position`.
double error_up_to(const result& result, std::int64_t position);

/// Number of results per finding.
struct totals {
  std::int64_t lines = 0;
  std::int64_t cases = 0;
  std::int64_t count = 0;
  std::int64_t failed = 0;
  std::int64_t vacuous = 0;
  std::int64_t measured = 0;
  std::int64_t not_judged = 0;
  std::int64_t not_served = 0;
  std::int64_t nothing_compared = 0;
  std::int64_t no_bound = 0;
  std::int64_t not_run = 0;
};

totals totals_of(const results& results);

}  // namespace ropewalk::verify
