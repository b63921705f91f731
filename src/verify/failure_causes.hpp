#pragma once
// Why kernels fail: each is diagnosed on each subject, and subjects with the same cause share an entry.

#include <atomic>
#include <string>
#include <vector>

#include "verify/law_jobs.hpp"

namespace ropewalk::verify {

/// Adds a cause to a kernel's entry, or as an entry of its own if it shares none with those of other models.
void report_diagnosis(std::vector<diagnosed>& to, const std::string& kernel, const std::string& model,
                      const diagnosis::cause& cause);

/// Diagnoses each kernel on each subject that it fails on.
void diagnose_failures(const verification& request, std::vector<failing> all,
                       search::clock::time_point deadline, const std::atomic<bool>& stopped,
                       std::vector<diagnosed>& to);

}  // namespace ropewalk::verify
