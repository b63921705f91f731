// ropewalk explain: explains the quantities of a configuration, how engines read it, one entry of a table, a
// law, a promise, a claim and its witness, or what happens beyond the trained length.

#include <sys/stat.h>

#include <fmt/format.h>

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
#include "command/option/domains.hpp"
#include "command/parser.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "input/positions.hpp"
#include "input/unknown_name.hpp"
#include "model/comparison.hpp"
#include "model/engine_readings.hpp"
#include "model/layers.hpp"
#include "model/own_encoding.hpp"
#include "report/compared_configs.hpp"
#include "report/configuration.hpp"
#include "report/image_engines.hpp"

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

/// The length used without --seq-len: the configuration's max_position_embeddings, else the default.
model::sequence_length usual_length(const model::model& model) {
  if (model.max_position_embeddings > 0)
    return {model.max_position_embeddings, "max_position_embeddings, as no other is asked for"};
  return {input::default_positions, "the default"};
}

model::model chosen_at_usual_length(const which_options& which) {
  const model::model model = chosen_model(which);
  return at_seq_len(model, which.seq_len, usual_length(model));
}

/// The encoding of a configuration whose type does not rotate.
std::optional<model::own_encoding> own_encoding_in(const which_options& which) {
  if (which.configs.size() != 1 || !which.models.empty()) return std::nullopt;
  std::optional<model::own_encoding> own = model::read_own_encoding(which.configs.front());
  if (const named_option other = first_given(which, {"--config"}); own && other.is_given())
    throw bad_input(
        other.name, other.value,
        "none where a model does not rotate: " + own->name + " has " + std::string(own->encoding));
  return own;
}

/// The plan of a model at the length that was typed, or else at one of its own.
model::layer_plan plan_at(const model::model& model, const std::string& seq_len,
                          const model::sequence_length& otherwise) {
  model::layer_plan plan = model::plan_of(model);
  for (model::model& table : plan.tables) table = at_seq_len(table, seq_len, otherwise);
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
  if (!seq_len.empty()) return {whole_number_of("--seq-len", seq_len), "--seq-len"};
  return usual_length(first.max_position_embeddings > 0 ? first : second);
}

exit_code compare_configurations(const explain_options& options) {
  if (!options.which.layer.empty() && options.which.layer != every_one)
    throw bad_input("layer", options.which.layer, "all: --compare looks at every layer");
  which_options which = options.which;
  which.layer.clear();
  const model::model first = chosen_model(which), second = model_named(options.compared);
  for (const model::model* const model : {&first, &second})
    if (!keeps_frequencies(model->axes))
      throw bad_input(
          "compare", options.compared,
          fmt::format("two models of sequences: {} turns by {} axes with frequencies of their own; "
                      "`explain config` says the numbers of each",
                      model->name, model->axes.count));
  const model::sequence_length length = usual_length(first);
  const model::comparison comparison =
      compared(plan_at(first, which.seq_len, length), plan_at(second, which.seq_len, length),
               compared_length(first, second, which.seq_len).value);
  report::print_comparison(first.name, second.name, comparison, options.as_json);
  return comparison.differences.empty() ? exit_code::holds : exit_code::fails;
}

