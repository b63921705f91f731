#pragma once
// What figures are made of, from options: shared by `plot` and `report`.

#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/which.hpp"
#include "plot/figures.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct figure_options {
  which_options which;
  std::vector<std::string> kernels;
  std::string trained;
  std::string target;
  std::string bench;
  bool is_quick = false;
};

/// Adds the options of an encoding, --kernel, --trained, --target, --bench and --quick.
void add_figure_options(subcommand& command, figure_options& options);

/// The encoding, its lengths and the kernels; `measured` stays null. Without an encoding: base 10000 and
/// head_dim 128. Kernels that --kernel names are compared with the recipes of engines.
///
/// throws  bad_input naming the field, its value and what is allowed
plot::subject subject_of(const figure_options& options, session& session);

/// Refuses a record that --bench names if it is of another encoding: its times and errors would be taken for
/// this one's.
///
/// throws  bad_input naming bench, the record's encodings and the one that is asked for
void require_same_encoding(const measure::bench_record& measured, const figure_options& options,
                           const model::model& of);

}  // namespace ropewalk::command
