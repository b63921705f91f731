// ropewalk explain: explains the quantities of a configuration, how engines read it, one entry of a table, a
// law, a promise, a claim and its witness, or what happens beyond the trained length.

#include <sys/stat.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "array/engine_error.hpp"
#include "command/command.hpp"
#include "command/explain_claim.hpp"
#include "command/explain_entry.hpp"
#include "command/explain_extrapolation.hpp"
#include "command/explain_law.hpp"
#include "command/explain_promise.hpp"
#include "command/parser.hpp"
#include "command/verify_request.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "input/positions.hpp"
#include "input/unknown_name.hpp"
#include "model/comparison.hpp"
#include "model/engine_readings.hpp"
#include "model/layers.hpp"
#include "model/own_encoding.hpp"
#include "report/compared_configs.hpp"
#include "report/configuration.hpp"
#include "report/image_engines.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::command {
namespace {

struct explain_options {
  std::string subject;
  std::string first;   // first word after the subject
  std::string second;  // second word after the subject
  which_options which;
  std::string trained;
  std::string target;
  std::string compared;  // a second configuration
  bool as_json = false;
};

/// What a word after the subject is called in a refusal, and what is allowed there.
struct argument_text {
  std::string_view name;
  std::string_view allowed;

  argument_meaning meaning() const { return {std::string(name), std::string(allowed)}; }
};

/// The length used without --seq-len: the configuration's max_position_embeddings, else the default.
model::sequence_length usual_length(const model::model& model) {
  if (model.max_position_embeddings > 0)
    return {model.max_position_embeddings, "max_position_embeddings, as no other is asked for"};
  return {input::default_positions, "the default"};
}

model::model chosen_at_usual_length(const which_options& which) {
  const model::model read = chosen_model(which);
  return at_seq_len(read, which.seq_len, usual_length(read));
}

/// The encoding of a configuration whose type does not rotate.
std::optional<model::own_encoding> own_encoding_in(const which_options& which) {
  if (which.configs.size() != 1 || !which.models.empty()) return std::nullopt;
  std::optional<model::own_encoding> r = model::read_own_encoding(which.configs.front());
  which_options others = which;
  others.configs.clear();
  if (const named_option one = first_named(others); r && !one.name.empty())
    throw bad_input(one.name, one.value,
                    "none where a model does not rotate: " + r->name + " has " + std::string(r->encoding));
  return r;
}

/// The plan of a model at the length that was typed, or else at one of its own.
model::layer_plan plan_at(const model::model& of, const std::string& seq_len,
                          const model::sequence_length& otherwise) {
  model::layer_plan plan = model::plan_of(of);
  for (model::model& one : plan.tables) one = at_seq_len(one, seq_len, otherwise);
  return plan;
}

/// The model of a file, a folder, or the catalogue's of that name.
model::model model_named(const std::string& name) {
  struct stat status {};
  const bool is_file = name == "-" || name.find('/') != name.npos || ::stat(name.c_str(), &status) == 0;
  return is_file ? model::read_model(name) : model::catalogue_model(name);
}

/// The number of positions for which differences are measured: --seq-len, or the longest context.
model::sequence_length compared_length(const model::model& first, const model::model& second,
                                       const std::string& seq_len) {
  if (!seq_len.empty()) return {input::whole_number("seq-len", seq_len, 1, largest_seq_len), "--seq-len"};
  return usual_length(first.max_position_embeddings > 0 ? first : second);
}

exit_code compare_configurations(const explain_options& options) {
  if (!options.which.layer.empty() && options.which.layer != "all")
    throw bad_input("layer", options.which.layer, "all: --compare looks at every layer");
  which_options which = options.which;
  which.layer.clear();
  const model::model first = chosen_model(which), second = model_named(options.compared);
  for (const model::model* const one : {&first, &second})
    if (!keeps_frequencies(one->axes))
      throw bad_input(
          "compare", options.compared,
          fmt::format("two models of sequences: {} turns by {} axes with frequencies of their own; "
                      "`explain config` says the numbers of each",
                      one->name, one->axes.count));
  const model::sequence_length length = usual_length(first);
  const model::comparison found =
      compared(plan_at(first, which.seq_len, length), plan_at(second, which.seq_len, length),
               compared_length(first, second, which.seq_len).value);
  report::print_comparison(first.name, second.name, found, options.as_json);
  return found.differences.empty() ? exit_code::holds : exit_code::fails;
}

exit_code explain_config(const explain_options& options) {
  if (!options.compared.empty()) return compare_configurations(options);
  if (const auto own = own_encoding_in(options.which)) {
    report::print_own_encoding(*own, options.as_json);
    return exit_code::holds;
  }
  if (const std::string& layer = options.which.layer; !layer.empty() && layer != "all") {
    report::print_configuration(chosen_at_usual_length(options.which), options.as_json);
    return exit_code::holds;
  }
  which_options which = options.which;
  which.layer.clear();
  const model::model chosen = chosen_model(which);
  report::print_plan(plan_at(chosen, which.seq_len, usual_length(chosen)), options.as_json);
  return exit_code::holds;
}

exit_code explain_engines(const explain_options& options) {
  which_options which = options.which;
  which.layer.clear();
  const model::model chosen = chosen_model_of_sequences(which);
  const model::sequence_length length = compared_length(chosen, chosen, which.seq_len);
  report::print_engine_readings(chosen.name, length.value, other_readings(model::plan_of(chosen), length),
                                options.as_json);
  return exit_code::holds;
}

constexpr argument_text no_argument{"argument", "none here; see `ropewalk explain --help`"};
constexpr argument_text config_file{"config",
                                    "a config.json, a GGUF file, a directory that holds a config.json, or -"};
constexpr argument_text entry_position{"position", "a whole number"};
constexpr argument_text entry_pair{"pair", "a whole number from 0"};
constexpr argument_text law_name{"law", allowed_laws};
constexpr argument_text promise_name{"promise", "a name that `ropewalk explain promise` lists, or its parts"};
constexpr argument_text claim_number{"claim", allowed_claims};

/// A subject that can be explained, and the arguments and options that it accepts.
struct subject {
  std::string_view name;
  argument_text first, second;  // the words after the subject
  bool takes_a_model;           // --config, --model, ...
  bool takes_a_file;            // its argument is a configuration file
  bool takes_lengths;           // --trained, --target
  exit_code (*run)(const explain_options&);
};

constexpr subject subjects[] = {
    {"config", config_file, no_argument, true, true, false, explain_config},
    {"engines", config_file, no_argument, true, true, false, explain_engines},
    {"image-engines", no_argument, no_argument, false, false, false,
     [](const explain_options& o) {
       report::print_image_engines(array::errors_of_engines(), o.as_json);
       return exit_code::holds;
     }},
    {"entry", entry_position, entry_pair, true, false, false,
     [](const explain_options& o) { return explain_entry(o.which, o.first, o.second, o.as_json); }},
    {"extrapolation", config_file, no_argument, true, true, true,
     [](const explain_options& o) { return explain_extrapolation(o.which, o.trained, o.target, o.as_json); }},
    {"law", law_name, no_argument, false, false, false,
     [](const explain_options& o) { return explain_law(o.first, o.as_json); }},
    {"promise", promise_name, no_argument, true, false, false,
     [](const explain_options& o) {
       if (first_named(o.which).name.empty()) return explain_promise(o.first, o.as_json);
       const model::model of = with_own_grid(chosen_at_usual_length(o.which));
       return explain_promise(o.first, o.as_json, &of);
     }},
    {"claim", claim_number, no_argument, false, false, false,
     [](const explain_options& o) { return explain_claim(o.first, o.as_json); }},
    {"claims", no_argument, no_argument, false, false, false,
     [](const explain_options& o) { return explain_claims(o.as_json); }},
};

std::string subject_names() { return fmt::format("{}", fmt::join(input::names_in(subjects), ", ")); }

const subject& subject_named(const std::string& name) {
  for (const subject& one : subjects)
    if (one.name == name) return one;
  if (name.empty()) throw bad_input("subject", "missing", subject_names());
  throw input::unknown_name("subject", name, input::names_in(subjects), "`ropewalk explain --help`");
}

void refuse_surplus(const std::string& text, const argument_text& argument) {
  if (!text.empty() && argument.name == no_argument.name)
    throw bad_input(argument.name, text, argument.allowed);
}

exit_code run_explain(explain_options options) {
  const subject& of = subject_named(options.subject);
  const std::string name(of.name);
  refuse_surplus(options.first, of.first);
  refuse_surplus(options.second, of.second);
  if (const named_option model = first_named(options.which); !of.takes_a_model && !model.name.empty())
    throw bad_input(model.name, model.value,
                    "none with `explain " + name + "`; `explain promise --model NAME` has a model's errors");
  if (!of.takes_lengths && !options.trained.empty())
    throw bad_input("trained", options.trained, "only with `explain extrapolation`");
  if (!of.takes_lengths && !options.target.empty())
    throw bad_input("target", options.target, "only with `explain extrapolation`");
  if (!options.compared.empty() && name != "config")
    throw bad_input("compare", options.compared, "only with `explain config`");
  if (of.takes_a_file && !options.first.empty()) options.which.configs.push_back(options.first);
  return of.run(options);
}

}  // namespace

