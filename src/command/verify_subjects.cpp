#include "command/verify_subjects.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

using namespace verify;

namespace {

bool names_a_model(const which_options& which) {
  return !which.configs.empty() || !which.models.empty() ||
         std::any_of(which.numbers.begin(), which.numbers.end(),
                     [](const auto& number) { return !number.second.empty(); });
}

/// For each model, the options that reproduce it, in the order of chosen_models.
std::vector<std::string> model_options(const which_options& which) {
  std::vector<std::string> texts;
  which_options single = which;
  single.models.clear();
  for (const std::string& file : which.configs) {
    single.configs = {file};
    texts.push_back(command_text(single));
  }
  single.configs.clear();
  texts.push_back(command_text(single));  // by hand
  single.numbers.clear();
  single.pairing.clear();
  for (const std::string& name : which.models) {
    single.models = {name};
    texts.insert(texts.end() - 1, command_text(single));
  }
  return texts;
}

/// The file of a --config that names it or its directory; empty for standard input.
std::string file_of_config(const std::string& path) {
  std::error_code unknown;
  if (path == "-") return {};
  return std::filesystem::is_directory(path, unknown) ? (std::filesystem::path(path) / "config.json").string()
                                                      : path;
}

bool has_bias_kernel(const verification& request) {
  return std::any_of(request.kernels.begin(), request.kernels.end(),
                     [](const judged_kernel& kernel) { return kernel.operation() == ROPEWALK_ADD_BIAS; });
}

/// Refuses options of arrays where none is named. --form may be that of kernels.
void refuse_array_options(const verification& request, const array_options& arrays) {
  const named_option option = request.form ? first_given(arrays, {"--form"}) : first_given(arrays);
  if (option.is_given()) throw bad_input(option.name, option.value, "only with --table FILE");
}

}  // namespace

void choose_subjects(verification& request, const which_options& which, session& session) {
  if (asks_every_layer(which)) {
    const choices_of_layers layers = every_layer(which);
    session.understood += layers.still;
    for (const choice_of_layers& choice : layers.choices) choose_subjects(request, choice.which, session);
    return;
  }
  const std::vector<model::model> models = chosen_models(which);
  if (models.empty()) {
    request.models = spread_of_models();
    request.additions = every_addition();
    return;
  }
  const std::vector<std::string> options = model_options(which);
  for (std::size_t i = 0; i < models.size(); ++i) {
    model::model named = models[i];
    require_paired_channels(named);
    if (!which.layer.empty()) named.name += "/" + which.layer;
    for (rotation_subject& subject : at_decisive_lengths(named, options[i], which.seq_len)) {
      report_reading(subject.model, session);
      named.warnings.clear();
      if (i < which.configs.size()) subject.file = file_of_config(which.configs[i]);
      request.models.push_back(std::move(subject));
    }
  }
}

std::vector<judged_table> chosen_tables(const verify_options& options,
                                        const std::map<std::string, std::string>& skipped) {
  if (names_kernels(options) || options.arrays.is_given() || names_a_model(options.which)) return {};
  std::vector<judged_table> tables = own_tables();
  const auto is_left_out = [](const std::vector<std::string>& names, std::string_view name) {
    return !names.empty() && std::find(names.begin(), names.end(), name) == names.end();
  };
  for (judged_table& table : tables)
    std::erase_if(table.laws, [&](const law_text& law) {
      return skipped.count(std::string(law.name)) > 0 || is_left_out(options.laws, law.name);
    });
  std::erase_if(tables, [&](const judged_table& table) {
    return table.laws.empty() || is_left_out(options.dtypes, name_of(table.dtype));
  });
  return tables;
}

std::optional<alibi_form> chosen_form(const verification& request, const verify_options& options) {
  const std::string text = typed(options.arrays.table, "--form");
  if (text.empty()) return std::nullopt;
  const alibi_form form = alibi_form_named(text);
  if (has_bias_kernel(request)) return form;
  if (!options.arrays.is_given())
    throw bad_input("form", text,
                    "only with --table FILE or a kernel that adds ALiBi's bias, of a library or a program");
  return std::nullopt;
}

void choose_arrays(verification& request, const verify_options& options, session& session) {
  const array_options& arrays = options.arrays;
  if (!arrays.is_given()) return refuse_array_options(request, arrays);
  if (asks_every_layer(options.which))
    throw bad_input("layer", options.which.layer,
                    "a layer or a kind of layers with --table; {layer} in its name stands for every layer");
  chosen_arrays chosen =
      arrays_from(arrays, options.which, options.positions, options.dtypes,
                  {chosen_promise(options.promise).value_or(promise::canonical), options.promise}, session);
  request.arrays = std::move(chosen.arrays);
  request.missing_layers = std::move(chosen.missing);
}

}  // namespace ropewalk::command
