#include "command/table_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command/parser.hpp"
#include "input/number.hpp"
#include "input/unknown_name.hpp"

namespace ropewalk::command {

std::vector<std::string> alibi_form_words() {
  std::vector<std::string> r;
  for (const alibi_form form : alibi_forms) r.emplace_back(name_of(form));
  r.emplace_back(flash_attention_form);
  return r;
}

alibi_form alibi_form_named(const std::string& text) {
  for (const alibi_form form : alibi_forms)
    if (text == name_of(form)) return form;
  if (text == flash_attention_form) return alibi_form::key;
  throw bad_input("form", text, fmt::format("{}", fmt::join(alibi_form_words(), ", ")));
}

namespace {

/// A set of kinds, one bit each.
template <class... Kinds>
constexpr unsigned kinds_of(Kinds... kinds) {
  return ((1U << static_cast<int>(kinds)) | ...);
}

constexpr bool takes(unsigned kinds, tables::table_kind kind) {
  return (kinds >> static_cast<int>(kind) & 1) != 0;
}

using enum tables::table_kind;
constexpr unsigned of_rope = [] {
  unsigned r = 0;
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (tables::is_of_rope(text.kind)) r |= kinds_of(text.kind);
  return r;
}();
constexpr unsigned of_placed = kinds_of(positions, skewed_cos_sin, pooled_cos_sin);  // by a model alone
constexpr unsigned of_tokens = kinds_of(axes, cos_sin, cos, sin) | of_placed;        // on axes
constexpr unsigned of_models = of_rope | kinds_of(axes);
constexpr unsigned of_own_encodings = kinds_of(sinusoidal, alibi_slopes, alibi_bias, t5_buckets, learned);
constexpr unsigned of_index_codes = kinds_of(integer, normalised, binary, sine_only);

/// An option that only some kinds accept. If `text` is empty, --help shows the catalogue's text instead.
struct own_option {
  std::string_view name;
  std::string_view value;  // empty for a flag
  std::string_view text;
  unsigned kinds;
  bool is_shared = false;  // in which_options or position_options, whose functions add it
};

constexpr own_option own_options[] = {
    {"--config", "", "", of_models | of_placed | of_own_encodings | kinds_of(query_scale), true},
    {"--axes", "", "", of_tokens & ~of_placed, true},
    {"--part", "", "", of_models | of_placed | kinds_of(query_scale), true},
    {"--grid", "", "", of_tokens, true},
    {"--text", "", "", of_tokens, true},
    {"--fps", "", "", of_tokens, true},
    {"--crop", "", "", of_tokens, true},
    {"--reference", "", "", of_tokens, true},
    {"--frames", "", "", of_tokens & ~kinds_of(skewed_cos_sin), true},
    {"--model", "", "", of_models | of_placed | kinds_of(query_scale), true},
    {"--base", "", "", of_models | kinds_of(sinusoidal, sine_only, xpos), true},
    {"--head-dim", "", "", of_models, true},
    {"--rotary-dim", "", "", of_models | kinds_of(xpos), true},
    {"--rotary-begin", "", "", of_models, true},
    {"--pairing", "", "", of_models, true},
    {"--scaling", "", "", of_models, true},
    {"--seq-len", "", "", of_models, true},
    {"--layer", "", "", of_models, true},
    {"--ignore-key", "", "", of_models | kinds_of(query_scale), true},
    {"--positions", "", "",
     of_models | of_index_codes | kinds_of(sinusoidal, xpos, mixed, learned, query_scale, skewed_cos_sin),
     true},
    {"--positions-f64", "", "", kinds_of(cos, sin, cos_sin, sinusoidal, sine_only), true},
    {"--layout", "LAYOUT",
     "cos-sin, xpos, axes, mixed, pooled-cos-sin: vllm [positions, cos then sin], hf [2, positions, "
     "rotary_dim], complex "
     "[positions, pairs], for mixed with an axis of heads before positions; cos and sin alone: hf "
     "[positions, rotary_dim]; "
     "sinusoidal: interleaved, sin-cos, cos-sin (default: interleaved)",
     kinds_of(cos, sin, cos_sin, sinusoidal, xpos, axes, mixed, pooled_cos_sin)},
    {"--axis", "N|all",
     "of a model whose axes have frequencies of their own: the table of one axis alone, at --positions, as "
     "code that keeps a list of them has it; all: each axis in one file, axis_0.cos_sin, ... (default "
     "positions: as many as its class has)",
     kinds_of(cos, sin, cos_sin)},
    {"--d-model", "N", "", kinds_of(sinusoidal)},
    {"--shift", "N",
     "sinusoidal: the exponent is pair / (floor(d_model/2) - N): 0 in the paper and in most timesteps, 1 in "
     "tensor2tensor (default: 0); query-scale: 0, or 1 in Llama 4 (default: 0)",
     kinds_of(sinusoidal, query_scale)},
    {"--scale", "N", "sinusoidal: what positions are multiplied by, 1000 in Flux (default: 1)",
     kinds_of(sinusoidal)},
    {"--odd", "WHAT", "sinusoidal: refuse an odd d_model, or set its last channel to zero (default: refuse)",
     kinds_of(sinusoidal)},
    {"--padding-idx", "N",
     "sinusoidal, as fairseq: position p has row p + N + 1, position -1 is the padding, zero",
     kinds_of(sinusoidal)},
    {"--heads", "N", "", kinds_of(alibi_slopes, alibi_bias)},
    {"--queries", "N", "alibi-bias: queries, the last at the position of the last key (default: keys)",
     kinds_of(alibi_bias)},
    {"--keys", "N", "alibi-bias: keys", kinds_of(alibi_bias)},
    {"--form", "FORM",
     "alibi-bias, and kernels of ALiBi in `verify`: causal, -slope (query - key); symmetric, -slope |query - "
     "key|; bloom, slope key, also "
     "flash-attention's where it is causal; mpt, slope (key - last key) (default: causal)",
     kinds_of(alibi_bias)},
    {"--buckets", "N", "", kinds_of(t5_buckets)},
    {"--max-distance", "N", "", kinds_of(t5_buckets)},
    {"--max-relative", "R", "t5-buckets: relative positions -R .. R (default: max-distance)",
     kinds_of(t5_buckets)},
    {"--bidirectional", "", "t5-buckets: keys ahead of a query have buckets of their own (default)",
     kinds_of(t5_buckets)},
    {"--causal", "", "t5-buckets: keys ahead of a query share bucket 0", kinds_of(t5_buckets)},
    {"--width", "N", "", kinds_of(binary, sine_only)},
    {"--length", "N",
     "normalised, xpos: length of the sequence (default: the largest position + 1); query-scale: positions "
     "in "
     "a step, floor_scale of Llama 4 or the original length of Ministral",
     kinds_of(normalised, xpos, query_scale)},
    {"--strength", "N", "", kinds_of(query_scale)},
    {"--bit-order", "ORDER", "binary: lsb or msb first (default: lsb)", kinds_of(binary)},
    {"--side", "SIDE", "xpos: query, which the scale multiplies, or key, which it divides", kinds_of(xpos)},
    {"--scale-base", "N", "", kinds_of(xpos)},
    {"--frequencies", "FILE[#NAME]",
     "mixed: radians per unit of each axis, [axes, heads, pairs], or [axes, pairs] for one head; a .npy, or "
     "one of "
     "an .npz or a safetensors file",
     kinds_of(mixed)},
    {"--first-row", "N", "learned: the row of position 0 (default: 0)", kinds_of(learned)},
    {"--weights", "FILE[#NAME]",
     "learned: weights [max_position_embeddings, d_model], a .npy, or one of an .npz or a safetensors file",
     kinds_of(learned)},
};

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

std::string kinds_text(unsigned kinds) {
  std::string text;
  for (const tables::table_kind_text& kind : tables::table_kinds)
    if (takes(kinds, kind.kind)) text += (text.empty() ? "" : ", ") + std::string(kind.name);
  return text;
}

}  // namespace

tables::array_layout layout_named(tables::table_kind kind, const std::string& name) {
  tables::array_layout r{.kind = kind};
  if (kind == skewed_cos_sin) {  // a pair has two angles, so each channel has an entry of its own
    r.arrangement = tables::cos_sin_layout::hf;
    return r;
  }
  const std::string_view hf = text_of(tables::cos_sin_layout::hf).name;
  if (!holds_both(r)) {
    if (!has_positions(r) || name.empty()) return r;
    if (name != hf)
      throw bad_input("layout", name, std::string(hf) + " for " + std::string(text_of(kind).name));
    r.arrangement = tables::cos_sin_layout::hf;
    return r;
  }
  for (const tables::cos_sin_layout_text& text : tables::cos_sin_layouts)
    if (text.name == name) {
      r.arrangement = text.layout;
      return r;
    }
  throw bad_input("layout", name.empty() ? "missing" : name,
                  listed_names(tables::cos_sin_layouts) + " for " + std::string(text_of(kind).name));
}

tables::table_kind kind_from(std::string_view option, const std::string& name) {
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (text.name == name) return text.kind;
  if (name.empty()) throw bad_input(option, "missing", listed_names(tables::table_kinds));
  throw input::unknown_name("kind", name, input::names_in(tables::table_kinds), "`ropewalk table --help`");
}

void add_own_options(subcommand& command, table_options& options, std::string_view left_out) {
  command.heading("Options of some kinds of table", "table alibi-bias --heads 8 --keys 128");
  for (const own_option& one : own_options) {
    if (one.is_shared || one.name == left_out) continue;
    const std::string text =
        one.text.empty() ? kinds_text(one.kinds) + ": " + text_of_field(one.name) : std::string(one.text);
    std::string& place = options.own[one.name];
    if (one.value.empty())
      command.flag(
          std::string(one.name), [&place] { place = "given"; }, text);
    else
      command.option(std::string(one.name), place, std::string(one.value), text);
  }
  command.values("--layout", [](const std::vector<std::string>& before) {
    const bool is_sinusoidal = std::find(before.begin(), before.end(), "sinusoidal") != before.end();
    using enum sinusoidal_layout;
    return is_sinusoidal ? names_of(interleaved, sin_cos, cos_sin) : input::names_in(tables::cos_sin_layouts);
  });
  command.values("--side", names_of(xpos_side::query, xpos_side::key));
  command.values("--odd", names_of(odd_width::refuse, odd_width::zero));
  command.values("--form", alibi_form_words());
  command.values("--bit-order", names_of(bit_order::lsb, bit_order::msb));
}

std::string typed(const table_options& options, std::string_view option) {
  const which_options& which = options.which;
  if (option == "--config") return which.configs.empty() ? "" : which.configs.front();
  if (option == "--model") return which.models.empty() ? "" : which.models.front();
  if (option == "--pairing") return which.pairing;
  if (option == "--scaling") return which.scaling;
  if (option == "--axes") return which.axes;
  if (option == "--part") return which.part;
  if (option == "--grid") return which.grid;
  if (option == "--text") return which.text;
  if (option == "--fps") return which.fps;
  if (option == "--crop") return which.crop;
  if (option == "--reference") return which.references.empty() ? "" : which.references.front();
  if (option == "--frames") return which.frames;
  if (option == "--seq-len") return which.seq_len;
  if (option == "--layer") return which.layer;
  if (option == "--ignore-key") return which.ignored.empty() ? "" : which.ignored.front();
  if (option == "--positions") return options.where.positions;
  if (option == "--positions-f64") return options.where.real_positions;
  if (const auto found = which.numbers.find(option); found != which.numbers.end()) return found->second;
  const auto found = options.own.find(option);
  return found == options.own.end() ? "" : found->second;
}

bool takes_model(tables::table_kind kind) {
  return std::any_of(std::begin(own_options), std::end(own_options), [&](const own_option& one) {
    return one.name == "--model" && (one.kinds & kinds_of(kind)) != 0;
  });
}

void refuse_foreign_options(const table_options& options, std::span<const tables::table_kind> kinds) {
  unsigned asked = 0;
  for (const tables::table_kind kind : kinds) asked |= kinds_of(kind);
  for (const own_option& one : own_options)
    if (const std::string text = typed(options, one.name); !text.empty() && (one.kinds & asked) == 0)
      throw bad_input(one.name.substr(2), text,
                      "none for " + kinds_text(asked) + ", only for " + kinds_text(one.kinds));
}

std::int64_t required_number(const table_options& options, std::string_view option, std::int64_t smallest,
                             std::int64_t largest) {
  const std::string text = typed(options, option);
  return input::whole_number(std::string(option.substr(2)), text.empty() ? "missing" : text, smallest,
                             largest);
}

}  // namespace ropewalk::command
