// ropewalk explain: what a configuration means, quantity by quantity, and where each comes from; claims and
// their witnesses.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command/command.hpp"
#include "command/explain_claim.hpp"
#include "command/explain_extrapolation.hpp"
#include "command/parser.hpp"
#include "command/which.hpp"
#include "export/record.hpp"
#include "export/terminal.hpp"
#include "input/bad_input.hpp"
#include "input/positions.hpp"
#include "model/derived.hpp"
#include "model/record.hpp"

namespace ropewalk::command {
namespace {

using input::json;
using model::fact;

struct explain_options {
  std::string subject;
  std::string file;
  which_options which;
  std::string trained;
  std::string target;
  bool as_json = false;
};

std::vector<fact> all_facts(const model::model& model) {
  std::vector<fact> facts = model.facts;
  for (fact& one : model::derived_facts(model)) facts.push_back(std::move(one));
  return facts;
}

void print_text(const model::model& model) {
  const std::vector<fact> facts = all_facts(model);
  std::size_t name_width = 0, value_width = 0;
  for (const fact& one : facts) {
    name_width = std::max(name_width, one.name.size());
    value_width = std::max(value_width, std::min<std::size_t>(printable(one.value).size(), 24));
  }
  std::cout << printable(model.name) << "\n";
  for (const fact& one : facts)
    std::cout << fmt::format("  {:<{}}  {:<{}}  {}\n", one.name, name_width, printable(one.value),
                             value_width, printable(one.origin));
  for (const std::string& line : model.warnings)
    std::cout << output::coloured("warning: ", output::colour::yellow, output::stream::out) << line << "\n";
}

void print_json(const model::model& model) {
  json record = {{"name", model.name}, {"quantities", json::array()}, {"warnings", model.warnings}};
  for (const fact& one : all_facts(model))
    record["quantities"].push_back({{"name", one.name}, {"value", one.value}, {"origin", one.origin}});
  record["model"] = model::model_record(model);
  std::cout << output::pretty(record);
}

/// The length that a configuration itself speaks of.
model::sequence_length usual_length(const model::model& model) {
  if (model.max_position_embeddings > 0)
    return {model.max_position_embeddings, "max_position_embeddings, as no other is asked for"};
  return {input::default_positions, "the default"};
}

exit_code run_explain(explain_options options) {
  if (options.subject == "claim" || options.subject == "claims") {
    named_option extra = first_named(options.which);
    if (extra.name.empty() && !options.trained.empty()) extra = {"trained", options.trained};
    if (extra.name.empty() && !options.target.empty()) extra = {"target", options.target};
    if (!extra.name.empty())
      throw bad_input(extra.name, extra.value, "none: claims have encodings of their own");
  }
  if (options.subject == "claim") return explain_claim(options.file, options.as_json);
  if (options.subject == "claims") {
    if (!options.file.empty())
      throw bad_input("claims", options.file, "nothing behind it: `explain claim N` is one");
    return explain_claims(options.as_json);
  }
  if (options.subject != "config" && options.subject != "extrapolation")
    throw bad_input("subject", options.subject.empty() ? "missing" : options.subject,
                    "config, extrapolation, claim, claims");
  if (!options.file.empty()) options.which.configs.push_back(options.file);
  if (options.subject == "extrapolation")
    return explain_extrapolation(options.which, options.trained, options.target, options.as_json);
  if (!options.trained.empty())
    throw bad_input("trained", options.trained, "only with `explain extrapolation`");
  if (!options.target.empty()) throw bad_input("target", options.target, "only with `explain extrapolation`");
  const model::model read = chosen_model(options.which);
  const model::model model = at_seq_len(read, options.which.seq_len, usual_length(read));
  options.as_json ? print_json(model) : print_text(model);
  return exit_code::holds;
}

}  // namespace

void add_explain(parser& program) {
  subcommand command = program.add(
      "explain", "what a configuration means, where each number comes from, and what decides a claim");
  const auto options = std::make_shared<explain_options>();
  command.option("subject", options->subject, "SUBJECT", "config, extrapolation, claim, claims");
  command.option("file", options->file, "FILE|N",
                 "config, extrapolation: a config.json, a directory that holds one, or -; claim: its "
                 "number in the ledger");
  add_which_options(command, options->which, how_many::one);
  command.heading("");
  command.option("--trained", options->trained, "L",
                 "extrapolation: positions seen in training (default: the original length)");
  command.option("--target", options->target, "N",
                 "extrapolation: positions asked for (default: max_position_embeddings)");
  command.flag("--json", options->as_json, "the same as JSON");
  command.footer(
      "Examples:\n"
      "  ropewalk explain config config.json\n"
      "  ropewalk explain claim 18\n"
      "  ropewalk explain extrapolation --model llama-2-7b --target 32768\n"
      "  ropewalk explain config --model phi-3.5-mini --seq-len 4097\n"
      "  ropewalk explain config --model gemma-3-4b --layer-type sliding_attention --json");
  command.run([options] { return run_explain(*options); });
}

}  // namespace ropewalk::command
