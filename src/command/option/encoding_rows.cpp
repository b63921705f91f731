// Options that choose an encoding and its positions.

#include <tuple>

#include "catalogue.hpp"
#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "grid/grid.hpp"
#include "model/axes_form.hpp"
#include "model/model.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {
namespace {

using enum tables::table_kind;
using enum option_words;

/// Commands whose tokens may stand on axes.
std::vector<option_use> uses_on_axes() {
  using namespace headings;
  return {{"verify", some_encodings}, {"table", one_encoding}, {"apply", one_encoding},
          {"explain", one_encoding},  {"bench", one_encoding}, {"sweep", some_encodings}};
}

/// Every command that takes an encoding.
std::vector<option_use> uses_of_encodings() {
  std::vector<option_use> uses = uses_on_axes();
  for (const std::string_view command : {"guarantees", "plot", "report"})
    uses.push_back({command, headings::one_encoding});
  return uses;
}

/// The fields of RoPE, the only encoding that options give by hand.
std::vector<option_row> rope_field_rows() {
  const std::vector<option_use> uses = uses_of_encodings();
  std::vector<option_row> rows;
  const auto add = [&](const auto& field) {
    const bool is_by_hand_alone = field.option == "--rotary-begin";
    const kind_set kinds = field.option == "--base" ? model_kinds | kind_set(sinusoidal, sine_only, xpos)
                           : field.option == "--rotary-dim" ? model_kinds | kind_set(xpos)
                                                            : model_kinds;
    rows.push_back({.name = field.option,
                    .value = "N",
                    .domain = {.text = std::string(field.allowed)},
                    .help = (is_by_hand_alone ? "by hand: " : "by hand, or what --config leaves open: ") +
                            std::string(field.allowed),
                    .kinds = kinds,
                    .uses = uses});
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, rope_descriptor.fields);
  return rows;
}

std::vector<option_row> model_rows() {
  const std::string ignored =
      "a key about positions that the model type does not have, and why it is left out";
  return {
      {.name = "--config",
       .value = "FILE",
       .words = repeated,
       .domain = {.text = config_files},
       .help = config_files,
       .kinds = model_kinds | placed_kinds |
                kind_set(sinusoidal, alibi_slopes, alibi_bias, t5_buckets, learned, query_scale),
       .uses = uses_of_encodings()},
      {.name = "--model",
       .value = "NAME",
       .words = repeated,
       .domain = {.text = "one of `ropewalk models`",
                  .names = [](const auto&) { return model::all_catalogue_names(); }},
       .help = "one of `ropewalk models`",
       .kinds = model_kinds | placed_kinds | kind_set(query_scale),
       .uses = uses_of_encodings()},
      {.name = "--pairing",
       .value = "KIND",
       .domain = one_of([] {
         std::vector<std::string> names;
         for (const pairing layout : every_pairing) names.emplace_back(name_of(layout));
         return names;
       }()),
       .help =
           "interleaved or half-split, instead of the configuration's (default by hand: half-split); with "
           "--axes in runs also half-split-by-axis, halves of each axis's own channels",
       .kinds = model_kinds,
       .uses = uses_of_encodings()},
      {.name = "--scaling",
       .value = "JSON",
       .help =
           "by hand: a rule as in rope_scaling, with max_position_embeddings in it where the rule asks for "
           "that",
       .kinds = model_kinds,
       .uses = uses_of_encodings()},
      {.name = "--part",
       .value = "PART",
       .domain = one_of({"text", "vision", "audio"}),
       .default_text = "text",
       .help = "of a configuration that holds several models: text, vision or audio",
       .kinds = model_kinds | placed_kinds | kind_set(query_scale),
       .uses = uses_of_encodings()},
      {.name = "--seq-len",
       .value = "N",
       .domain = whole_numbers(1, largest_seq_len),
       .default_text =
           "the largest position + 1; verify: both sides of a change; explain: max_position_embeddings",
       .help = "the sequence's length; only rules dynamic and longrope depend on it",
       .kinds = model_kinds,
       .uses = uses_of_encodings()},
      {.name = "--layer",
       .value = "N|KIND|all",
       .domain = {.names = fixed_names({"full_attention", "sliding_attention", std::string(every_one)})},
       .help = "a layer's number, or a kind of layers as the configuration names it, such as "
               "sliding_attention (default: the kind with full attention, or the one that rotates); `table` "
               "and `verify` take all",
       .kinds = model_kinds,
       .uses = uses_of_encodings()},
      {.name = "--ignore-key",
       .value = "KEY=REASON",
       .words = repeated,
       .domain = {.text = "KEY=REASON: " + ignored},
       .help = ignored,
       .kinds = model_kinds | kind_set(query_scale),
       .uses = uses_of_encodings()},
  };
}

/// Where tokens stand that have several coordinates.
std::vector<option_row> grid_rows() {
  return {
      {.name = "--axes",
       .value = "NAME|JSON|FILE",
       .domain = {.names = [](const auto&) { return model::axes_family_names(); }},
       .help =
           "axes of positions: those of a model, such as wan, flux or ltx-video, with its base and channels "
           "unless they are given, or JSON such as {\"axes\":[{\"pairs\":16},{\"pairs\":16}]}",
       .kinds = token_kinds.without(placed_kinds),
       .uses = uses_on_axes()},
      {.name = "--grid",
       .value = "[Tx]HxW",
       .help = "tokens of a picture or a video, after patching, such as 64x64 or 21x30x52: the model's own "
               "coordinates, in the order of its attention",
       .kinds = token_kinds,
       .uses = uses_on_axes()},
      {.name = "--text",
       .value = "N",
       .domain = whole_numbers(1, grid::most_tokens),
       .help = "with --grid: tokens of text in the same call",
       .kinds = token_kinds,
       .uses = uses_on_axes()},
      {.name = "--fps",
       .value = "F",
       .help = "with --grid: frames in a second, such as 24, 29.97 or 30000/1001",
       .kinds = token_kinds,
       .uses = uses_on_axes()},
      {.name = "--crop",
       .value = "HxW",
       .help = "with --grid: the base grid of models that crop it",
       .kinds = token_kinds,
       .uses = uses_on_axes()},
      {.name = "--reference",
       .value = "HxW",
       .words = repeated,
       .help = "with --grid: a reference picture",
       .kinds = token_kinds,
       .uses = uses_on_axes()},
      {.name = "--frames",
       .value = "SIDE:FIRST-LAST,...",
       .default_text = "as the model's pipeline has them",
       .help =
           "with --grid HxW: frames of a history that is pooled or compressed, in the order of their tokens, "
           "such as 4:1-16,2:17-18,1:0,1:19-28",
       .kinds = token_kinds.without(kind_set(skewed_cos_sin)),
       .uses = uses_on_axes()},
  };
}

std::vector<option_row> position_rows() {
  return {
      {.name = "--positions",
       .value = "N|A:B|FILE.npy",
       .default_text = "the config's max_position_embeddings, else 2048",
       .help = "0 .. N-1, A .. B-1, or a list",
       .kinds = model_kinds | kind_set(integer, normalised, binary, sine_only, sinusoidal, xpos, mixed,
                                       learned, query_scale, skewed_cos_sin),
       .uses = {{"table", headings::positions},
                {"apply", headings::positions},
                {"sweep", headings::positions}}},
      {.name = "--positions",
       .value = "A:B",
       .domain = {.text = "A:B, the positions from A to below B, " + std::to_string(smallest_position) +
                          " <= A < B <= " + std::to_string(largest_position + 1)},
       .help =
           "judge only positions from A to B - 1 (default: all that a kernel serves); of arrays, N, A:B or "
           "FILE.npy: the positions of their rows (default: from 0)",
       .uses = {{"verify", headings::laws}}},
      {.name = "--positions",
       .value = "FILE.npy",
       .help = "positions of tokens on the encoding's axes, [axes, tokens] of whole or real numbers",
       .uses = {{"bench", headings::one_encoding}}},
      {.name = "--positions-f64",
       .value = "FILE.npy",
       .help = "real positions instead: a 1-D array of finite float64 numbers",
       .kinds = kind_set(cos, sin, cos_sin, sinusoidal, sine_only),
       .uses = {{"table", headings::positions}, {"verify", headings::positions}}},
  };
}

}  // namespace

std::vector<option_row> encoding_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {model_rows, rope_field_rows, grid_rows, position_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
