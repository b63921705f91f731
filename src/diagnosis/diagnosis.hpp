#pragma once
// Why a kernel fails on one model: one cause that explains every case, or what its failures have in common.
//
// A cause is a kernel that has it. It explains a case where it gives what the failing kernel gives, and breaks or keeps the
// case's law as that does; it is the cause where it explains all cases, failing and passing, those that the search found and
// fresh ones.

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/known_causes.hpp"
#include "ropewalk/law/law.hpp"
#include "search/search.hpp"

namespace ropewalk::diagnosis {

/// A case that a search found to fail.
template <class Kernel>
struct failed_case {
  const law<Kernel>* of = nullptr;
  law_case given;
  bool is_reproducible = true;
};

struct effort {
  std::uint64_t seed = 1;
  std::vector<ropewalk_dtype> dtypes{};  // of fresh cases
  search::clock::time_point deadline{};  // none when it is the clock's epoch
  std::set<std::string> left_out{};      // sentences of faults that are not tried
};

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

/// The same for the same seed, unless it is stopped or comes to the deadline.
///
/// domain  failed: one case at least, of the kernel judged by that promise; causes: in its place
/// throws  nothing of the kernel's doing
template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped);

/// Of one kernel on two models, or more: the faults that explain both, or the same finding. Nothing where there is none.
std::optional<cause> common_cause(const cause& one, const cause& other);

/// "every position is negated (explains all 12 failing and 40 passing cases)".
std::string text_of(const cause& found);

}  // namespace ropewalk::diagnosis
