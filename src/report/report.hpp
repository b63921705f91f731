#pragma once
// What a verification found: one line for each kernel, model, dtype and law, and where it was found out.

#include <cstdint>
#include <string>
#include <vector>

#include "search/search.hpp"
#include "writer/terminal.hpp"

namespace ropewalk::report {

/// One search and its verdict.
struct line {
  std::string kernel;
  std::string model;
  ropewalk_dtype dtype = ROPEWALK_F32;
  const law* judged_by = nullptr;
  ropewalk_promise promise = ROPEWALK_CANONICAL;
  int rotary_dim = 0;
  pairing pairing_out = pairing::half_split;
  search::outcome found;
  std::string
      likely;  // what is likely wrong: for the first failure of each kernel and law, which is also shrunk
  std::string reproduce;   // for a failure: the command that shows it again
  std::string no_bound{};  // not empty: why the promise has no bound here, so that nothing was judged
  bool has_keys = false;   // a head's numbers are scores of keys, not channels
};

/// What a foreign kernel claims and what it keeps.
struct promise_line {
  std::string kernel;
  std::string claimed;
  std::string strictest;   // empty: none of them
  std::int64_t cases = 0;  // on which the promises were tried
  bool judged = true;      // false: not one case of this kernel was judged
};

struct report {
  std::string command_line;
  std::uint64_t seed = 0;
  int threads = 1;
  double seconds = 0;
  bool interrupted = false;
  std::vector<line> lines;
  std::vector<promise_line> promises;
  std::string device{};    // of Vulkan kernels, where there are such
  std::string left_out{};  // kernels that this machine cannot run, and why; changes no exit code
  std::vector<std::string> not_judged{};  // what was asked for and came to no verdict; exit code 1
};

struct totals {
  std::int64_t lines = 0;
  std::int64_t cases = 0;
  std::int64_t held = 0;
  std::int64_t failed = 0;
  std::int64_t not_served = 0;
  std::int64_t nothing_compared = 0;
  std::int64_t no_bound = 0;
  std::int64_t not_run = 0;
};

totals totals_of(const report& of);

/// "canonical", "rounded-table", ...
const char* name_of(ropewalk_promise promise);

/// The compiler that built this program, and the processor it runs on.
std::string compiler();
std::string processor();

/// What one line came to: only the first three are verdicts.
enum class finding { holds, fails, undecided, not_served, nothing_compared, no_bound, not_run };

finding finding_of(const line& one);
bool is_judged(const line& one);

/// The same in words: "holds", "FAILS", "undecided", "not served", "nothing compared", "no bound", "not run".
std::string verdict_of(const line& one);

/// "8 verdicts: 5 hold, 1 fail, 2 not served", and the rarer findings where there are any.
std::string words_of(const totals& sum);

/// Worst observed and bound as the table shows them: "1.19e-07" and "1.72e-07 a|x|"; "equal" where equality
/// decides.
std::string observed_of(const line& one);
std::string bound_of(const line& one);

/// The counterexample of a failure, in lines.
std::string counterexample_of(const line& one);

/// One row for each line, or one for all dtypes of a kernel, model and law that hold: the worst of them, and whose it is.
enum class rows { of_dtypes, of_laws };

/// The table, then failures, then totals with the seed. Colour where the stream takes it.
std::string as_text(const report& of, rows shown = rows::of_dtypes, writer::stream to = writer::stream::out);
std::string as_json(const report& of);
std::string as_junit(const report& of);

/// GitHub Actions: annotations for standard output, and a step summary in markdown.
std::string as_annotations(const report& of);
std::string as_summary(const report& of);

}  // namespace ropewalk::report
