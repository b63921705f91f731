#include "model/gguf_translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "input/bad_input.hpp"
#include "model/gguf_keys.hpp"
#include "model/gguf_kinds.hpp"
#include "model/gguf_rule.hpp"
#include "model/other_types.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::string_view keys_about_rotation[] = {"rope.dimension_count",
                                                    "rope.dimension_count_swa",
                                                    "rope.freq_base",
                                                    "rope.freq_base_swa",
                                                    "rope.dimension_sections",
                                                    "rope.scaling.type",
                                                    "rope.scaling.factor",
                                                    "rope.scale_linear",
                                                    "rope.scaling.original_context_length",
                                                    "rope.scaling.attn_factor",
                                                    "rope.scaling.yarn_log_multiplier",
                                                    "rope.scaling.yarn_beta_fast",
                                                    "rope.scaling.yarn_beta_slow",
                                                    "rope.scaling.finetuned",
                                                    "rope.scaling.alpha"};

/// An architecture that does not rotate, and the type in config.json with the same encoding.
struct own_architecture {
  std::string_view names;                                 // architectures, separated by spaces
  std::string_view model_type;                            // empty: refused, with the reason `why`
  std::pair<const char*, const char*> first{}, second{};  // a key of config.json, and the GGUF key
  std::string_view why{};
};

constexpr std::pair heads_of_bloom{"n_head", "attention.head_count"};
constexpr own_architecture own_architectures[] = {
    {"bloom mpt refact jina-bert-v2 jais", "bloom", heads_of_bloom},
    {"gpt2", "gpt2", {"n_positions", "context_length"}, {"n_embd", "embedding_length"}},
    {"starcoder", "gpt_bigcode", {"n_positions", "context_length"}, {"n_embd", "embedding_length"}},
    {"bert", "bert", {"max_position_embeddings", "context_length"}, {"hidden_size", "embedding_length"}},
    {"t5 t5encoder",
     "t5",
     {"relative_attention_num_buckets", "attention.relative_buckets_count"},
     {"num_heads", "attention.head_count"}},
    {"mamba mamba2 jamba rwkv6 rwkv6qwen2 rwkv7 arwkv7 nemotron_h nemotron_h_moe kimi-linear",
     "",
     {},
     {},
     "layers know the order of tokens by their recurrence, and attention has no positions"},
    {"clip wavtokenizer-dec gptj", "", {}, {}, "llama.cpp's code for text has no rotation for it"},
};

/// Writes a configuration with the keys of config.json, and records the origin of each.
class translation : gguf_keys {
 public:
  explicit translation(const json& object) : gguf_keys(object) {}

  json made() {
    if (is_of_own_encoding()) return std::move(result_);
    const std::string type = std::string(gguf_type_prefix) + std::string(type_name_of(name, has_sections()));
    result_["model_type"] = type;
    origins_["model_type " + type] = "architecture " + name;
    note_unread_keys();
    take_widths();
    kinds_ = kinds_of_gguf(*this, integer_in(result_, "num_hidden_layers", 0).value_or(0));
    rule_ = rule_of_gguf(*this);
    report_fourth_row();
    take_tables();
    take_fixed_temperature();
    take_indexer();
    result_[origins_key] = std::move(origins_);
    return std::move(result_);
  }

 private:
  void warn(const std::string& line) { result_[warnings_key].push_back(line); }

  void note(std::string_view config_key, std::string_view key) {
    origins_[std::string(config_key)] = prefix + std::string(key);
  }

  /// Writes the configuration of an architecture that does not rotate.
  bool is_of_own_encoding() {
    for (const own_architecture& architecture : own_architectures) {
      if (!has_word(architecture.names, name)) continue;
      if (architecture.model_type.empty())
        throw bad_input(architecture_key, name,
                        "an architecture that rotates: in this one, " + std::string(architecture.why));
      result_["model_type"] = architecture.model_type;
      origins_["model_type"] = architecture_key;
      for (const auto& [config_key, key] : {architecture.first, architecture.second})
        if (config_key != nullptr) take(config_key, key, largest(key));
      if (has_word("mpt jais", name)) require_alibi();
      result_[origins_key] = std::move(origins_);
      return true;
    }
    return false;
  }

  /// For architectures with optional ALiBi: requires the key, and refuses other slopes.
  /// source  hparams.use_alibi in llama.cpp
  void require_alibi() const {
    constexpr double usual_bias = 8;
    const std::string key = "attention.max_alibi_bias";
    const given<double> bias = number(key);
    if (!bias || bias.value == 0)
      throw bad_input(prefix + key, bias ? "0" : "missing",
                      "8: without it, llama.cpp adds no bias in architecture " + name);
    if (bias.value != usual_bias)
      throw bad_input(prefix + key, shown(bias.value), "8: slopes that begin elsewhere are not built");
  }

