#pragma once
// What a verification found: one result for each kernel, subject, dtype and law.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/cause.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "search/search.hpp"

namespace ropewalk::verify {

/// The kernel that results of this library's own tables name.
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
  pairing pairing_out = pairing::half_split;
  search::outcome found{};
  bool is_shown = false;    // of a failure: the first of its kernel and law, which is shrunk
  std::string reproduce{};  // of a failure: the command that shows it again
  std::string no_bound{};   // not empty: why the promise has no bound here, so that nothing was judged
  std::string beyond{};     // not empty: what its limits exclude, so that nothing was asked
  std::optional<std::int64_t>
      some_vacuous_from{};  // the first position at which a pair's bound decides nothing
  std::optional<std::int64_t> every_vacuous_from{};  // and at which every pair's does
  bool has_keys = false;                             // a head's numbers are scores of keys, not channels
};

/// What a kernel keeps in one dtype.
struct dtype_promise {
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::optional<promise>
      kept{};  // the first of all that were tried, the smallest bound first; none where none was kept
  std::int64_t cases = 0;  // on which they were tried
  std::string missing{};   // not empty: what was not refuted, and how little decided
};

/// What a foreign kernel claims and what it keeps.
struct promise_result {
  std::string kernel;
  ropewalk_operation operation = ROPEWALK_ROTATE;
  promise claimed = promise::canonical;
  std::vector<dtype_promise> in_dtypes{};
  std::string untried{};  // not empty: why no promise was tried
  bool judged = true;     // false: not one case of this kernel was judged
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
  bool interrupted = false;
  std::vector<result> lines;
  std::vector<diagnosed> diagnoses{};  // of failing kernels; models with one cause stand together
  std::vector<promise_result> promises;
  std::string device{};               // of Vulkan kernels, where there are such
  std::string cut{};                  // what the budget had no time for; changes no exit code
  std::vector<std::string> limits{};  // what was asked and what kernels serve of it, a line each
  std::map<std::string, std::string> skipped_laws{};  // each with the reason that was given
  std::string left_out{};  // kernels that this machine cannot run, and why; changes no exit code
  std::vector<std::string> failed_on{};   // what --fail-on makes a failure of; exit code 1
  std::vector<std::string> not_judged{};  // what was asked for and came to no verdict; exit code 1
  bool allows_declined = false;           // what is not judged then changes no exit code
};

/// What one result came to: only the first three are verdicts. vacuous: every bound was one that a kernel which knows nothing
/// keeps. measured: how the error grows with the position, where the promise lets it grow. not_judged: calls within the kernel's limits were declined
/// or not decided, so many that the others do not stand for the law.
enum class finding {
  holds,
  fails,
  not_reproducible,
  vacuous,
  measured,
  not_judged,
  not_served,
  nothing_compared,
  no_bound,
  not_run
};

finding finding_of(const result& one);

/// Why the kernel of a result fails on its model, in a sentence; empty where it does not, or nothing was found out.
std::string cause_of(const results& of, const result& one);

/// Of a result that is not judged: "declined 19 of 60"; empty for any other.
std::string why_not_judged(const result& one);
bool is_judged(const result& one);

/// Whether the kernel answered: a verdict, or what stands in its place.
bool is_answered(const result& one);

/// How an error grows: nothing of it where no range shows it.
struct growth {
  // The largest error beyond that of the first range over the last position of its range, where it is below one half.
  double per_position = 0;
  std::optional<int> over_1_percent;  // the first range, by its power of two
  std::optional<int> over_10_percent;
};

/// Of a result that is measured.
growth growth_of(const result& one);

/// The largest relative error at positions up to one.
double error_up_to(const result& one, std::int64_t position);

/// How many results came to what.
struct totals {
  std::int64_t lines = 0;
  std::int64_t cases = 0;
  std::int64_t held = 0;
  std::int64_t failed = 0;
  std::int64_t vacuous = 0;
  std::int64_t measured = 0;
  std::int64_t not_judged = 0;
  std::int64_t not_served = 0;
  std::int64_t nothing_compared = 0;
  std::int64_t no_bound = 0;
  std::int64_t not_run = 0;
};

totals totals_of(const results& of);

}  // namespace ropewalk::verify
