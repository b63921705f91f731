#pragma once
// Rows of tests/README.md for tables of encodings that add.

namespace ropewalk::table_faults {

/// Faults in tables of encodings that add, which addition_tables_test.cpp makes.
struct addition_fault {
  const char* fault;
  const char* threads;
  const char* hypothesis;
};
inline constexpr addition_fault addition_faults[] = {
    {"halves of a timestep's sines and cosines exchanged", "flashinfer#3819", "layout-cos-sin"},
    {"a timestep through bfloat16: 937 becomes 936", "mold#786, DiffSynth-Studio#1025", "positions-bf16"},
    {"a slope's exponent off by one", "aprender#2143", "exponent-from-zero"},
    {"slopes where heads are no power of two", "TensorRT-LLM#1611", "formula-for-any-heads"},
    {"slopes of local heads under tensor parallelism", "flashinfer#1606", "local-heads-4"},
};

}  // namespace ropewalk::table_faults
