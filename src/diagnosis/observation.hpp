#pragma once
// One case run on a failing kernel and on the faultless one.

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/answer.hpp"
#include "diagnosis/diagnosis.hpp"
#include "diagnosis/known_causes.hpp"
#include "ropewalk/law/kernel/call_record.hpp"

namespace ropewalk::diagnosis {

inline constexpr std::size_t most_fresh_elements = 1536;  // cap on a fresh case: enough to fill vector loops

/// A case, and one kernel's behaviour on it.
template <class Kernel>
struct observation {
  const ropewalk::law<Kernel>* law = nullptr;  // null: a plain call, and no law
  law_case test_case;
  answer plain{};
  answer right{};  // the faultless kernel's
  measurement measured{};
  std::vector<transcribed_call> calls{};  // made by the law
  std::vector<element> wrong{};           // in the plain call's answer
  bool fails = false;
  bool is_drawn = true;  // false: derived from another case, to see why that fails
};

/// Whether a law's cases are given by a few numbers instead of listed elements. Only the law itself can run
/// such a case, which costs as much as many others.
template <class Kernel>
bool is_large(const law<Kernel>* law) {
  return law != nullptr && law->needs.sizes;
}

/// The status or trouble that the kernel returned instead of an answer; empty if it answered.
template <class Kernel>
const std::string& refusal_in(const observation<Kernel>& seen) {
  return seen.plain.done ? seen.measured.trouble : seen.plain.trouble;
}

/// The end of a diagnosis.
class time_left {
 public:
  time_left(const effort& how, const std::atomic<bool>& stopped) : how_(how), stopped_(stopped) {}

  bool is_over() const;

 private:
  const effort& how_;
  const std::atomic<bool>& stopped_;
};

/// Runs cases on one kernel.
template <class Kernel>
class observer {
 public:
  observer(const Kernel& kernel, known_causes<Kernel>& causes) : kernel_(kernel), causes_(causes) {}

  /// Runs one case; `law` is null for a plain call. Returns nothing if a rounding is undecided, or the kernel
  /// declines the call or does not answer.
  std::optional<observation<Kernel>> observe(const law<Kernel>* law, const law_case& test_case);

  /// Whether the plain call gives the same bits again; a repetition without an answer counts as the same.
  bool is_same_when_repeated(const observation<Kernel>& seen);

  /// Whether a case was skipped because its answers are awaited.
  bool is_awaiting() const { return is_awaiting_; }
  /// Whether a call got no answer: the kernel's process ended or timed out.
  bool is_silent() const { return is_silent_; }

 private:
  const Kernel& kernel_;
  known_causes<Kernel>& causes_;
  bool is_awaiting_ = false;
  bool is_silent_ = false;
};

}  // namespace ropewalk::diagnosis
