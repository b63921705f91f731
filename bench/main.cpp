// ropewalk_bench: precision against speed, printed as a table and written as JSON.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "bench/nouns.hpp"
#include "bench/report.hpp"

namespace ropewalk::bench {
namespace {

constexpr int bad_usage = 2;
constexpr int missing = 3;

constexpr const char* usage = R"(ropewalk_bench [--quick] [--out FILE] [--benchmark_OPTION...]

  --quick       one pairing and two formats of `apply` alone
  --out FILE    every counter as JSON
  --benchmark_filter=REGEX, --benchmark_list_tests and what else Google Benchmark takes

Names are noun/kernel/dtype/pairing/tokens. A ratio is the median over rounds that time kernel and memcpy by
turns; errors are of the kernel's own cosines and sines at sampled positions below each limit. Recipes compute
the rows of each call, as cpu-turns does; engines keep theirs in tables, which is faster.
)";

constexpr std::string_view quick_filter =
    "--benchmark_filter=^apply/(cpu-turns|cpu-table|vulkan-[^/]*|recipe-[^/]*)/(f32|bf16)/half-split/512/";

int refuse(std::string_view what) {
  std::fprintf(stderr, "ropewalk_bench: %.*s; allowed: see ropewalk_bench --help\n",
               static_cast<int>(what.size()), what.data());
  return bad_usage;
}

/// The command line, with our own options translated to Google Benchmark's. An empty `file` means no JSON.
struct arguments {
  std::vector<std::string> words;
  std::string file;
  bool lists = false;
  bool helps = false;
  std::string refused;
};

arguments read(int count, char** words) {
  arguments r;
  r.words.emplace_back(words[0]);
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") {
      r.helps = true;
    } else if (word == "--quick") {
      r.words.emplace_back(quick_filter);
    } else if (word == "--out") {
      if (++i == count)
        r.refused = "--out is missing its value";
      else
        r.file = words[i];
    } else if (word.starts_with("--benchmark_") || word.starts_with("--v=")) {
      r.lists = r.lists || word.starts_with("--benchmark_list_tests");
      r.words.emplace_back(word);
    } else {
      r.refused = "argument is " + std::string(word);
    }
  }
  if (!r.file.empty() && !r.lists) r.words.push_back("--benchmark_out=" + r.file);
  return r;
}

void register_all() {
  register_apply();
  register_backward();
  register_in_place();
  register_one_token();
  register_two_threads();
  register_rows();
  register_tables();
  register_add();
  register_vulkan();
  register_vulkan_start();
}

int run(arguments given) {
  if (given.helps) return std::fputs(usage, stdout) < 0 ? bad_usage : 0;
  if (!given.refused.empty()) return refuse(given.refused);
  std::vector<char*> words;
  for (std::string& word : given.words) words.push_back(word.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (count > 1) return refuse(std::string("argument is ") + words[1]);
  register_all();
  describe_build();
  table_reporter table;
  json_reporter json;
  const bool writes = !given.file.empty() && !given.lists;
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&table, writes ? &json : nullptr);
  return ran == 0 ? refuse("no benchmark matches the filter") : 0;
}

}  // namespace
}  // namespace ropewalk::bench

int main(int count, char** words) {
  try {
    return ropewalk::bench::run(ropewalk::bench::read(count, words));
  } catch (const std::exception& error) {  // for example a device failure
    std::fprintf(stderr, "ropewalk_bench: %s\n", error.what());
    return ropewalk::bench::missing;
  }
}
