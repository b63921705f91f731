#pragma once
// The nouns that are measured. Each has one file with the function that registers its benchmarks.

#include <benchmark/benchmark.h>

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::bench {

void register_add();
void register_apply();
void register_backward();
void register_in_place();
void register_one_token();
void register_rows();
void register_tables();
void register_two_threads();
void register_vulkan();
void register_vulkan_start();

inline constexpr std::string_view not_said = "-";  // stands for a part of a name that does not apply

/// The name noun/kernel/dtype/pairing/tokens of a benchmark.
inline std::string benchmark_name(std::string_view noun, std::string_view kernel, std::string_view dtype,
                                  std::string_view pairing, int tokens) {
  std::string name(noun);
  for (const std::string_view part : {kernel, dtype, pairing}) (name += '/') += part;
  return name + '/' + std::to_string(tokens);
}

/// Registers a benchmark of `rounds` rounds, at least 9 for a useful median. An exception skips it with its
/// text.
inline void add_benchmark(const std::string& name, int rounds, std::function<void(benchmark::State&)> run) {
  const auto guarded = [run = std::move(run)](benchmark::State& state) {
    try {
      run(state);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)->Iterations(rounds)->UseManualTime();
}

}  // namespace ropewalk::bench
