#include "bench/benchmark_case.hpp"

namespace ropewalk::bench {

std::string benchmark_name(std::string_view group, std::string_view kernel, std::string_view dtype,
                           std::string_view pairing, std::int64_t tokens) {
  std::string label(kernel);
  for (char& letter : label) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') ||
                          std::string_view("._:+-").find(letter) != std::string_view::npos;
    if (!is_plain) letter = '_';
  }
  std::string name(group);
  for (const std::string_view part : {std::string_view(label), dtype, pairing}) (name += '/') += part;
  return name + '/' + std::to_string(tokens);
}

measure::bench_row row_of(std::string_view group, std::string_view kernel, std::string_view dtype,
                          std::string_view pairing, std::int64_t tokens) {
  measure::bench_row row{};
  row.name = benchmark_name(group, kernel, dtype, pairing, tokens);
  row.group = group;
  row.kernel = kernel;
  row.dtype = dtype;
  row.pairing = pairing;
  row.tokens = tokens;
  row.clock = "std::chrono::steady_clock";
  return row;
}

}  // namespace ropewalk::bench
