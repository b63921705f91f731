#pragma once
// The result of diagnosing a kernel that fails, and its text.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk::diagnosis {

enum class verdict {
  explained,
  not_reproducible,  // repeating a call changed the answer
  refused,           // calls that should be served are refused
  environment,       // wrong only under the caller's floating-point environment
  not_written,       // every wrong element holds what its memory held before the call
  conduct,           // every call breaks a rule of the interface, whatever its answer
  not_explained,
  parted,  // differs from the kernel whose bits are required
  cut      // out of time
};

/// Name of a verdict: "explained", "not reproducible".
const char* name_of(verdict verdict);

/// Name and sentence of a fault::known_fault.
struct named_fault {
  std::string name;
  std::string sentence;
  friend bool operator==(const named_fault&, const named_fault&) = default;
};

/// A finding, and how many cases support it.
struct cause {
  diagnosis::verdict verdict = diagnosis::verdict::not_explained;
  std::vector<named_fault> faults{};  // all give the same answers on this model
  std::string sentence{};
  std::string common{};      // properties that all failing cases share, if no fault explains them
  bool is_cut = false;       // not_explained: not every compound of known faults was tried
  bool to_the_bit = true;    // false: a table's, or a match only within a looser promise's bounds
  std::string within{};      // that promise's name
  std::int64_t failing = 0;  // cases
  std::int64_t passing = 0;
  std::int64_t failing_of_common = 0;  // failing cases that share `common`; 0: all
  // Further cases that the kernel refused or broke off, if no failed case was. They may exceed its claimed
  // limits, and are not compared with faults.
  std::int64_t refused = 0;
  std::string refusal{};  // the first of these refusals
};

/// The distinct sentences of faults: "one, or other (these give the same answers here)".
std::string sentence_of_all(const std::vector<named_fault>& faults);

/// The cause shared by findings on two models: the faults that explain both, or the same finding. None if
/// they share no cause.
std::optional<cause> common_cause(const cause& first, const cause& other);

/// The cause in words: "every position is negated (explains all 12 failing and 40 passing cases)".
std::string text_of(const cause& cause);

}  // namespace ropewalk::diagnosis
