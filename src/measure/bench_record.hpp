#pragma once
// Measurements of one benchmark run. `ropewalk bench` writes them; comparisons, figures and reports read
// them.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::measure {

/// The $id of the JSON. Its number grows when a field is removed or changes its meaning.
inline constexpr std::string_view bench_schema = "urn:ropewalk:bench:1";

/// A number that was not measured; null in JSON.
inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// A median and the interval that holds it with 95 % confidence.
struct estimate {
  double median = not_measured;
  double low = not_measured;
  double high = not_measured;
};

/// Seconds per call in one round, of the work and of its comparison, which ran alternately.
struct round_times {
  double work = 0;
  double other = 0;
};

/// Errors of a kernel's cosines and sines at sampled positions below `limit` or, if `limit` is 0, at the
/// positions of the call's own tokens on axes.
struct error_below {
  std::int64_t limit = 0;
  bool is_served = false;     // whether the kernel serves such positions; if not, no number is given
  double ulp = not_measured;  // largest |got - exact| in ulp of the correctly rounded value, unless that is 0
  double distance = not_measured;           // largest distance of a pair from its exact (cos, sin)
  double correctly_rounded = not_measured;  // share of entries
};

/// Origin of a kernel: this library, a recipe that repeats an engine's method, or the user.
enum class kernel_role { canonical, recipe, given };
std::string_view name_of(kernel_role role);

/// One benchmark: a kernel in one dtype, pairing and number of tokens, with the work of its benchmark group.
struct bench_row {
  std::string name;    // group/kernel/dtype/pairing/tokens
  std::string group;   // apply, backward, in-place, one-token, ...
  std::string kernel;  // its label, as reports show it
  std::string dtype;   // "-" where it does not apply, as in the name
  std::string pairing;
  std::int64_t tokens = 0;
  kernel_role role = kernel_role::canonical;
  std::string origin{};  // its name in --kernel, if it is not built in
  std::string model{};   // the encoding's name
  int heads = 0;
  int kv_heads = 0;  // 0: no key
  int batch = 1;
  int threads = 1;
  std::string clock{};      // the clock of the times
  std::string not_timed{};  // why there are no times, or empty
  std::string check{};      // outcome of one check of the result, outside the timed loop
  bool is_wrong = false;    // the check found an output that the kernel's promise excludes
  double bytes = 0;         // read and written per call
  std::string other{};      // the comparison: memcpy, contiguous copy
  std::vector<std::vector<round_times>> repetitions{};  // rounds of each repetition, with fresh tensors
  estimate seconds{};                                   // per call
  estimate ratio{};                                     // time / the comparison's in the same round
  std::string noise{};                                  // why the run is too noisy to say, or empty
  std::vector<error_below> errors{};
  std::string ceiling{};                     // the level of memory that bounds it
  double share = not_measured;               // bytes per second / the ceiling's
  double instructions = not_measured;        // per element
  std::string not_counted{};                 // why there is no count of instructions
  std::map<std::string, double> counters{};  // more of this group: medians of times, ratios
};

/// Copy speed of this machine at one level of its memory.
struct ceiling_record {
  std::string level;  // L1, L2, L3, memory, device
  int threads = 1;
  double working_set = 0;       // bytes
  estimate bytes_per_second{};  // read and written
};

/// A whole run.
struct bench_record {
  std::map<std::string, std::string> context;  // version, compiler, processor, command, date, ...
  std::vector<ceiling_record> ceilings;
  std::vector<bench_row> rows;
};

/// A time of a row in three digits with a unit: "97.2 us".
std::string time_text(double seconds);

/// The record as JSON: Google Benchmark's form with additional fields.
std::string as_json(const bench_record& record);

/// The record in JSON that as_json wrote. `file` and the option `name` are for messages.
///
/// throws  bad_input naming the option, the file and the field, its value and what is allowed
bench_record bench_record_from_json(std::string_view text, const std::string& file, std::string_view name);

/// The record in a file that `ropewalk bench` wrote.
///
/// throws  as bench_record_from_json
bench_record read_bench_record(const std::string& path, std::string_view name);

}  // namespace ropewalk::measure
