#include "command/table_encodings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "input/bad_input.hpp"
#include "model/own_encoding.hpp"

namespace ropewalk::command {
namespace {

using tables::table_kind;

/// Refuses weights whose rows are of another width than the configuration says, or fewer.
void require_shape(const model::own_encoding& own, const std::string& weights) {
  const learned shape = tables::weights_from(weights).config;
  const std::string width = std::to_string(shape.d_model);
  for (const model::fact& fact : own.facts)
    if (fact.name == "d_model" && fact.value != width)
      throw bad_input("weights", weights + " (rows of " + width + ")",
                      fmt::format("rows of {}, by {} of {}", fact.value, fact.origin, own.name));
  if (shape.max_position_embeddings < own.least_rows)
    throw bad_input("weights", fmt::format("{} ({} rows)", weights, shape.max_position_embeddings),
                    fmt::format("at least {} rows, by {}", own.least_rows, own.name));
}

bool is_bidirectional(const table_options& options) {
  const bool is_causal = !typed(options, "--causal").empty();
  if (is_causal && !typed(options, "--bidirectional").empty())
    throw bad_input("causal", flag_is_given, "only without --bidirectional");
  return !is_causal;
}

/// Where the numbers of a configuration come from: the key of an option's number, else the type.
std::string origin_of(std::string_view option, const model::own_encoding& own) {
  std::string name(field_name(option));
  std::replace(name.begin(), name.end(), '-', '_');
  const auto fact = std::find_if(own.facts.begin(), own.facts.end(),
                                 [&](const model::fact& candidate) { return candidate.name == name; });
  return fact == own.facts.end() ? "the type" : fact->origin;
}

/// The options with the numbers of a configuration, where no option says another one.
table_options with_numbers(table_options options, const model::own_encoding& own, const std::string& path,
                           session& session) {
  for (const auto& [option, number] : own.options) {
    const std::string text = typed(options, option);
    if (option == "--positions") {  // asked for, another number of rows is no contradiction
      if (text.empty()) options.where.positions = number;
      continue;
    }
    if (option == "--form" && !text.empty()) {  // another form is no other encoding
      if (text != number)
        session.understood += fmt::format("form {}, where the code of {} has {}\n", text, path, number);
      continue;
    }
    if (!text.empty() && text != number)
      throw bad_input(field_name(option), text,
                      fmt::format("{}, by {} of {}", number, origin_of(option, own), path));
    options.own[option] = number;
  }
  return options;
}

}  // namespace

sinusoidal sinusoidal_from(const table_options& options) {
  using enum sinusoidal_layout;
  sinusoidal config;
  const auto& [d_model, base, shift, scale] = sinusoidal_descriptor.fields;
  read_required_field(options, d_model, config);
  read_field(options, base, config);
  read_field(options, shift, config);
  read_field(options, scale, config);
  config.layout = chosen_word(options, "--layout", {interleaved, sin_cos, cos_sin}, config.layout);
  config.odd = chosen_word(options, "--odd", {odd_width::zero, odd_width::refuse}, config.odd);
  if (!typed(options, "--padding-idx").empty())
    config.padding_idx = static_cast<int>(required_number(options, "--padding-idx"));
  validate_options(config);
  return config;
}

alibi alibi_from(const table_options& options) {
  alibi config;
  read_required_field(options, std::get<0>(alibi_descriptor.fields), config);
  if (const std::string form = typed(options, "--form"); !form.empty()) config.form = alibi_form_named(form);
  validate_options(config);
  return config;
}

xpos xpos_from(const table_options& options) {
  xpos config;
  const auto& [base, rotary_dim, scale_base, length] = xpos_descriptor.fields;
  read_field(options, base, config);
  read_required_field(options, rotary_dim, config);
  read_field(options, scale_base, config);
  read_field(options, length, config);
  validate_options(config);
  return config;
}

xpos_side side_from(const table_options& options) {
  if (typed(options, "--side").empty()) throw refusal("--side", "missing");
  return chosen_word(options, "--side", {xpos_side::query, xpos_side::key}, xpos_side::query);
}

tables::bias_extent extent_from(const table_options& options) {
  tables::bias_extent extent;
  extent.keys = required_number(options, "--keys");
  extent.queries = typed(options, "--queries").empty()
                       ? extent.keys
                       : required_number(options, "--queries", {1, extent.keys});
  return extent;
}

t5_bias t5_bias_from(const table_options& options) {
  t5_bias config;
  const auto& [buckets, max_distance] = t5_descriptor.fields;
  read_field(options, buckets, config);
  read_field(options, max_distance, config);
  config.bidirectional = is_bidirectional(options);
  validate_options(config);
  return config;
}

std::int64_t max_relative_from(const table_options& options, const t5_bias& config) {
  const option_row& row = option_named("--max-relative");
  if (!typed(options, row.name).empty()) return required_number(options, row.name);
  if (config.max_distance > row.domain.range->largest)
    throw bad_input("max-relative", "missing", row.domain.text + ": the default, max-distance, is above");
  return config.max_distance;
}

index_code index_code_from(const table_options& options, table_kind kind) {
  index_code config;
  if (kind == table_kind::integer) return config;
  const auto& [width, length, base] = index_code_descriptor.fields;
  if (kind == table_kind::normalised) {
    config.kind = index_code_kind::normalised;
    read_field(options, length, config);
    if (typed(options, "--length").empty()) return config;
  } else {
    config.kind = kind == table_kind::binary ? index_code_kind::binary : index_code_kind::sine_only;
    read_required_field(options, width, config);
    read_field(options, base, config);
    config.order = chosen_word(options, "--bit-order", {bit_order::lsb, bit_order::msb}, config.order);
  }
  validate_options(config);
  return config;
}

chosen_scale query_scale_from(const table_options& options, session& session) {
  const bool is_of_model = !options.which.configs.empty() || !options.which.models.empty();
  if (is_of_model) {
    for (const std::string_view option : {"--strength", "--length", "--shift"})
      if (const std::string text = typed(options, option); !text.empty())
        throw bad_input(field_name(option), text, "none with --config or --model, which has the scale");
    const model::model model = chosen_model(options.which);
    if (!model.queries) {
      std::string reason = "queries keep their length";
      for (const model::fact& fact : model.facts)
        if (fact.name == "query scale") reason += ": " + fact.origin;
      throw bad_input("which encoding", model.name + " (" + reason + ")",
                      "a model that scales its queries by position, such as Llama 4 and Ministral 3");
    }
    report_reading(model, session);
    session.understood += "query scale " + text_of(*model.queries) + "\n";
    return {model.queries->scale, model.max_position_embeddings, model.name};
  }
  query_scale config;
  const auto& [strength, length, shift] = query_scale_descriptor.fields;
  read_required_field(options, strength, config);
  read_required_field(options, length, config);
  read_field(options, shift, config);
  validate_options(config);
  return {config, 0, ""};
}

table_options with_numbers_of_config(const table_options& options, std::span<const table_kind> kinds,
                                     session& session) {
  if (options.which.configs.empty() || takes_model(kinds.front())) return options;
  if (options.which.configs.size() > 1)
    throw bad_input("which encoding", std::to_string(options.which.configs.size()) + " encodings",
                    "exactly one --config");
  const std::string& path = options.which.configs.front();
  const auto own = model::read_own_encoding(path);
  const std::string_view kind = text_of(kinds.front()).name;
  if (!own) {
    chosen_model(options.which);  // throws where the type has no rotation, and says what it has
    throw bad_input("config", path, fmt::format("a model with {}: this one rotates", kind));
  }
  if (std::find(own->kinds.begin(), own->kinds.end(), kind) == own->kinds.end())
    throw bad_input("kind", std::string(kind),
                    fmt::format("{}, as {} has {}", fmt::join(own->kinds, ", "), path, own->encoding));
  table_options without_config = options;
  without_config.which.configs.clear();
  for (const std::string& remark : own->remarks)
    session.understood += fmt::format("{}, beside these numbers: {}\n", own->name, remark);
  table_options completed = with_numbers(std::move(without_config), *own, path, session);
  if (const std::string base = typed(options, "--base"); !base.empty())
    throw bad_input("base", base, "none with --config: the type's code has 10000");
  if (const std::string weights = typed(options, "--weights"); !weights.empty()) require_shape(*own, weights);
  return completed;
}

}  // namespace ropewalk::command
