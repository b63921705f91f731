#include "command/sweep_request.hpp"

#include <algorithm>
#include <utility>

#include "command/option/domains.hpp"
#include "command/table_options.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "kernel/recipe/recipes.hpp"
#include "sweep/certificate.hpp"
#include "sweep/file_subject.hpp"
#include "sweep/kernel_subject.hpp"
#include "sweep/recipe_subject.hpp"

namespace ropewalk::command {
namespace {

// Entries (pairs x positions) of a unit: about a second of work.
constexpr std::int64_t table_entries_at_once = std::int64_t{1} << 30;
constexpr std::int64_t foreign_entries_at_once = std::int64_t{1} << 26;

std::vector<ropewalk_dtype> swept_dtypes(const std::vector<std::string>& names,
                                         const std::vector<ropewalk_dtype>& otherwise) {
  return names.empty() ? otherwise : chosen_dtypes(names);
}

position_range swept_positions(const sweep_options& options, const model::model& model) {
  const input::position_list positions = chosen_positions(options.where, model.max_position_embeddings);
  if (positions.is_listed) throw bad_input("positions", options.where.positions, "N or A:B");
  return positions.range;
}

/// The file of --compare as --table KIND says. Its rows begin at the first position.
std::unique_ptr<sweep::given_table> file_from(const sweep_options& options, const model::model& model) {
  tables::array_layout layout = layout_named(kind_from("table", options.table), options.layout);
  layout = with_copies(std::move(layout), model.doubled, model.axes, model.encoding);
  std::int64_t first = 0;
  if (!options.where.positions.empty()) first = chosen_positions(options.where, 0).range.begin;
  return std::make_unique<sweep::given_table>(options.compare, layout, first);
}

/// Refuses options that name several things to check, or that belong to others.
void refuse_conflicts(const sweep_options& options) {
  const auto only = [](const std::string& value, const char* name, bool allowed, const char* where) {
    if (!value.empty() && !allowed) throw bad_input(name, value, where);
  };
  only(options.recipe, "recipe", options.kernel.empty(), "only without --kernel");
  only(options.table, "table", options.kernel.empty() && options.recipe.empty(),
       "only without --kernel and --recipe");
  only(options.compare, "compare", !options.table.empty(), "only with --table KIND");
  only(options.layout, "layout", !options.compare.empty(), "only with --compare FILE");
  if (options.compare.empty() && !options.table.empty() && options.table != "cos-sin")
    throw refusal("--table", options.table, "sweep");
}

/// The subjects of --recipe: one recipe, or each in a directory of its own.
std::vector<sweep_subject> recipe_subjects(const sweep_options& options) {
  std::vector<sweep_subject> subjects;
  const bool has_all = options.recipe == every_one;
  for (const recipe::known_recipe& known : recipe::known_recipes()) {
    const std::string name(known.name);
    if (has_all || options.recipe == name)
      subjects.push_back({"recipe " + name,
                          "",
                          has_all ? options.output + "/" + name : options.output,
                          sweep::recipe_entries(name),
                          {sweep::dtype_of_recipe(name)}});
  }
  if (subjects.empty()) sweep::recipe_entries(options.recipe);  // which refuses it
  return subjects;
}

sweep_subject file_subject(const sweep_options& options, const model::model& model) {
  auto file = file_from(options, model);
  const std::string content = file->content();
  const ropewalk_dtype dtype = file->dtype();
  return {"table " + options.table + (options.layout.empty() ? "" : " " + options.layout),
          content,
          options.output,
          std::move(file),
          {dtype}};
}

}  // namespace

std::vector<model::model> swept_models(const sweep_options& options) {
  std::vector<model::model> models = chosen_models(options.which);
  if (models.empty()) models = sweep::catalogue_models();
  for (model::model& model : models) {
    if (model.coordinates != axis_coordinates{})
      throw bad_input("axes", "scale or offset",
                      "none here: they are of the indices that `table` and `apply` take");
    model = sweep::at_own_context(std::move(model), options.which.seq_len);
  }
  return models;
}

std::vector<sweep_subject> swept_subjects(const sweep_options& options,
                                          const std::vector<model::model>& models) {
  refuse_conflicts(options);
  if (!options.recipe.empty()) return recipe_subjects(options);
  std::vector<sweep_subject> subjects;
  const std::vector<ropewalk_dtype> binary32{ROPEWALK_F32};
  if (!options.kernel.empty()) {
    auto outputs = sweep::kernel_outputs(options.kernel);
    subjects.push_back({"kernel " + options.kernel, sweep::content_of_kernel(options.kernel), options.output,
                        std::move(outputs), binary32});
  } else if (!options.compare.empty()) {
    subjects.push_back(file_subject(options, models.front()));
  } else {
    subjects.push_back({"table", "", options.output, sweep::own_tables(), binary32});
  }
  return subjects;
}

sweep::work_range work_range_from(const sweep_options& options, const std::vector<model::model>& models,
                                  const sweep_subject& subject) {
  const bool is_own = options.kernel.empty() && options.recipe.empty() && options.compare.empty();
  sweep::work_range range{
      subject.name, subject.content,
      sweep::tables_of(
          models,
          [&](const model::model& model) {
            const bool as_file = !options.compare.empty() && options.where.positions.empty();
            return as_file ? static_cast<const sweep::given_table&>(*subject.maker).positions()
                           : swept_positions(options, model);
          },
          [&](const model::model& model) {
            const bool is_table = options.kernel.empty() && options.recipe.empty();
            return is_table ? sweep::table_identity(model::placed(model)) : sweep::given_identity(model);
          }),
      swept_dtypes(options.dtypes, subject.dtypes), is_own ? table_entries_at_once : foreign_entries_at_once};
  if (!options.compare.empty() && range.tables.size() != 1)
    throw bad_input("compare", options.compare, "with one table, by --model, --config or --base");
  subject.maker->require_serves(range);
  return range;
}

sweep::shard shard_from(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const std::string after = slash == std::string::npos ? "" : text.substr(slash + 1);
  const std::int64_t number = input::number_from<std::int64_t>(text.substr(0, slash)).value_or(0);
  const std::int64_t count = input::number_from<std::int64_t>(after).value_or(0);
  if (number < 1 || number > count) throw refusal("--shard", text);
  return {number, count};
}

double sweep_budget(const std::string& text) {
  constexpr double most_seconds = 1e9;
  if (text.empty()) return 0;
  const auto seconds = input::number_from<double>(text);
  if (!seconds || !(*seconds > 0) || *seconds > most_seconds) throw refusal("--budget", text, "sweep");
  return *seconds;
}

}  // namespace ropewalk::command
