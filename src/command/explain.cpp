// ropewalk explain: what a configuration means, quantity by quantity, and where each comes from; claims and
// their witnesses.

#include <memory>
#include <string>

#include "command/command.hpp"
#include "command/explain_claim.hpp"
#include "command/explain_extrapolation.hpp"
#include "command/parser.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "input/positions.hpp"
#include "report/configuration.hpp"

namespace ropewalk::command {
namespace {

struct explain_options {
  std::string subject;
  std::string file;
  which_options which;
  std::string trained;
  std::string target;
  bool as_json = false;
};

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
  report::print_configuration(model, options.as_json);
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