void add_explain(parser& program) {
  subcommand command = program.add(
      "explain",
      "a configuration, how engines read it, one entry of a table, a law, a promise, a claim, or what lies "
      "beyond training");
  const auto options = std::make_shared<explain_options>();
  command.option("subject", options->subject, "SUBJECT",
                 "config, engines, entry, extrapolation, law, promise, claim, claims");
  command.option(
      "first", options->first, "FILE|POSITION|NAME|N",
      "config, engines, extrapolation: a config.json, a GGUF file, a directory that holds a config.json, "
      "or -; entry: the position; "
      "law, promise: its name, or a promise's parts; claim: its number in the ledger");
  command.option("second", options->second, "PAIR", "entry: the channel pair");
  add_which_options(command, options->which, how_many::one, named_axes::taken);
  command.heading("What lies beyond training", "explain extrapolation --model llama-2-7b --target 32768");
  command.option("--trained", options->trained, "L",
                 "positions seen in training (default: the original length)");
  command.option("--target", options->target, "N", "positions asked for (default: max_position_embeddings)");
  command.heading("Two configurations");
  command.option(
      "--compare", options->compared, "FILE|MODEL",
      "explain config: says every number in which this one differs, by layer; exit code 1 if one does");
  command.heading("");
  command.flag("--json", options->as_json, "the same as JSON");
  command.values("subject", input::names_in(subjects));
  command.values("first", [](const std::vector<std::string>& before) -> std::vector<std::string> {
    const std::string& about = before.back();
    return about == "law"       ? law_names()
           : about == "promise" ? input::names_in(promises)
           : about == "claim"   ? claim_numbers()
                                : std::vector<std::string>{};
  });
  command.meaning("subject", [] { return argument_meaning{"subject", subject_names()}; });
  command.meaning("first", [options] { return subject_named(options->subject).first.meaning(); });
  command.meaning("second", [options] { return subject_named(options->subject).second.meaning(); });
  command.footer(
      "Examples:\n"
      "  ropewalk explain config config.json\n"
      "  ropewalk explain config --model phi-3.5-mini --seq-len 4097\n"
      "  ropewalk explain config --model gemma-3-4b --layer sliding_attention --json\n"
      "  ropewalk explain config config.json --compare model.gguf\n"
      "  ropewalk explain engines config.json\n"
      "  ropewalk explain entry 131071 2 --model llama-3.1-8b\n"
      "  ropewalk explain extrapolation --model llama-2-7b --target 32768\n"
      "  ropewalk explain law accuracy\n"
      "  ropewalk explain promise --model llama-3.1-8b\n"
      "  ropewalk explain promise hf\n"
      "  ropewalk explain promise angle=f32,table=data,rotation=f32 --model wan-2.1-14b --grid 21x30x52\n"
      "  ropewalk explain claim 18");
  command.run([options] { return run_explain(*options); });
}

}  // namespace ropewalk::command