  /// Records keys whose values contradict those that are read.
  void note_unread_keys() {
    for (const auto& [full, entry] : metadata.items()) {
      if (!full.starts_with(prefix + "rope")) continue;
      const std::string key = full.substr(prefix.size());
      const bool is_known = std::find(std::begin(keys_about_rotation), std::end(keys_about_rotation), key) !=
                            std::end(keys_about_rotation);
      const bool is_of_grok = key == "rope.scaling.yarn_ext_factor" || key == "rope.scaling.yarn_attn_factor";
      if (is_of_grok && name != "grok") {
        if (entry != 1)
          warn(full + " is " + printable(shown(entry)) + ": llama.cpp does not read it for architecture " +
               name);
        continue;
      }
      if (is_known || (is_of_grok && entry == 1)) continue;
      result_[unread_key][full] = entry;
    }
  }

  void take(const char* config_key, std::string_view key, json value) {
    note(config_key, key);
    if (!value.is_null()) result_[config_key] = std::move(value);
  }

  void take_widths() {
    take("hidden_size", "embedding_length", value("embedding_length"));
    take("num_attention_heads", "attention.head_count", largest("attention.head_count"));
    take("num_key_value_heads", "attention.head_count_kv", largest("attention.head_count_kv"));
    take("max_position_embeddings", "context_length", value("context_length"));
    take("num_hidden_layers", "block_count", value("block_count"));
    if (const given<std::int64_t> more = integer("nextn_predict_layers"); more && more.value > 0) {
      result_["num_hidden_layers"] = integer("block_count").value_or(0) - more.value;
      origins_["num_hidden_layers"] = prefix + "block_count - " + prefix + "nextn_predict_layers";
    }
    if (of_code.is_latent) return take_latent_widths();
    take("head_dim", "attention.key_length", value("attention.key_length"));
    if (of_code.turns_whole_heads) return;
    if (of_code.has_sliding_width) return take_sliding_widths();
    if (const json& other = value("rope.dimension_count_swa");
        !other.is_null() && other != value("rope.dimension_count"))
      throw bad_input(prefix + "rope.dimension_count_swa", shown(other),
                      shown(value("rope.dimension_count")) + ", as in other layers: architecture " + name +
                          " has one width");
    take("rotary_dim", "rope.dimension_count", value("rope.dimension_count"));
  }

  /// For an architecture whose sliding layers have their own widths: the rotating share of each kind's heads.
  void take_sliding_widths() {
    const json& key = value("attention.key_length");
    const json& sliding_key =
        value("attention.key_length_swa").is_null() ? key : value("attention.key_length_swa");
    take("sliding_head_dim",
         value("attention.key_length_swa").is_null() ? "attention.key_length" : "attention.key_length_swa",
         sliding_key);
    const given<std::int64_t> width = integer("rope.dimension_count"),
                              sliding = integer("rope.dimension_count_swa");
    const auto share = [](std::int64_t turned, const json& head) {
      const auto channels = head.is_number_integer() ? head.get<std::int64_t>() : 0;
      if (channels <= 0 || turned <= 0 || turned > channels) return 1.0;
      double number = static_cast<double>(turned) / static_cast<double>(channels);
      if (std::floor(static_cast<double>(channels) * number) < static_cast<double>(turned))
        number = std::nextafter(number, 1);
      return number;
    };
    if (!width) return;
    full_share_ = share(of_code.halves_full_width ? width.value / 2 : width.value, key);
    sliding_share_ = share(sliding.value_or(width.value), sliding_key);
  }

  void take_latent_widths() {
    take("qk_rope_head_dim", "rope.dimension_count", value("rope.dimension_count"));
    const given<std::int64_t> turned = integer("rope.dimension_count");
    const bool is_absorbed = !value("attention.key_length_mla").is_null();
    const char* const key = is_absorbed ? "attention.key_length_mla" : "attention.key_length";
    const given<std::int64_t> whole = integer(key);
    if (!turned || !whole) return;
    if (whole.value < turned.value)
      throw bad_input(prefix + key, std::to_string(whole.value),
                      "at least " + prefix + "rope.dimension_count, " + std::to_string(turned.value));
    result_["qk_nope_head_dim"] = whole.value - turned.value;
    origins_["qk_nope_head_dim"] = prefix + key + " - " + prefix + "rope.dimension_count";
  }

  // ---- tables ----

