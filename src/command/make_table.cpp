#include "command/make_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/tables.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

using output::table;
using output::table_kind;

using made_table = std::unique_ptr<table>;

/// Appends one line on the table's encoding, taken from its record, to session.understood.
void tell_encoding(const table& made, session& session) {
  input::json record;
  made.put(record);
  std::string text;
  for (const auto& [key, value] : record["encoding"].items()) {
    const std::string shown = value.is_string()         ? value.get<std::string>()
                              : value.is_number_float() ? input::shown(value.get<double>())
                                                        : input::shown(value);
    text += key == "name" ? shown + ":" : (text.back() == ':' ? " " : ", ") + key + " " + shown;
  }
  session.understood += text + "\n";
}

output::cos_sin_layout layout_from(const std::string& name) {
  for (const output::cos_sin_layout_text& text : output::cos_sin_layouts)
    if (text.name == name) return text.layout;
  throw bad_input("layout", name.empty() ? "missing" : name,
                  listed_names(output::cos_sin_layouts) + " for cos-sin");
}

made_table from_rope(const table_options& options, table_kind kind, session& session) {
  output::array_layout layout{.kind = kind, .is_in_digits = !options.digits.empty()};
  if (kind == table_kind::cos_sin) layout.arrangement = layout_from(typed(options, "--layout"));
  model::model model = chosen_model(options.which);
  layout.duplicated = model.doubled;
  input::position_list positions = chosen_positions(options.where, model.max_position_embeddings);
  model = at_seq_len(std::move(model), options.which.seq_len,
                     {positions.smallest_seq_len(), "the largest position + 1"});
  tell(model, session);
  return output::rope_table_of(layout, std::move(model), std::move(positions));
}

sinusoidal sinusoidal_from(const table_options& options) {
  constexpr int largest_padding_idx = 2147483647;
  using enum sinusoidal_layout;
  sinusoidal config;
  const auto& [d_model, base] = sinusoidal_descriptor.fields;
  read_required_field(options, d_model, config);
  read_field(options, base, config);
  config.exponent =
      chosen_word(options, "--exponent", {sinusoidal_exponent::paper, sinusoidal_exponent::tensor2tensor},
                  config.exponent);
  config.layout = chosen_word(options, "--layout", {interleaved, sin_cos, cos_sin}, config.layout);
  config.odd = chosen_word(options, "--odd", {odd_width::zero, odd_width::refuse}, config.odd);
  if (!typed(options, "--padding-idx").empty())
    config.padding_idx = static_cast<int>(required_number(options, "--padding-idx", 0, largest_padding_idx));
  validate_options(config);
  return config;
}

alibi alibi_from(const table_options& options) {
  alibi config;
  read_required_field(options, std::get<0>(alibi_descriptor.fields), config);
  config.form = chosen_word(options, "--form", {alibi_form::causal, alibi_form::symmetric}, config.form);
  validate_options(config);
  return config;
}

output::bias_extent extent_from(const table_options& options) {
  constexpr std::int64_t most_keys = 1 << 20;  // each row is held in memory
  output::bias_extent extent;
  extent.keys = required_number(options, "--keys", 1, most_keys);
  extent.queries = typed(options, "--queries").empty()
                       ? extent.keys
                       : required_number(options, "--queries", 1, extent.keys);
  return extent;
}

bool is_bidirectional(const table_options& options) {
  const bool is_causal = !typed(options, "--causal").empty();
  if (is_causal && !typed(options, "--bidirectional").empty())
    throw bad_input("causal", "given", "only without --bidirectional");
  return !is_causal;
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

/// The default number of positions: 2048, or fewer if the code has fewer values.
std::int64_t default_count(const index_code& config) {
  constexpr std::int64_t usual = 2048;
  if (config.kind == index_code_kind::normalised && config.length > 0) return config.length;
  if (config.kind == index_code_kind::binary) return std::min(usual, std::int64_t{1} << config.width);
  return usual;
}

index_code index_code_from(const table_options& options, table_kind kind) {
  index_code config;
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

made_table from_index_code(const table_options& options, table_kind kind, session& session) {
  index_code config = index_code_from(options, kind);
  input::position_list positions = chosen_positions(options.where, default_count(config));
  if (kind == table_kind::normalised && config.length == 0) config.length = positions.smallest_seq_len();
  made_table made = output::index_codes_of(kind, config, std::move(positions));
  tell_encoding(*made, session);
  return made;
}

// One overload per kind or group of kinds; a kind without an overload does not compile.

template <table_kind Kind>
requires(output::is_of_rope(Kind)) made_table
    make(member<Kind>, const table_options& options, session& session) {
  return from_rope(options, Kind, session);
}

made_table make(member<table_kind::sinusoidal>, const table_options& options, session& session) {
  made_table made = output::sinusoidal_table_of(sinusoidal_from(options), chosen_positions(options.where, 0));
  tell_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::alibi_slopes>, const table_options& options, session& session) {
  made_table made = output::alibi_slopes_of(alibi_from(options));
  tell_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::alibi_bias>, const table_options& options, session& session) {
  const alibi config = alibi_from(options);
  made_table made = output::alibi_bias_of(config, extent_from(options));
  tell_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::t5_buckets>, const table_options& options, session& session) {
  constexpr std::int64_t most_relative = 1 << 30;  // the table has 2 R + 1 < 2^32 rows
  const t5_bias config = t5_bias_from(options);
  const bool is_given = !typed(options, "--max-relative").empty();
  if (!is_given && config.max_distance > most_relative)
    throw bad_input("max-relative", "missing",
                    fmt::format("0 to {}: the default, max-distance, is above", most_relative));
  const std::int64_t max_relative =
      is_given ? required_number(options, "--max-relative", 0, most_relative) : config.max_distance;
  made_table made = output::t5_buckets_of(config, max_relative);
  tell_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::binary> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}
made_table make(member<table_kind::normalised> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}
made_table make(member<table_kind::sine_only> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}

}  // namespace

std::unique_ptr<table> make_table(const table_options& options, table_kind kind, session& session) {
  refuse_foreign_options(options, kind);
  return visit_member<output::last_table_kind>(kind, [&](auto of) { return make(of, options, session); });
}

}  // namespace ropewalk::command