exit_code explain_config(const explain_options& options) {
  if (!options.compared.empty()) return compare_configurations(options);
  if (const auto own = own_encoding_in(options.which)) {
    report::print_own_encoding(*own, options.as_json);
    return exit_code::holds;
  }
  if (const std::string& layer = options.which.layer; !layer.empty() && layer != every_one) {
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

const argument_meaning no_argument{"argument", "none here; see `ropewalk explain --help`"};
const argument_meaning config_file{"config", config_files};
const argument_meaning entry_position{"position", "a whole number"};
const argument_meaning entry_pair{"pair", "a whole number from 0"};
const argument_meaning law_name{"law", law_domain().text};
const argument_meaning promise_name{"promise", "a name that `ropewalk explain promise` lists, or its parts"};
const argument_meaning claim_number{"claim", allowed_claims};

/// A subject that can be explained, and the arguments and options that it accepts.
struct subject {
  std::string_view name;
  const argument_meaning &first, &second;  // the words after the subject
  bool takes_a_model;                      // --config, --model, ...
  bool takes_a_file;                       // its argument is a configuration file
  bool takes_lengths;                      // --trained, --target
  exit_code (*run)(const explain_options&);
};

const subject subjects[] = {
    {"config", config_file, no_argument, true, true, false, explain_config},
    {"engines", config_file, no_argument, true, true, false, explain_engines},
    {"image-engines", no_argument, no_argument, false, false, false,
     [](const explain_options& options) {
       report::print_image_engines(array::errors_of_engines(), options.as_json);
       return exit_code::holds;
     }},
    {"entry", entry_position, entry_pair, true, false, false,
     [](const explain_options& options) {
       return explain_entry(options.which, options.first, options.second, options.as_json);
     }},
    {"extrapolation", config_file, no_argument, true, true, true,
     [](const explain_options& options) {
       return explain_extrapolation(options.which, options.trained, options.target, options.as_json);
     }},
    {"law", law_name, no_argument, false, false, false,
     [](const explain_options& options) { return explain_law(options.first, options.as_json); }},
    {"promise", promise_name, no_argument, true, false, false,
     [](const explain_options& options) {
       if (!first_named(options.which).is_given()) return explain_promise(options.first, options.as_json);
       const model::model model = with_own_grid(chosen_at_usual_length(options.which));
       return explain_promise(options.first, options.as_json, &model);
     }},
    {"claim", claim_number, no_argument, false, false, false,
     [](const explain_options& options) { return explain_claim(options.first, options.as_json); }},
    {"claims", no_argument, no_argument, false, false, false,
     [](const explain_options& options) { return explain_claims(options.as_json); }},
};

const subject& subject_named(const std::string& name) {
  for (const subject& known : subjects)
    if (known.name == name) return known;
  if (name.empty()) throw refusal("subject", "missing", "explain");
  throw input::unknown_name("subject", name, input::names_in(subjects), "`ropewalk explain --help`");
}

void refuse_surplus(const std::string& text, const argument_meaning& argument) {
  if (!text.empty() && &argument == &no_argument) throw bad_input(argument.name, text, argument.allowed);
}

exit_code run_explain(explain_options options) {
  const subject& subject = subject_named(options.subject);
  const std::string name(subject.name);
  refuse_surplus(options.first, subject.first);
  refuse_surplus(options.second, subject.second);
  if (const named_option encoding = first_named(options.which); !subject.takes_a_model && encoding.is_given())
    throw bad_input(encoding.name, encoding.value,
                    "none with `explain " + name + "`; `explain promise --model NAME` has a model's errors");
  if (!subject.takes_lengths && !options.trained.empty())
    throw bad_input("trained", options.trained, "only with `explain extrapolation`");
  if (!subject.takes_lengths && !options.target.empty())
    throw bad_input("target", options.target, "only with `explain extrapolation`");
  if (!options.compared.empty() && name != "config")
    throw bad_input("compare", options.compared, "only with `explain config`");
  if (subject.takes_a_file && !options.first.empty()) options.which.configs.push_back(options.first);
  return subject.run(options);
}

}  // namespace

void add_explain(parser& program) {
  subcommand command = program.add("explain");
  const auto options = std::make_shared<explain_options>();
  command.take("subject", options->subject);
  command.take("first", options->first);
  command.take("second", options->second);
  take_all(command, options->which);
  command.take("--trained", options->trained);
  command.take("--target", options->target);
  command.take("--compare", options->compared);
  command.take("--json", options->as_json);
  command.meaning("first", [options] { return subject_named(options->subject).first; });
  command.meaning("second", [options] { return subject_named(options->subject).second; });
  command.run([options] { return run_explain(*options); });
}

}  // namespace ropewalk::command
