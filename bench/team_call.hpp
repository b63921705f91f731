#pragma once
// One call of a kernel, made by a team of threads that stay.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bench/thread_team.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/threads.hpp"

namespace ropewalk::bench {

/// A call whose tokens are split into one contiguous range for each member of a team. It is split once, so
/// that what is timed is the kernel alone.
///
/// domain  a valid call struct of kernel.h with at least one token; team, kernel and plan outlive it
template <class Call>
class team_call {
 public:
  team_call(thread_team& team, const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call)
      : team_(&team), kernel_(&kernel), plan_(plan) {
    const std::int64_t tokens = call.tokens.end - call.tokens.begin;
    shares_ = detail::share_tokens(call, std::min<std::int64_t>(team.members(), tokens));
  }

  /// Makes the call. Members without a token have nothing to do.
  ///
  /// throws  std::runtime_error with the kernel's error text, of the first range that failed
  void operator()() {
    team_->run([this](int member) {
      if (static_cast<std::size_t>(member) >= shares_.size()) return;
      detail::call_share<Call>& one = shares_[static_cast<std::size_t>(member)];
      if (kernel_->apply(plan_, &one.call.head, &one.error) != ROPEWALK_OK)
        throw std::runtime_error(one.error.text);
    });
  }

 private:
  thread_team* team_;
  const ropewalk_kernel* kernel_;
  const ropewalk_plan* plan_;
  std::vector<detail::call_share<Call>> shares_;
};

}  // namespace ropewalk::bench
