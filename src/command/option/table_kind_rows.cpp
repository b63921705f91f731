// Options of some kinds of table. `apply` takes some of them for kernels that add, `verify` for arrays.

#include <cstdint>
#include <limits>

#include "catalogue.hpp"
#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {
namespace {

using enum tables::table_kind;
using enum option_words;

constexpr std::int64_t most_keys = 1 << 20;      // each row is held in memory
constexpr std::int64_t most_relative = 1 << 30;  // the table has 2 R + 1 < 2^32 rows
constexpr kind_set layout_kinds(cos, sin, cos_sin, sinusoidal, xpos, axes, mixed, pooled_cos_sin);

/// The values that the catalogue allows for an option, such as "a number from 2 to 65536".
std::string text_of_field(std::string_view option) {
  std::string text;
  const auto take = [&](const auto& field) {
    if (text.empty() && field.option == option) text = field.allowed;
  };
  for_each_encoding([&](const auto& encoding) {
    std::apply([&](const auto&... field) { (take(field), ...); }, encoding.fields);
  });
  return text;
}

std::vector<option_use> uses_of_arrays() {
  return {{"table", headings::table_kinds}, {"verify", headings::table_kinds}};
}

/// The same, and `apply`, with a default of its own if it has one.
std::vector<option_use> uses_of_additions(std::string applied_default = {}) {
  std::vector<option_use> uses = uses_of_arrays();
  uses.push_back({"apply", headings::additions, {}, std::move(applied_default)});
  return uses;
}

/// The row of an option whose values the catalogue states.
option_row field_row(std::string_view name, kind_set kinds, std::vector<option_use> uses = uses_of_arrays()) {
  const std::string allowed = text_of_field(name);
  return {.name = name,
          .value = "N",
          .domain = {.text = allowed},
          .help = kind_names(kinds) + ": " + allowed,
          .kinds = kinds,
          .uses = std::move(uses)};
}

/// The names of layouts that the words before allow.
std::vector<std::string> layouts_behind(const std::vector<std::string>& before) {
  const bool is_sinusoidal =
      before.front() == "apply" || std::find(before.begin(), before.end(), "sinusoidal") != before.end();
  return is_sinusoidal ? sinusoidal_layouts() : input::names_in(tables::cos_sin_layouts);
}

std::vector<option_row> layout_rows() {
  const std::string sinusoids = "sinusoidal: " + listed(sinusoidal_layouts());
  const std::string arrays = "of " + kind_names(layout_kinds) + ", as in `table`";
  return {
      {.name = "--layout",
       .value = "LAYOUT",
       .domain = {.names = layouts_behind},
       .help =
           "cos-sin, xpos, axes, mixed, pooled-cos-sin: vllm [positions, cos then sin], hf [2, positions, "
           "rotary_dim], complex [positions, pairs], for mixed with an axis of heads before positions; cos "
           "and sin alone: hf [positions, rotary_dim]; " +
           sinusoids + " (default: interleaved)",
       .kinds = layout_kinds,
       .uses = {{"table", headings::table_kinds},
                {"apply", headings::additions, sinusoids, "interleaved"},
                {"sweep", headings::sweep, "of the table in the file, as in `table`"}}},
      {.name = "--layout",
       .value = "LAYOUT",
       .words = several,
       .domain = {.names = layouts_behind},
       .help = arrays + "; once or for each",
       .uses = {{"verify", headings::arrays}}},
      {.name = "--axis",
       .value = "N|all",
       .help = "of a model whose axes have frequencies of their own: the table of one axis alone, at "
               "--positions, as code that keeps a list of them has it; all: each axis in one file, "
               "axis_0.cos_sin, ... (default positions: as many as its class has)",
       .kinds = kind_set(cos, sin, cos_sin),
       .uses = uses_of_arrays()},
  };
}

std::vector<option_row> sinusoidal_rows() {
  return {
      field_row("--d-model", kind_set(sinusoidal), uses_of_additions("the tensor's last extent")),
      {.name = "--shift",
       .value = "N",
       .default_text = "0",
       .help =
           "sinusoidal: the exponent is pair / (floor(d_model/2) - N): 0 in the paper and in most timesteps, "
           "1 in tensor2tensor; query-scale: 0, or 1 in Llama 4",
       .kinds = kind_set(sinusoidal, query_scale),
       .uses = uses_of_additions()},
      {.name = "--scale",
       .value = "N",
       .default_text = "1",
       .help = "sinusoidal: what positions are multiplied by, 1000 in Flux",
       .kinds = kind_set(sinusoidal),
       .uses = uses_of_additions()},
      {.name = "--odd",
       .value = "WHAT",
       .domain = one_of(names_of(odd_width::refuse, odd_width::zero)),
       .default_text = "refuse",
       .help = "sinusoidal: refuse an odd d_model, or set its last channel to zero",
       .kinds = kind_set(sinusoidal),
       .uses = uses_of_additions()},
      {.name = "--padding-idx",
       .value = "N",
       .domain = whole_numbers(0, std::numeric_limits<std::int32_t>::max()),
       .help = "sinusoidal, as fairseq: position p has row p + N + 1, position -1 is the padding, zero",
       .kinds = kind_set(sinusoidal),
       .uses = uses_of_additions()},
  };
}

std::vector<option_row> bias_rows() {
  return {
      field_row("--heads", kind_set(alibi_slopes, alibi_bias),
                uses_of_additions("as many as the scores have")),
      {.name = "--queries",
       .value = "N",
       .default_text = "keys",
       .help = "alibi-bias: queries, the last at the position of the last key",
       .kinds = kind_set(alibi_bias),
       .uses = uses_of_arrays()},
      {.name = "--keys",
       .value = "N",
       .domain = whole_numbers(1, most_keys),
       .help = "alibi-bias: keys",
       .kinds = kind_set(alibi_bias),
       .uses = uses_of_arrays()},
      {.name = "--form",
       .value = "FORM",
       .domain = one_of(alibi_form_words()),
       .default_text = "causal",
       .help =
           "alibi-bias, and kernels of ALiBi: causal, -slope (query - key); symmetric, -slope |query - key|; "
           "bloom, slope key, also flash-attention's where it is causal; mpt, slope (key - last key)",
       .kinds = kind_set(alibi_bias),
       .uses = uses_of_additions()},
      field_row("--buckets", kind_set(t5_buckets)),
      field_row("--max-distance", kind_set(t5_buckets)),
      {.name = "--max-relative",
       .value = "R",
       .domain = whole_numbers(0, most_relative),
       .default_text = "max-distance",
       .help = "t5-buckets: relative positions -R .. R",
       .kinds = kind_set(t5_buckets),
       .uses = uses_of_arrays()},
      {.name = "--bidirectional",
       .words = flag,
       .help = "t5-buckets: keys ahead of a query have buckets of their own (default)",
       .kinds = kind_set(t5_buckets),
       .uses = uses_of_arrays()},
      {.name = "--causal",
       .words = flag,
       .help = "t5-buckets: keys ahead of a query share bucket 0",
       .kinds = kind_set(t5_buckets),
       .uses = uses_of_arrays()},
  };
}

std::vector<option_row> other_rows() {
  return {
      field_row("--width", kind_set(binary, sine_only)),
      {.name = "--length",
       .value = "N",
       .help = "normalised, xpos: length of the sequence (default: the largest position + 1); query-scale: "
               "positions in a step, floor_scale of Llama 4 or the original length of Ministral",
       .kinds = kind_set(normalised, xpos, query_scale),
       .uses = uses_of_arrays()},
      field_row("--strength", kind_set(query_scale)),
      {.name = "--bit-order",
       .value = "ORDER",
       .domain = one_of(names_of(bit_order::lsb, bit_order::msb)),
       .default_text = "lsb",
       .help = "binary: lsb or msb first",
       .kinds = kind_set(binary),
       .uses = uses_of_arrays()},
      {.name = "--side",
       .value = "SIDE",
       .domain = one_of(names_of(xpos_side::query, xpos_side::key)),
       .help = "xpos: query, which the scale multiplies, or key, which it divides",
       .kinds = kind_set(xpos),
       .uses = uses_of_arrays()},
      field_row("--scale-base", kind_set(xpos)),
      {.name = "--frequencies",
       .value = "FILE[#NAME]",
       .domain = {.text = "FILE or FILE#NAME, an array [axes, heads, pairs], or [axes, pairs] for one head"},
       .help = "mixed: radians per unit of each axis, [axes, heads, pairs], or [axes, pairs] for one head; a "
               ".npy, or one of an .npz or a safetensors file",
       .kinds = kind_set(mixed),
       .uses = uses_of_arrays()},
      {.name = "--first-row",
       .value = "N",
       .domain = whole_numbers(0, largest_position),
       .default_text = "0",
       .help = "learned: the row of position 0",
       .kinds = kind_set(learned),
       .uses = uses_of_arrays()},
      {.name = "--weights",
       .value = "FILE[#NAME]",
       .domain = {.text = "FILE or FILE#NAME, an array [max_position_embeddings, d_model]"},
       .help =
           "learned: weights [max_position_embeddings, d_model], a .npy, or one of an .npz or a safetensors "
           "file",
       .kinds = kind_set(learned),
       .uses = uses_of_arrays()},
  };
}

}  // namespace

std::vector<option_row> table_kind_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {layout_rows, sinusoidal_rows, bias_rows, other_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
