#pragma once
// The options of `ropewalk bench`. This program knows them for --help and completions; ropewalk_bench, which
// it runs, reads them again.

#include <string>
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
  std::string device;
  std::string heads;
  std::string kv_heads;
  std::string tokens;
  std::string batch;
  std::string output;
  std::string filter;
  std::string threshold;
  std::vector<std::string> compared;  // OLD.json, and NEW.json if it is not to be measured now
  bool markdown = false;
  bool quick = false;
  bool lists = false;
};

/// Adds all of them, and what --help says below them.
void add_bench_options(subcommand& command, bench_options& options);

}  // namespace ropewalk::command
