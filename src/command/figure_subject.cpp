#include "command/figure_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "command/option/defaults.hpp"
#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

constexpr double usual_base = 10000;
constexpr int usual_head_dim = 128;

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

void choose_lengths(plot::subject& subject, const figure_options& options) {
  const double original = original_length_of(subject.model.encoding.scaling);
  const bool has_original = original >= 1 && original <= static_cast<double>(largest_seq_len);
  const std::int64_t positions = subject.model.max_position_embeddings;
  subject.trained = has_original    ? static_cast<std::int64_t>(original)
                    : positions > 0 ? positions
                                    : default_trained;
  if (!options.trained.empty()) subject.trained = whole_number_of("--trained", options.trained);
  subject.target = positions > subject.trained
                       ? positions
                       : std::min<std::int64_t>(default_extension * subject.trained, largest_seq_len);
  if (!options.target.empty()) subject.target = whole_number_of("--target", options.target);
  if (subject.target < subject.trained)
    throw bad_input("target", std::to_string(subject.target),
                    fmt::format("a whole number from the trained length {} to {}", subject.trained,
                                std::int64_t{largest_seq_len}));
}

void choose_compared_kernels(plot::subject& subject, const std::vector<std::string>& names) {
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    if (kernel.is_recipe && !verify::needs_device(kernel)) subject.kernels.push_back(kernel);
  for (const std::string& name : names) {
    if (!name.starts_with(verify::library_prefix) && !name.starts_with(verify::program_prefix))
      refuse_comma_lists("kernel", {name});
    for (const verify::chosen_kernel& kernel : verify::chosen_kernels(name)) {
      const bool is_known = std::any_of(subject.kernels.begin(), subject.kernels.end(),
                                        [&](const auto& known) { return known.label() == kernel.label(); });
      if (!is_known) subject.kernels.push_back(kernel);
    }
  }
}

}  // namespace

plot::subject subject_of(const figure_options& options, session& session) {
  plot::subject subject;
  subject.model = figure_model(options);
  const auto add = [](std::string& line, const std::vector<std::string>& words) {
    for (const std::string& word : words) line += " " + shell_quoted(word);
  };
  add(subject.which_options, which_words(options.which));
  if (!options.trained.empty()) add(subject.which_options, {"--trained", options.trained});
  if (!options.target.empty()) add(subject.which_options, {"--target", options.target});
  for (const std::string& name : options.kernels) add(subject.kernel_options, {"--kernel", name});
  if (!options.bench.empty()) add(subject.kernel_options, {"--bench", options.bench});
  choose_lengths(subject, options);
  subject.model =
      model::at_seq_len(subject.model, options.which.seq_len, {subject.target, "the target length"});
  choose_compared_kernels(subject, options.kernels);
  subject.is_quick = options.is_quick;
  report_reading(subject.model, session);
  return subject;
}

void require_same_encoding(const measure::bench_record& measured, const figure_options& options,
                           const model::model& model) {
  const std::string wanted = model::recorded_name(model);
  std::string recorded;
  for (const measure::bench_row& row : measured.rows) {
    if (row.model == wanted) return;
    if (!row.model.empty() && recorded.empty()) recorded = row.model;
  }
  if (!recorded.empty())
    throw bad_input("bench", fmt::format("{}, a run of {}", options.bench, recorded),
                    fmt::format("a run of {}", wanted));
}

}  // namespace ropewalk::command
