#pragma once
// What figures are made of, from options: shared by `plot` and `report`.

#include <string>
#include <string_view>
#include <type_traits>
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

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, figure_options>
void visit_options(Options& options, const Visit& visit) {
  visit("--kernel", options.kernels);
  visit("--trained", options.trained);
  visit("--target", options.target);
  visit("--bench", options.bench);
  visit("--quick", options.is_quick);
  visit_options(options.which, [&](std::string_view name, auto& value) {
    // --text of `plot` is another option than the one that places tokens.
    if (name != "--text") visit(name, value);
  });
}

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
                           const model::model& model);

}  // namespace ropewalk::command
