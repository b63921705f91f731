#pragma once
// Chooses and runs the cases of a diagnosis: the failed ones again, then drawn and derived ones.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/known_causes.hpp"
#include "diagnosis/observation.hpp"
#include "diagnosis/observed_cases.hpp"
#include "diagnosis/possible_causes.hpp"

namespace ropewalk::diagnosis {

inline constexpr std::size_t most_failed_cases = 32;  // cap on replayed cases, for large and small ones each
inline constexpr std::int64_t enough_failing = 16;

/// The observed cases of one kernel, judged by one promise, and the causes that they leave possible.
template <class Kernel>
class inquiry {
  using seen = observation<Kernel>;

 public:
  /// `is_looser`: the promise is not the one that the failed cases were judged by; some cases may keep it.
  inquiry(const Kernel& kernel, known_causes<Kernel>& causes, const effort& how,
          const std::atomic<bool>& stopped, bool is_looser = false)
      : kernel_(kernel),
        how_(how),
        is_looser_(is_looser),
        time_(how, stopped),
        observer_(kernel, causes),
        causes_(kernel, causes, how, time_),
        cases_(kernel, causes, time_) {}
  inquiry(const inquiry&) = delete;  // its parts refer to it
  inquiry& operator=(const inquiry&) = delete;

  bool is_over() const { return time_.is_over(); }

  /// Runs the failed cases again, either the large or the small ones, the smallest first. Returns false if
  /// the kernel is not reproducible.
  bool look_at(const std::vector<failed_case<Kernel>>& failed, bool large);
  /// Observes cases from the search's generator, for each law without large cases; the dtypes take turns.
  void look_at_fresh_cases(std::int64_t first, std::int64_t count);
  /// Observes more fresh cases until enough pass: failing cases alone are weak evidence.
  void look_for_passing_cases(std::int64_t first);
  /// Observes cases that are one step simpler than failing ones; most of them pass.
  void look_beside(const std::vector<failed_case<Kernel>>& failed);
  /// Observes plain calls at positions where formats end; for rotations also with more heads than a vector
  /// register holds.
  void look_at_decisive_calls();
  /// Replaces the causes by the compounds of known faults that no case contradicts.
  void try_compounds();
  /// Drops causes with too few decisive cases, or with more doubtful than explained cases.
  void settle() { causes_.settle(); }

  const observed_cases<Kernel>& cases() const { return cases_; }
  bool has_causes() const { return !causes_.is_empty(); }
  bool has_one_sentence() const { return causes_.has_one_sentence(); }
  /// Whether a case was skipped because its answers are awaited.
  bool is_awaiting() const { return observer_.is_awaiting(); }
  /// Whether a call got no answer: the kernel's process ended or timed out.
  bool is_silent() const { return observer_.is_silent(); }
  /// Whether every case fails with the same report, which is no refusal, and no known fault remains.
  bool is_of_conduct() const;
  /// Whether every failing case fails only under a changed floating-point environment of the caller.
  bool is_of_environment() { return cases_.is_of_environment(observer_); }

  cause explained() const;
  /// A verdict with the number of cases.
  cause counted(diagnosis::verdict verdict) const;

 private:
  /// Observes a plain call with pseudorandom elements at these positions, in another order per axis.
  void look_at_call(law_case plain, std::vector<std::int32_t> positions);
  void look_at(const law<Kernel>* law, const law_case& test_case, bool is_drawn);
  void take_in(seen seen_case);

  const Kernel& kernel_;
  const effort& how_;
  bool is_looser_;
  time_left time_;
  observer<Kernel> observer_;
  possible_causes<Kernel> causes_;
  observed_cases<Kernel> cases_;
  bool has_refused_ = false;  // in a failed case
  std::int64_t refused_ = 0;  // further cases that are skipped
  std::string refusal_{};
};

}  // namespace ropewalk::diagnosis
