#pragma once
// The options of `ropewalk sweep`, and the ranges of work that they describe.

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "command/command.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "sweep/sweep.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct sweep_options {
  which_options which;
  position_options where;
  std::vector<std::string> dtypes;
  std::string kernel;
  std::string recipe;
  std::string table;
  std::string compare;
  std::string layout;
  std::string output;
  std::string shard;
  bool resume = false;
  std::vector<std::string> merge;
  bool audit = false;
  std::string certificates;
  std::string budget;
  std::string threads;
  bool json = false;
  bool markdown = false;
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, sweep_options>
void visit_options(Options& options, const Visit& visit) {
  visit_options(options.which, visit);
  visit_options(options.where, visit);
  visit("--dtype", options.dtypes);
  visit("--kernel", options.kernel);
  visit("--recipe", options.recipe);
  visit("--table", options.table);
  visit("--compare", options.compare);
  visit("--layout", options.layout);
  visit("--output", options.output);
  visit("--shard", options.shard);
  visit("--resume", options.resume);
  visit("--merge", options.merge);
  visit("--audit", options.audit);
  visit("--certificates", options.certificates);
  visit("--budget", options.budget);
  visit("--threads", options.threads);
  visit("--json", options.json);
  visit("--markdown", options.markdown);
}

/// What is checked, and where its results go.
struct sweep_subject {
  std::string name;     // as the range of work says it
  std::string content;  // digest of files
  std::string directory;
  std::unique_ptr<sweep::subject_maker> maker;
  std::vector<ropewalk_dtype> dtypes;  // of a default
};

/// The models that the options name, else every table of the catalogue, each at the length of its model's
/// context.
///
/// throws  bad_input naming the field, its value and what is allowed
std::vector<model::model> swept_models(const sweep_options& options);

/// What is compared with the tables of these models.
///
/// throws  bad_input where options name several subjects, or belong to others
std::vector<sweep_subject> swept_subjects(const sweep_options& options,
                                          const std::vector<model::model>& models);

/// Every entry of a subject's tables at the positions that the options name.
///
/// throws  bad_input naming the option
sweep::work_range work_range_from(const sweep_options& options, const std::vector<model::model>& models,
                                  const sweep_subject& subject);

/// The part of a range that --shard names; all of it without one.
///
/// throws  bad_input naming shard
sweep::shard shard_from(const std::string& text);

/// Seconds of --budget; 0 without one.
///
/// throws  bad_input naming budget
double sweep_budget(const std::string& text);

}  // namespace ropewalk::command
