#pragma once
// What was found out of a kernel that fails, and its words.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk::diagnosis {

enum class verdict {
  explained,
  not_reproducible,  // the same call came out otherwise
  refused,           // the kernel does not answer calls that it should
  environment,       // right in the default floating environment alone
  not_written,       // every wrong number is what the memory held before
  not_explained,
  cut  // for want of time
};

/// The verdict in a word or two: "explained", "not reproducible".
const char* name_of(verdict found);

/// A fault, as known_fault names it.
struct named_fault {
  std::string name;
  std::string sentence;
  friend bool operator==(const named_fault&, const named_fault&) = default;
};

/// What was found out, with how many cases it stands for.
struct cause {
  verdict found = verdict::not_explained;
  std::vector<named_fault> faults{};  // that give the same answers on this model
  std::string sentence{};
  std::string common{};      // to all failing cases, where nothing explains them
  bool to_the_bit = true;    // false: within a bound, where bits are promised
  std::int64_t failing = 0;  // cases
  std::int64_t passing = 0;
};

/// The sentences of faults, each once: "one, or other (not told apart here)".
std::string sentence_of_all(const std::vector<named_fault>& faults);

/// Of one kernel on two models, or more: the faults that explain both, or the same finding. Nothing where there is none.
std::optional<cause> common_cause(const cause& one, const cause& other);

/// "every position is negated (explains all 12 failing and 40 passing cases)".
std::string text_of(const cause& found);

}  // namespace ropewalk::diagnosis
