#pragma once
// What a verification found: one result for each kernel, subject, dtype and law.

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
  rope_axes axes{};  // which tell the channels of pairs that are half-split by axis
  search::outcome outcome{};
  bool is_shown = false;    // of a failure: the first of its kernel and law, which is shrunk; of arrays, the
                            // first of those that fail alike, as layers do
  std::string reproduce{};  // of a failure: the command that reproduces it
  std::string no_bound{};   // not empty: why the promise has no bound here, so that nothing was judged
  std::string beyond{};     // not empty: what exceeds the kernel's limits, so that no case was run
  // The first positions at which the bound of some pair, and of every pair, decides nothing.
  std::optional<std::int64_t> some_vacuous_from{};
  std::optional<std::int64_t> every_vacuous_from{};
  bool allows_cut = false;  // fewer cases than wanted are a verdict, too
  bool has_keys = false;    // a head's numbers are scores of keys, not channels
  bool is_array =
      false;  // of an array of a file; found.failure->table then names the entry that breaks the law
  std::string elements{};  // of an array whose elements are not of a dtype: "u32", "i32"
};

/// Name of the format of the result's numbers.
std::string element_name(const result& result);

/// What was found of an array of a file, beside the laws.
struct array_finding {
  std::string array;                             // its file and name, as results name it
  std::string subject;                           // the encoding that it should be of
  std::shared_ptr<const tables::table> content;  // the correctly rounded table
  array::comparison compared{};
};

/// A promise that a kernel breaks, and by how much in a case that shows it.
struct broken_promise {
  promise promised = promise::canonical;
  std::string law{};
  double times_the_bound = 0;  // 0: equality decides, or the caller's floating environment
};

/// The promise that a kernel keeps in one dtype.
struct dtype_promise {
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::optional<promise> kept{};             // the kept promise with the smallest bound, if any
  std::int64_t cases = 0;                    // on which promises were tried
  std::string missing{};                     // not empty: why no promise was decided
  std::optional<broken_promise> stricter{};  // beside `kept`: the broken one with the largest bound below it
};

/// The promise that a kernel claims, and those that it was found to keep.
struct promise_result {
  std::string kernel;
  ropewalk_operation operation = ROPEWALK_ROTATE;
  promise claimed = promise::canonical;
  std::vector<dtype_promise> in_dtypes{};
  std::vector<std::string> laws{};  // that were asked; empty: all
  std::string untried{};            // not empty: why no promise was tried
  bool judged = true;               // false: not one case of this kernel was judged
  bool is_claimed = true;           // false: the promise is the caller's, and not the kernel's own
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
  std::string cut{};                  // what got none of the time left over; changes no exit code
  std::vector<std::string> limits{};  // restrictions of the request, limits of kernels; one line each
  std::map<std::string, std::string> skipped_laws{};  // each with the reason that was given
  std::string left_out{};  // kernels that this machine cannot run, and why; changes no exit code
  std::vector<std::string> failed_on{};   // conditions of --fail-on that occurred; exit code 1
  std::vector<std::string> not_judged{};  // requests that came to no verdict; exit code 1
  // Files whose requests await answers, and how to go on: exit code 3 if a verdict waits for them.
  std::vector<std::string> awaits{};
  bool awaits_verdicts = false;
  std::vector<std::string>
      ended{};  // libraries and programs that ended unasked or were silent, and how; exit code 1
  std::vector<std::string> printed{};  // libraries that printed something, and how much; changes no exit code
  // What then changes no exit code: calls that were declined or undecided; fewer cases than a verdict needs.
  bool allows_declined = false;
  bool allows_cut = false;
  // The files behind kernels and models, by the names that results give them; some have none.
  std::map<std::string, std::string> files{};
};

/// The file behind a result: of its kernel, else of its model; empty if neither has one.
std::string file_of(const results& results, const result& result);

/// Whether everything that was asked for holds, so that the exit code is 0.
bool all_hold(const results& results);

/// What makes the exit code 1 beside the results themselves: processes that ended or were silent, conditions
/// of --fail-on, and requests without a verdict.
std::vector<std::string> errors_of(const results& results);

/// Whether a result without a failure still makes the exit code 1.
bool is_error(const result& result, const results& results);

/// The finding of a result. Only the first three are verdicts.
enum class finding {
  holds,
  fails,
  not_reproducible,
  vacuous,     // every bound is one that a kernel which knows nothing would keep
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
  unanswered,  // the kernel's process ended or was silent in a case
  declined,    // the kernel declined a call within its own limits
  undecided,   // no case, or too few of them, could be decided
  cut          // fewer cases were asked than a verdict needs
};

struct doubtful {
  doubt kind;
  std::string why;  // "declined 19 of 60 cases"
};

/// Everything that keeps a result from being judged; empty for any other result.
std::vector<doubtful> doubts_of(const result& result);
/// The same in one line.
std::string why_not_judged(const result& result);

/// Cases that a verdict wanted, without the sizes that the kernel turned out not to serve.
inline std::int64_t wanted_of(const result& result) {
  return result.outcome.count - result.outcome.passed_over;
}
bool is_judged(const result& result);

/// Whether the kernel answered in some case, though it may be too little to judge.
bool is_answered(const result& result);

/// What the options accepted, one line each: "--allow-cut: 12 verdicts ...".
std::vector<std::string> accepted(const results& results);

/// Growth of an error with the position.
struct growth {
  std::optional<int> over_1_percent;  // the first range with such an error, by its power of two
  std::optional<int> over_10_percent;
};

/// Growth of the error of a measured result.
growth growth_of(const result& result);

/// The largest relative error in the ranges of positions that begin at or below `position`.
double error_up_to(const result& result, std::int64_t position);

/// Numbers of results by finding.
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
