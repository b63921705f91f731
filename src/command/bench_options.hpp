#pragma once
// The options of `ropewalk bench`. This program knows them for --help and completions; ropewalk_bench, which
// it runs, reads them again.

#include <string>
#include <type_traits>
#include <vector>

#include "command/command.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct bench_options {
  which_options which;
  std::string positions;  // of tokens on axes
  std::vector<std::string> kernels;
  std::vector<std::string> dtypes;
  std::string heads;
  std::string kv_heads;
  std::string tokens;
  std::string batch;
  std::string device;
  bool quick = false;
  std::string output;
  std::string filter;
  bool lists = false;
  std::vector<std::string> compared;  // OLD.json, and NEW.json if it is not to be measured now
  std::string threshold;
  bool markdown = false;
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, bench_options>
void visit_options(Options& options, const Visit& visit) {
  visit_options(options.which, visit);
  visit("--positions", options.positions);
  visit("--kernel", options.kernels);
  visit("--dtype", options.dtypes);
  visit("--heads", options.heads);
  visit("--kv-heads", options.kv_heads);
  visit("--tokens", options.tokens);
  visit("--batch", options.batch);
  visit("--device", options.device);
  visit("--quick", options.quick);
  visit("--out", options.output);
  visit("--benchmark_filter", options.filter);
  visit("--benchmark_list_tests", options.lists);
  visit("--compare", options.compared);
  visit("--threshold", options.threshold);
  visit("--markdown", options.markdown);
}

}  // namespace ropewalk::command
