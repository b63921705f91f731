#pragma once
// Defaults that --help states and commands use.

namespace ropewalk::command {

// Seconds of processor time; planning and shrinking count, too. On two cores all kernels take 75 s.
inline constexpr int default_budget = 60, budget_of_all_kernels = 140;
inline constexpr int default_diagnosis = 20;
inline constexpr int report_budget = 45, quick_report_budget = 8;

// What verdicts need takes most of the budget on the machine where it was measured: others may be slower.
inline constexpr int slower_machine = 4;

inline constexpr int default_trained = 4096;  // positions, where the configuration does not say
inline constexpr int default_extension = 8;   // the target length over the trained one, likewise

}  // namespace ropewalk::command