  void take_tables() {
    const json& rule = rule_.block;
    const json full = table("rope.freq_base", rule, full_share_);
    const json sliding = kinds_.do_slide ? sliding_table(rule) : full;
    const bool has_ratios = value("attention.compress_ratios").is_array();
    if (has_ratios && value("attention.compress_rope_freq_base").is_null())
      throw bad_input(prefix + "attention.compress_rope_freq_base", "missing",
                      "the base of compressed layers");
    const json compressed = has_ratios ? table("attention.compress_rope_freq_base", rule, 1) : full;
    const json plain = has_ratios ? table("rope.freq_base", json::object(), 1) : sliding;
    const bool full_rotate = !(kinds_.do_slide && of_code.full_stands_still);
    // Kinds with equal tables are one kind.
    if (compressed == plain && full_rotate)
      for (std::string& kind : kinds_.of_layers)
        if (kind == usual_kind) kind = full_kind;
    const bool is_mixed = std::any_of(kinds_.of_layers.begin(), kinds_.of_layers.end(),
                                      [](const std::string& kind) { return kind != full_kind; });
    if (!is_mixed) return put_only_table(compressed);
    json tables = json::object();
    const auto put = [&](std::string_view kind, const json& item) {
      if (std::find(kinds_.of_layers.begin(), kinds_.of_layers.end(), kind) == kinds_.of_layers.end()) return;
      put_table(tables, kind, item);
    };
    put(full_kind, full_rotate ? compressed : json());
    put(usual_kind, plain);
    put(still_kind, json());
    put(other_kind, json());
    result_["rope_parameters"] = std::move(tables);
    result_["layer_types"] = kinds_.of_layers;
    origins_["layer_types"] = kinds_.origin.empty() ? by_architecture() : kinds_.origin;
  }

  json sliding_table(const json& rule) {
    const bool is_read = !value("rope.freq_base_swa").is_null() && !of_code.ignores_sliding_base;
    json json_value = table(is_read ? "rope.freq_base_swa" : "rope.freq_base",
                            of_code.slides_unscaled ? json::object() : rule, sliding_share_);
    if (!is_read && of_code.sliding_base > 0)
      json_value["rope_theta"] = {of_code.sliding_base, by_architecture()};
    return json_value;
  }

  /// A table of a kind: each key of a block with its value and its origin.
  json table(const char* base_key, const json& rule, double share) const {
    json table = {{"rope_type", {"default", by_architecture()}}};
    const json& base = value(base_key);
    table["rope_theta"] = base.is_null() ? json{10000.0, by_architecture()} : json{base, prefix + base_key};
    if (share != 1) table["partial_rotary_factor"] = {share, prefix + "rope.dimension_count"};
    for (const auto& [key, entry] : rule.items()) table[key] = {entry, rule_.origins.at(key)};
    return table;
  }

  void put_table(json& tables, std::string_view kind, const json& value) {
    json& block = tables[std::string(kind)];
    if (value.is_null()) return;
    for (const auto& [key, value_and_origin] : value.items()) {
      block[key] = value_and_origin[0];
      origins_[fmt::format("rope_parameters.{}.{}", kind, key)] = value_and_origin[1];
    }
  }

  /// Writes the table of a model whose layers are alike: the base at the top level, and the rule, if any.
  void put_only_table(const json& value) {
    for (const auto& [key, value_and_origin] : value.items()) {
      const bool has_more = value.contains("mrope_section") || value.contains("llama_4_scaling_beta");
      if (key == "rope_type" && value_and_origin[0] == "default" && !has_more) continue;
      const bool is_base = key == "rope_theta";
      json& to = is_base ? result_ : result_["rope_scaling"];
      to[key] = value_and_origin[0];
      origins_[(is_base ? "" : "rope_scaling.") + key] = value_and_origin[1];
    }
  }

  /// Writes the query scale of an architecture without a key for it, with the keys of llama4.
  void take_fixed_temperature() {
    if (!of_code.has_fixed_temperature) return;
    const given<std::int64_t> window = integer("attention.sliding_window");
    constexpr double scale = 0.1, length = 8192;
    const auto put = [&](const char* key, json value) {
      result_[key] = std::move(value);
      origins_[key] = by_architecture();
    };
    put("attn_temperature_tuning", !(window && window.value == 0));
    put("attn_scale", scale);
    put("floor_scale", length);
  }

  /// Reads the numbers of an indexer, and of layers with compressed keys.
  void take_indexer() {
    for (const auto& [config_key, key] : {std::pair("index_head_dim", "attention.indexer.key_length"),
                                          std::pair("index_n_heads", "attention.indexer.head_count"),
                                          std::pair("index_topk", "attention.indexer.top_k")})
      if (const given<std::int64_t> t = integer(key)) take(config_key, key, t.value);
    if (const json& ratios = value("attention.compress_ratios"); ratios.is_array())
      take("compress_ratios", "attention.compress_ratios", ratios);
  }

  /// Warns of pairs that llama.cpp turns by a fourth row of positions, which is 0 in text.
  void report_fourth_row() {
    if (rule_.fourth_row.empty()) return;
    result_[fourth_row_key] = rule_.fourth_row;
    warn(fmt::format("llama.cpp turns pairs {} by a fourth row of positions, which is 0 in text",
                     fmt::join(rule_.fourth_row, ", ")));
  }

  json result_ = json::object(), origins_ = json::object();
  gguf_kinds kinds_;
  gguf_rule rule_;
  double full_share_ = 1, sliding_share_ = 1;  // rotating share of a head
};

}  // namespace

json translated(const json& metadata) { return translation(metadata).made(); }

}  // namespace ropewalk::model
