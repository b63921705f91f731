#pragma once
// The benchmark groups. Each group has one file with the function that adds its rows.

#include "bench/benchmark_case.hpp"
#include "bench/request.hpp"

namespace ropewalk::bench {

// Rotations: of the chosen model, kernels and shapes, or of the fixed ones.
void add_apply(case_list& to, const request& request);
void add_backward(case_list& to, const request& request);
void add_in_place(case_list& to, const request& request);
void add_one_token(case_list& to, const request& request);

// Fixed rows only.
void add_attention_factor(case_list& to);  // and unit
void add_axes(case_list& to);
void add_real(case_list& to);  // positions in binary64
void add_two_threads(case_list& to);
void add_rows(case_list& to);
void add_tables(case_list& to);
void add_additions(case_list& to);
void add_vulkan(case_list& to);
void add_vulkan_start(case_list& to);

}  // namespace ropewalk::bench
