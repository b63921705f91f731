#pragma once
// Findings on a failing kernel that need no comparison with known faults.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/known_causes.hpp"
#include "diagnosis/observation.hpp"
#include "diagnosis/shared_by_failures.hpp"

namespace ropewalk::diagnosis {

template <class Kernel>
class observed_cases {
  using seen = observation<Kernel>;

 public:
  observed_cases(const Kernel& kernel, known_causes<Kernel>& causes, const time_left& time)
      : kernel_(kernel), causes_(causes), time_(time) {}

  void add(seen seen_case) { seen_.push_back(std::move(seen_case)); }
  const std::vector<seen>& all() const { return seen_; }
  std::int64_t failing() const;
  std::int64_t passing() const { return static_cast<std::int64_t>(seen_.size()) - failing(); }

  /// Reports what the failing cases have in common; in their wrong calls, if there are any.
  void report_common(cause& to) const;
  /// The trouble that every failing case reports; empty if they differ.
  std::string shared_trouble() const;
  /// The kernel's first refusal, if it refused a call of every failing case; otherwise empty.
  std::string refusal() const;
  /// Whether every wrong element holds the content of its memory before the call, and some call was out of
  /// place. Cases without a wrong call of their own, such as expected refusals, do not count.
  bool is_not_written() const;
  /// Whether every failing case fails only under a caller that changed the floating-point environment: runs
  /// them again without.
  bool is_of_environment(observer<Kernel>& observer) const;

 private:
  seen_case without_elements(std::size_t number, law_case test_case, const call_form& form, bool fails) const;
  /// Adds the calls of a failing case: the plain one, if wrong, and those that its law derives from it, as
  /// far as time and memory allow. Returns false if no call is wrong.
  bool add_calls_of(std::size_t number, std::vector<seen_case>& to) const;

  const Kernel& kernel_;
  known_causes<Kernel>& causes_;
  const time_left& time_;
  std::vector<seen> seen_;
};

}  // namespace ropewalk::diagnosis
