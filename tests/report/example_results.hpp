#pragma once
// Results of verifications that tests of reports share.

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_test {

using verify::judged_kernel;
using verify::result;
using verify::results;
using verify::totals;
using verify::verification;

inline const ropewalk_kernel& fault_named(std::string_view name) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == name) return kernel;
  throw std::invalid_argument(std::string(name));
}

inline verification asked_for(std::vector<judged_kernel> kernels) {
  verification request;
  request.models.push_back({model::catalogue_model("gpt-j-6b"), "--model gpt-j-6b"});
  request.kernels = std::move(kernels);
  request.dtypes = {ROPEWALK_F32, ROPEWALK_BF16};
  request.cases = 6;
  request.allows_cut = true;
  request.quiet = true;
  return request;
}

inline const std::atomic<bool> never{false};

/// cpu-table holds, the planted fault does not.
inline const results& mixed() {
  static const results summary = [] {
    results mixed = verify::verify(asked_for({{{&built_in_kernels()[2], ""}, "cpu-table", promise::canonical},
                                              {{&fault_named("fault-position-off-by-one"), "faults.so"},
                                               "library:faults.so#fault-position-off-by-one",
                                               promise::canonical}}),
                                   never);
    mixed.command_line = "ropewalk verify <&>";
    return mixed;
  }();
  return summary;
}

/// Verifies cpu-table with another apply, as the kernel of a foreign library.
inline results report_of(decltype(ropewalk_kernel::apply) apply) {
  ropewalk_kernel kernel = built_in_kernels()[2];
  kernel.apply = apply;
  return verify::verify(asked_for({{{&kernel, "mine.so"}, "library:mine.so#cpu-table", promise::canonical}}),
                        never);
}

}  // namespace ropewalk::report::report_test
