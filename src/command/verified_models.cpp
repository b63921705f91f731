#include "command/verified_models.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "command/shell_words.hpp"
#include "command/verified_additions.hpp"
#include "model/bad_input.hpp"

namespace ropewalk::command {
namespace {

/// The options that name each model again, in the order of chosen_models.
std::vector<std::string> model_options(const which_options& which) {
  std::vector<std::string> r;
  const auto add = [](std::string& text, const char* option, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : " ") + std::string(option) + " " + shell_quoted(value);
  };
  const auto add_common = [&](std::string& text) {
    add(text, "--seq-len", which.seq_len);
    add(text, "--layer-type", which.layer_type);
  };
  for (const std::string& file : which.configs) {
    std::string text;
    add(text, "--config", file);
    add(text, "--pairing", which.pairing);
    add_common(text);
    r.push_back(text);
  }
  for (const std::string& name : which.models) {
    std::string text = "--model " + shell_quoted(name);
    add_common(text);
    r.push_back(text);
  }
  std::string text;
  for (const auto& [option, value] : which.numbers) add(text, option.data(), value);
  add(text, "--pairing", which.pairing);
  add(text, "--scaling", which.scaling);
  add(text, "--seq-len", which.seq_len);
  r.push_back(text);
  return r;
}

/// Lengths at which the table of a model changes, and one on either side.
std::vector<std::int64_t> telling_seq_lens(const model::model& model) {
  const rope_scaling& scaling = model.encoding.scaling;
  if (scaling.rule == scaling_rule::longrope) {
    const auto original = static_cast<std::int64_t>(scaling.as_longrope.original_max_position_embeddings);
    return {original, original + 1};
  }
  const auto longest = static_cast<std::int64_t>(scaling.as_dynamic.max_position_embeddings);
  return {longest, std::min(4 * longest, largest_seq_len)};
}

/// A model at each length that tells its tables apart, or at the one that --seq-len names. Its name tells the
/// length either way: cases are drawn by it, and the command that shows a failure again names the length.
std::vector<verified_model> at_telling_lengths(const model::model& model, const std::string& options,
                                               const which_options& which) {
  if (!depends_on_seq_len(model.encoding.scaling.rule)) return {{model, options}};
  const bool is_named = !which.seq_len.empty();
  std::vector<verified_model> r;
  for (const std::int64_t seq_len :
       is_named ? std::vector<std::int64_t>{model.encoding.seq_len} : telling_seq_lens(model)) {
    verified_model one{model, is_named ? options : options + " --seq-len " + std::to_string(seq_len)};
    if (!is_named) set_seq_len(one.model, seq_len, "on one side of where the table changes");
    one.model.name += "@" + std::to_string(seq_len);
    r.push_back(std::move(one));
  }
  return r;
}

}  // namespace

std::vector<verified_model> chosen_subjects(const which_options& which, session& session) {
  if (!which.positions.empty()) throw bad_input("positions", which.positions, "none: verify draws its own");
  std::vector<verified_model> r;
  const auto add = [&](model::model model, const std::string& options) {
    if (!which.layer_type.empty()) model.name += "/" + which.layer_type;
    for (verified_model& one : at_telling_lengths(model, options, which)) r.push_back(std::move(one));
  };
  const std::vector<model::model> models = chosen_models(which);
  if (models.empty()) {
    for (const std::string_view name : model::catalogue_spread())
      add(model::catalogue_model(name), "--model " + std::string(name));
    for (const verified_addition& one : verified_additions()) {
      r.push_back({.model = {}, .options = {}, .adds = one.truth});
      r.back().model.name = one.name;
    }
    return r;
  }
  const std::vector<std::string> options = model_options(which);
  for (std::size_t i = 0; i < models.size(); ++i) {
    tell(models[i], session);
    add(models[i], options[i]);
  }
  return r;
}

}  // namespace ropewalk::command
