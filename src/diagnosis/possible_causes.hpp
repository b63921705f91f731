#pragma once
// The known faults that no observed case of a failing kernel contradicts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/known_causes.hpp"
#include "diagnosis/observation.hpp"

namespace ropewalk::diagnosis {

/// How a kernel with a fault compares with the failing one.
enum class match { agrees, doubtful, contradicts };

/// The causes that the cases observed of one kernel leave possible.
template <class Kernel>
class possible_causes {
  using seen = observation<Kernel>;

 public:
  /// Every known fault alone, but those that are left out.
  possible_causes(const Kernel& kernel, known_causes<Kernel>& causes, const effort& how,
                  const time_left& time);

  /// Drops the causes that a case contradicts.
  void take_in(const seen& seen_case);

  /// Replaces the causes by the compounds of known faults that no case contradicts.
  void try_compounds(const std::vector<seen>& observed);

  /// Drops causes with too few decisive cases, or with more doubtful than explained cases.
  void settle();

  bool is_empty() const { return left_.empty(); }
  bool has_one_sentence() const;
  /// The faults that are left.
  std::vector<named_fault> faults() const;

 private:
  /// A cause that no case contradicts, and how many failing cases it explains or leaves in doubt.
  struct candidate {
    std::size_t index = 0;
    std::int64_t decisive = 0;   // explained, and is_decisive
    std::int64_t explained = 0;  // explained, but not decisive
    std::int64_t doubtful = 0;
  };

  /// Whether a fault changes a kernel's behaviour in some failing case.
  bool part_shows(const std::string& part, const std::vector<const seen*>& all) const;
  /// Whether a cause, or a part of it, is skipped by its sentence.
  bool is_left_out(std::size_t index) const;
  const std::string& sentence_of(const candidate& suspected) const {
    return causes_.fault(suspected.index).sentence;
  }
  /// Counts a case for a cause; returns false if the case contradicts it.
  bool takes_in(candidate& suspected, const seen& seen_case) const;
  /// Whether a cause that agrees must itself break the bound: agreement allows two bounds of difference.
  bool is_decisive(const seen& seen_case) const {
    return by_bits_ || seen_case.measured.worst >= decisive_ratio;
  }
  /// Whether the calls that a law made of both kernels have matching answers. Skips calls made of only one
  /// kernel: the other may have declined, or an earlier answer that differs within the bound led elsewhere.
  bool agree(const std::vector<transcribed_call>& seen_calls,
             const std::vector<transcribed_call>& others) const;
  /// Whether a law's findings follow from the recorded calls alone: they are about bits, and kernels answered
  /// every call.
  bool is_explained_by_calls(const seen& seen_case) const;
  /// Whether a kernel gives the same bits in each of these calls.
  bool repeats(const Kernel& faulty, const std::vector<transcribed_call>& calls) const;
  /// Whether the kernel with a fault reproduces the observation.
  match explains(std::size_t index, const seen& seen_case) const;

  // Observed / bound: a cause that agrees then exceeds two bounds.
  static constexpr double decisive_ratio = 4;

  const Kernel& kernel_;
  known_causes<Kernel>& causes_;
  const effort& how_;
  const time_left& time_;
  bool by_bits_;
  std::vector<candidate> left_;
};

}  // namespace ropewalk::diagnosis
