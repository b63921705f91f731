#pragma once
// Diagnoses failing kernels on each subject. Subjects with the same cause share an entry.

#include <atomic>
#include <string>
#include <vector>

#include "verify/law_jobs.hpp"

namespace ropewalk::verify {

/// Adds a cause to an entry of the kernel that has a cause in common with it, else as a new entry.
void report_diagnosis(std::vector<diagnosed>& to, const std::string& kernel, const std::string& model,
                      const diagnosis::cause& cause);

/// Diagnoses each kernel on each subject that it fails on.
void diagnose_failures(const verification& request, std::vector<failing> all,
                       search::clock::time_point deadline, const std::atomic<bool>& stopped,
                       std::vector<diagnosed>& to);

}  // namespace ropewalk::verify
