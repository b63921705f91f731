#include "command/figure_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "command/parser.hpp"
#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"

namespace ropewalk::command {
namespace {

constexpr double usual_base = 10000;
constexpr int usual_head_dim = 128;
constexpr std::int64_t usual_trained = 4096;  // where the configuration does not say
constexpr std::int64_t usual_extension = 8;   // the target over the trained length, the same

/// The model of a record of `ropewalk bench`, if it is in the catalogue.
std::optional<model::model> recorded_model(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const std::vector<std::string> known = model::catalogue_names();
  for (const measure::bench_row& row : measure::read_bench_record(path, "bench").rows)
    if (std::find(known.begin(), known.end(), row.model) != known.end())
      return model::catalogue_model(row.model);
  return std::nullopt;
}

model::model figure_model(const figure_options& options) {
  if (!first_named(options.which).name.empty()) return chosen_model_of_sequences(options.which);
  if (const auto recorded = recorded_model(options.bench)) return *recorded;
  return model::model_by_hand(usual_base, usual_head_dim, usual_head_dim, pairing::half_split, "");
}

void choose_lengths(plot::subject& to, const figure_options& options) {
  const double original = original_length_of(to.model.encoding.scaling);
  const bool has_original = original >= 1 && original <= static_cast<double>(largest_seq_len);
  const std::int64_t positions = to.model.max_position_embeddings;
  to.trained = has_original ? static_cast<std::int64_t>(original) : positions > 0 ? positions : usual_trained;
  if (!options.trained.empty())
    to.trained = input::whole_number("trained", options.trained, 1, largest_seq_len);
  to.target = positions > to.trained ? positions
                                     : std::min<std::int64_t>(usual_extension * to.trained, largest_seq_len);
  if (!options.target.empty()) to.target = input::whole_number("target", options.target, 1, largest_seq_len);
  if (to.target < to.trained)
    throw bad_input("target", std::to_string(to.target),
                    fmt::format("a whole number from the trained length {} to {}", to.trained,
                                std::int64_t{largest_seq_len}));
}

void choose_compared_kernels(plot::subject& to, const std::vector<std::string>& names) {
  for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
    if (one.is_recipe && !verify::needs_device(one)) to.kernels.push_back(one);
  for (const std::string& name : names) {
    if (!name.starts_with(verify::library_prefix) && !name.starts_with(verify::program_prefix))
      refuse_comma_lists("kernel", {name});
    for (const verify::chosen_kernel& one : verify::chosen_kernels(name)) {
      const bool is_known = std::any_of(to.kernels.begin(), to.kernels.end(),
                                        [&](const auto& other) { return other.label() == one.label(); });
      if (!is_known) to.kernels.push_back(one);
    }
  }
}

}  // namespace

void add_figure_options(subcommand& command, figure_options& options) {
  command.heading("What is drawn");
  command.option("--kernel", options.kernels, "NAME",
                 "a kernel beside the recipes of engines: a name, library:PATH or program:COMMAND");
  command.option("--trained", options.trained, "N",
                 "positions that the model was trained on (default: the rule's original length, else "
                 "max_position_embeddings)");
  command.option("--target", options.target, "N",
                 "positions that it is asked for (default: max_position_embeddings, else 8 times --trained)");
  command.option("--bench", options.bench, "FILE",
                 "what `ropewalk bench --out FILE` measured, whose model is drawn unless another is named "
                 "(default: measure "
                 "now)");
  command.flag("--quick", options.is_quick, "fewer points");
  command.values("--kernel", [](const auto&) {
    std::vector<std::string> names;
    for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
      names.emplace_back(one.kernel->name);
    return names;
  });
  add_which_options(command, options.which, how_many::one);
}

plot::subject subject_of(const figure_options& options, session& session) {
  plot::subject r;
  r.model = figure_model(options);
  const auto add = [](std::string& to, const std::vector<std::string>& words) {
    for (const std::string& word : words) to += " " + shell_quoted(word);
  };
  add(r.which_options, which_words(options.which));
  if (!options.trained.empty()) add(r.which_options, {"--trained", options.trained});
  if (!options.target.empty()) add(r.which_options, {"--target", options.target});
  for (const std::string& name : options.kernels) add(r.kernel_options, {"--kernel", name});
  if (!options.bench.empty()) add(r.kernel_options, {"--bench", options.bench});
  choose_lengths(r, options);
  r.model = model::at_seq_len(r.model, options.which.seq_len, {r.target, "the target length"});
  choose_compared_kernels(r, options.kernels);
  r.is_quick = options.is_quick;
  report_reading(r.model, session);
  return r;
}

void require_same_encoding(const measure::bench_record& measured, const figure_options& options,
                           const model::model& of) {
  const std::string wanted = model::recorded_name(of);
  std::string found;
  for (const measure::bench_row& row : measured.rows) {
    if (row.model == wanted) return;
    if (!row.model.empty() && found.empty()) found = row.model;
  }
  if (!found.empty())
    throw bad_input("bench", fmt::format("{}, a run of {}", options.bench, found),
                    fmt::format("a run of {}", wanted));
}

}  // namespace ropewalk::command
