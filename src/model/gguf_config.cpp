#include "model/gguf_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/gguf.hpp"
#include "model/gguf_architectures.hpp"
#include "model/other_types.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr const char* architecture_key = "general.architecture";
constexpr const char* origins_key = "gguf_origins";
constexpr const char* warnings_key = "gguf_warnings";
constexpr const char* unread_key = "gguf_unread";
constexpr const char* fourth_row_key = "gguf_fourth_row";
constexpr std::string_view divisor_tensors[] = {"rope_freqs.weight", "rope_factors_long.weight",
                                                "rope_factors_short.weight"};
constexpr std::int64_t most_divisors = 1 << 15;

// ---- the file ----

/// The path of a part of a split model, where `first` is that of part 1: "...-00001-of-00003.gguf".
std::string part_path(const std::string& first, int part, int parts) {
  const std::string ending = fmt::format("-{:05}-of-{:05}.gguf", 1, parts);
  if (!first.ends_with(ending)) throw bad_input("config", first, "a name that ends with " + ending);
  return first.substr(0, first.size() - ending.size()) + fmt::format("-{:05}-of-{:05}.gguf", part, parts);
}

template <class Float>
std::vector<double> widened(const std::vector<std::byte>& bytes) {
  std::vector<double> r;
  for (std::size_t at = 0; at + sizeof(bits_of<Float>) <= bytes.size(); at += sizeof(bits_of<Float>)) {
    bits_of<Float> bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    r.push_back(from_bits<double>(convert<double, Float>(bits)));
  }
  return r;
}

std::vector<double> divisors_at(const array_location& place) {
  constexpr npy_dtype dtypes[] = {npy_dtype::f32, npy_dtype::f16, npy_dtype::u16, npy_dtype::f64};
  const whole_array array = read_array("config", place, dtypes, most_divisors);
  switch (array.header.dtype) {
    case npy_dtype::f64: return widened<double>(array.bytes);
    case npy_dtype::f16: return widened<binary16>(array.bytes);
    case npy_dtype::u16: return widened<bfloat16>(array.bytes);
    default: return widened<float>(array.bytes);
  }
}

void take_divisors(json& to, const gguf_header& header, const std::string& path) {
  for (const std::string_view name : divisor_tensors) {
    const auto found = std::find_if(header.tensors.begin(), header.tensors.end(),
                                    [&](const gguf_tensor_place& one) { return one.name == name; });
    if (found == header.tensors.end()) continue;
    json list = json::array();
    for (const double one : divisors_at({path, std::string(name)})) {
      if (!std::isfinite(one)) throw bad_input(std::string(name), shown(one), "finite numbers");
      list.push_back(one);
    }
    to[std::string(name)] = std::move(list);
  }
}

int split_number(const json& metadata, const char* key) {
  const given<std::int64_t> found = integer_in(metadata, key, 0);
  constexpr std::int64_t most_parts = 99999;
  if (found && found.value > most_parts)
    throw bad_input(key, shown(value_of(metadata, key)), "at most 99999");
  return static_cast<int>(found.value_or(0));
}

// ---- its keys ----

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

/// An architecture that does not rotate, and the type of config.json with the same encoding.
struct own_architecture {
  std::string_view names;                                 // separated by spaces
  std::string_view model_type;                            // empty: refused by `why`
  std::pair<const char*, const char*> first{}, second{};  // a key of config.json, and the file's
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

constexpr std::string_view usual_kind = "sliding_attention", full_kind = "full_attention",
                           still_kind = "no_rope", other_kind = "no_attention";

/// Writes a configuration in the words of config.json, and notes where each key came from.
class translation {
 public:
  explicit translation(const json& metadata)
      : metadata_(metadata),
        name_(text_in(metadata, architecture_key)),
        prefix_(name_ + "."),
        origins_(json::object()) {}

  json made() {
    if (is_of_own_encoding()) return std::move(result_);
    const json& sections = value("rope.dimension_sections");
    const bool has_sections = sections.is_array() && std::any_of(sections.begin(), sections.end(),
                                                                 [](const json& one) { return one != 0; });
    architecture_ = &architecture_named(name_, has_sections);
    const std::string type = std::string(gguf_type_prefix) + std::string(type_name_of(name_, has_sections));
    result_["model_type"] = type;
    origins_["model_type " + type] = "architecture " + name_;
    note_unread_keys();
    take_widths();
    find_kinds();
    take_tables();
    take_fixed_temperature();
    take_indexer();
    result_[origins_key] = std::move(origins_);
    return std::move(result_);
  }

 private:
  const json& value(std::string_view key) const { return value_of(metadata_, prefix_ + std::string(key)); }

  given<double> number(std::string_view key) const {
    return number_in(metadata_, prefix_ + std::string(key));
  }

  given<std::int64_t> integer(std::string_view key) const {
    return integer_in(metadata_, prefix_ + std::string(key), 0);
  }

  std::string by_architecture() const { return "by architecture " + name_; }

  void warn(const std::string& line) { result_[warnings_key].push_back(line); }

  void note(std::string_view config_key, std::string_view key) {
    origins_[std::string(config_key)] = prefix_ + std::string(key);
  }

  /// Writes the configuration of an architecture that does not rotate.
  bool is_of_own_encoding() {
    for (const own_architecture& one : own_architectures) {
      if (!has_word(one.names, name_)) continue;
      if (one.model_type.empty())
        throw bad_input(architecture_key, name_,
                        "an architecture that rotates: of this one, " + std::string(one.why));
      result_["model_type"] = one.model_type;
      origins_["model_type"] = architecture_key;
      for (const auto& [config_key, key] : {one.first, one.second})
        if (config_key != nullptr) take(config_key, key, largest(key));
      constexpr double usual_bias = 8;
      if (const given<double> bias = number("attention.max_alibi_bias");
          bias && bias.value != usual_bias && bias.value != 0)
        throw bad_input(prefix_ + "attention.max_alibi_bias", shown(bias.value),
                        "8: slopes that begin elsewhere are not built");
      result_[origins_key] = std::move(origins_);
      return true;
    }
    return false;
  }

  /// Notes keys that say something else than is read here.
  void note_unread_keys() {
    for (const auto& [full, found] : metadata_.items()) {
      if (!full.starts_with(prefix_ + "rope")) continue;
      const std::string key = full.substr(prefix_.size());
      const bool is_known = std::find(std::begin(keys_about_rotation), std::end(keys_about_rotation), key) !=
                            std::end(keys_about_rotation);
      const bool is_of_grok = key == "rope.scaling.yarn_ext_factor" || key == "rope.scaling.yarn_attn_factor";
      if (is_of_grok && name_ != "grok") {
        if (found != 1)
          warn(full + " is " + printable(shown(found)) + ": llama.cpp does not read it for architecture " +
               name_);
        continue;
      }
      if (is_known || (is_of_grok && found == 1)) continue;
      result_[unread_key][full] = found;
    }
  }

  /// The largest of a number or of a list with one for each layer.
  json largest(std::string_view key) const {
    const json& found = value(key);
    if (!found.is_array()) return found;
    json r;
    for (const json& one : found)
      if (one.is_number() && (r.is_null() || one > r)) r = one;
    return r;
  }

  void take(const char* config_key, std::string_view key, json found) {
    note(config_key, key);
    if (!found.is_null()) result_[config_key] = std::move(found);
  }

  void take_widths() {
    take("hidden_size", "embedding_length", value("embedding_length"));
    take("num_attention_heads", "attention.head_count", largest("attention.head_count"));
    take("num_key_value_heads", "attention.head_count_kv", largest("attention.head_count_kv"));
    take("max_position_embeddings", "context_length", value("context_length"));
    take("num_hidden_layers", "block_count", value("block_count"));
    if (const given<std::int64_t> more = integer("nextn_predict_layers"); more && more.value > 0) {
      result_["num_hidden_layers"] = integer("block_count").value_or(0) - more.value;
      origins_["num_hidden_layers"] = prefix_ + "block_count - " + prefix_ + "nextn_predict_layers";
    }
    if (architecture_->is_latent) return take_latent_widths();
    take("head_dim", "attention.key_length", value("attention.key_length"));
    if (architecture_->turns_whole_heads) return;
    if (architecture_->has_sliding_width) return take_sliding_widths();
    if (const json& other = value("rope.dimension_count_swa");
        !other.is_null() && other != value("rope.dimension_count"))
      throw bad_input(prefix_ + "rope.dimension_count_swa", shown(other),
                      shown(value("rope.dimension_count")) + ", as in other layers: architecture " + name_ +
                          " has one width");
    take("rotary_dim", "rope.dimension_count", value("rope.dimension_count"));
  }

  /// Widths of an architecture whose sliding layers have their own: shares of the heads of each kind.
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
      const auto of = head.is_number_integer() ? head.get<std::int64_t>() : 0;
      if (of <= 0 || turned <= 0 || turned > of) return 1.0;
      double r = static_cast<double>(turned) / static_cast<double>(of);
      if (std::floor(static_cast<double>(of) * r) < static_cast<double>(turned)) r = std::nextafter(r, 1);
      return r;
    };
    if (!width) return;
    full_share_ = share(architecture_->halves_full_width ? width.value / 2 : width.value, key);
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
      throw bad_input(prefix_ + key, std::to_string(whole.value),
                      "at least " + prefix_ + "rope.dimension_count, " + std::to_string(turned.value));
    result_["qk_nope_head_dim"] = whole.value - turned.value;
    origins_["qk_nope_head_dim"] = prefix_ + key + " - " + prefix_ + "rope.dimension_count";
  }

  std::int64_t layers() const { return integer_in(result_, "num_hidden_layers", 0).value_or(0); }

  /// The kinds of the layers, where they are not all alike.
  void find_kinds() {
    constexpr std::int64_t most_layers = 100'000;
    const std::int64_t count = layers();
    if (count > most_layers)
      throw bad_input(prefix_ + "block_count", std::to_string(count), "at most 100000");
    refuse_depth(count);
    const std::vector<bool> slide = sliding_layers(count);
    slides_ = std::find(slide.begin(), slide.end(), true) != slide.end();
    const std::int64_t dense =
        architecture_->dense_rotates ? integer("attention.leading_dense_block_count").value_or(0) : 0;
    for (std::int64_t layer = 0; layer < count; ++layer) {
      const auto at = static_cast<std::size_t>(layer);
      const bool slides = at < slide.size() && slide[at];
      std::string_view kind = slides || layer < dense ? usual_kind : full_kind;
      if (architecture_->still_every > 0 && stands_still(layer, count)) kind = still_kind;
      if (has_no_attention(layer)) kind = other_kind;
      if (const json& ratios = value("attention.compress_ratios"); ratios.is_array() && at < ratios.size())
        kind = ratios[at] == 0 ? usual_kind : full_kind;
      kinds_.emplace_back(kind);
    }
  }

  /// Refuses a model none of whose layers rotates, by its depth or a flag.
  void refuse_depth(std::int64_t count) const {
    if (architecture_->rotating_depth > 0 && count != architecture_->rotating_depth)
      throw bad_input(prefix_ + "block_count", std::to_string(count),
                      fmt::format("{}: in a model of another depth, no layer of architecture {} rotates",
                                  architecture_->rotating_depth, name_));
    if (architecture_->stands_without_finetuned && value("rope.scaling.finetuned") == false)
      throw bad_input(prefix_ + "rope.scaling.finetuned", "false", "true: without it, no layer rotates");
  }

  bool stands_still(std::int64_t layer, std::int64_t count) const {
    const given<std::int64_t> window = integer("attention.sliding_window");
    if (architecture_->needs_window && window.value_or(0) == 0) return false;
    const bool is_whole = name_ == "llama4" && window && window.value == 0;  // one run of all layers
    const std::int64_t every = is_whole ? count : architecture_->still_every;
    return architecture_->begins_still ? layer % every == 0 : (layer + 1) % every == 0;
  }

  /// A layer of a hybrid without attention has no heads for keys, or is none of the interval's.
  bool has_no_attention(std::int64_t layer) const {
    const auto at = static_cast<std::size_t>(layer);
    for (const char* const key : {"attention.head_count_kv", "attention.head_count"}) {
      const json& heads = value(key);
      if (heads.is_array() && at < heads.size() && heads[at] == 0) return true;
    }
    if (architecture_->recurrent_interval == 0) return false;
    if (const json& recurrent = value("attention.recurrent_layers"); recurrent.is_array())
      return at < recurrent.size() && (recurrent[at] == true || recurrent[at] == 1);
    const std::int64_t interval =
        integer("full_attention_interval").value_or(architecture_->recurrent_interval);
    return interval > 0 && (layer + 1) % interval != 0;
  }

  std::vector<bool> sliding_layers(std::int64_t count) {
    const json& pattern = value("attention.sliding_window_pattern");
    const std::string pattern_key = prefix_ + "attention.sliding_window_pattern";
    const given<std::int64_t> window = integer("attention.sliding_window");
    const bool has_pattern = architecture_->period > 0 || architecture_->pattern != pattern_reader::period;
    if (!has_pattern || (architecture_->needs_window && window.value_or(0) == 0)) return {};
    if (architecture_->sliding_depth > 0 && count != architecture_->sliding_depth) return {};
    const bool takes_list = architecture_->pattern != pattern_reader::period;
    if (pattern.is_array() && takes_list) return listed_kinds(pattern, pattern_key, count);
    if (pattern.is_null() && architecture_->period == 0)
      throw bad_input(pattern_key, "missing", "a flag for each layer");
    std::vector<bool> r;
    const bool is_read = pattern.is_number() && architecture_->pattern != pattern_reader::list;
    const std::int64_t period =
        is_read ? integer("attention.sliding_window_pattern").value_or(0) : architecture_->period;
    if (!is_read && architecture_->period == 0)
      throw bad_input(pattern_key, shown(pattern), "a flag for each layer");
    kinds_origin_ = is_read ? pattern_key : by_architecture();
    for (std::int64_t layer = 0; layer < count; ++layer)
      r.push_back(period == 0 || (architecture_->begins_full ? layer : layer + 1) % period != 0);
    return r;
  }

  std::vector<bool> listed_kinds(const json& pattern, const std::string& key, std::int64_t count) {
    if (static_cast<std::int64_t>(pattern.size()) < count)
      throw bad_input(key, fmt::format("a list of {}", pattern.size()),
                      fmt::format("one of {}block_count, {}", prefix_, count));
    std::vector<bool> r;
    for (const json& one : pattern) {
      if (!one.is_boolean() && one != 0 && one != 1) throw bad_input(key, shown(one), "flags");
      r.push_back(one == true || one == 1);
    }
    kinds_origin_ = key;
    return r;
  }

  // ---- tables ----

  void take_tables() {
    const json rule = rule_block();
    const json full = table("rope.freq_base", rule, full_share_);
    const json sliding = slides_ ? sliding_table(rule) : full;
    const bool has_ratios = value("attention.compress_ratios").is_array();
    if (has_ratios && value("attention.compress_rope_freq_base").is_null())
      throw bad_input(prefix_ + "attention.compress_rope_freq_base", "missing",
                      "the base of compressed layers");
    const json compressed = has_ratios ? table("attention.compress_rope_freq_base", rule, 1) : full;
    const json plain = has_ratios ? table("rope.freq_base", json::object(), 1) : sliding;
    const bool full_rotate = !(slides_ && architecture_->full_stands_still);
    // Kinds with one table are one kind.
    if (compressed == plain && full_rotate)
      for (std::string& kind : kinds_)
        if (kind == usual_kind) kind = full_kind;
    const bool is_mixed =
        std::any_of(kinds_.begin(), kinds_.end(), [](const std::string& kind) { return kind != full_kind; });
    if (!is_mixed) return put_only_table(compressed);
    json tables = json::object();
    const auto put = [&](std::string_view kind, const json& found) {
      if (std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) return;
      put_table(tables, kind, found);
    };
    put(full_kind, full_rotate ? compressed : json());
    put(usual_kind, plain);
    put(still_kind, json());
    put(other_kind, json());
    result_["rope_parameters"] = std::move(tables);
    result_["layer_types"] = kinds_;
    origins_["layer_types"] = kinds_origin_.empty() ? by_architecture() : kinds_origin_;
  }

  json sliding_table(const json& rule) {
    const bool is_read = !value("rope.freq_base_swa").is_null() && !architecture_->ignores_sliding_base;
    json r = table(is_read ? "rope.freq_base_swa" : "rope.freq_base",
                   architecture_->slides_unscaled ? json::object() : rule, sliding_share_);
    if (!is_read && architecture_->sliding_base > 0)
      r["rope_theta"] = {architecture_->sliding_base, by_architecture()};
    return r;
  }

  /// A table: each key of a block with its value and its origin.
  json table(const char* base_key, const json& rule, double share) const {
    json r = {{"rope_type", {"default", by_architecture()}}};
    const json& base = value(base_key);
    r["rope_theta"] = base.is_null() ? json{10000.0, by_architecture()} : json{base, prefix_ + base_key};
    if (share != 1) r["partial_rotary_factor"] = {share, prefix_ + "rope.dimension_count"};
    for (const auto& [key, found] : rule.items()) r[key] = {found, rule_origins_.at(key)};
    return r;
  }

  void put_table(json& tables, std::string_view kind, const json& found) {
    json& block = tables[std::string(kind)];
    if (found.is_null()) return;
    for (const auto& [key, value_and_origin] : found.items()) {
      block[key] = value_and_origin[0];
      origins_[fmt::format("rope_parameters.{}.{}", kind, key)] = value_and_origin[1];
    }
  }

  /// The table of a model whose layers are alike: its base at the top level, and its rule, if it has one.
  void put_only_table(const json& found) {
    for (const auto& [key, value_and_origin] : found.items()) {
      const bool has_more = found.contains("mrope_section") || found.contains("llama_4_scaling_beta");
      if (key == "rope_type" && value_and_origin[0] == "default" && !has_more) continue;
      const bool is_base = key == "rope_theta";
      json& to = is_base ? result_ : result_["rope_scaling"];
      to[key] = value_and_origin[0];
      origins_[(is_base ? "" : "rope_scaling.") + key] = value_and_origin[1];
    }
  }

  /// The scaling rule and the sections of axes, as a block of config.json; an empty object for none.
  json rule_block() {
    json r = scaling_rule();
    put_temperature(r);
    const json& sections = value("rope.dimension_sections");
    if (architecture_->axes == axis_rule::text || !sections.is_array()) return r;
    tell_fourth_row(sections);
    if (sections.size() < 3 || (sections.size() > 3 && sections[3] != 0))
      throw bad_input(prefix_ + "rope.dimension_sections", shown(sections),
                      "three sections, and none of a fourth axis");
    r["mrope_section"] = {sections[0], sections[1], sections[2]};
    rule_origins_["mrope_section"] = prefix_ + "rope.dimension_sections";
    return r;
  }

  json scaling_rule() {
    const std::string type =
        value("rope.scaling.type").is_null() ? "linear" : text_in(metadata_, prefix_ + "rope.scaling.type");
    const char* const factor_key =
        value("rope.scaling.factor").is_null() ? "rope.scale_linear" : "rope.scaling.factor";
    const double found = number(factor_key).value_or(0), factor = found == 0 ? 1 : found;
    json r = json::object();
    const auto put = [&](const char* key, json number_found, const std::string& origin) {
      r[key] = std::move(number_found);
      rule_origins_[key] = origin;
    };
    const bool has_lists = type == "longrope" || architecture_->lists_need_no_type;
    if (has_lists && divisors_of(divisor_tensors[1]) != nullptr)
      return longrope_block(r, put, factor, factor_key);
    if (const json* divisors = divisors_of(divisor_tensors[0]);
        divisors != nullptr && !architecture_->ignores_divisors) {
      if (factor != 1 && type != "none")
        throw bad_input(prefix_ + factor_key, shown(factor), "1 beside rope_freqs.weight");
      put_divisors(put, *divisors, *divisors, "rope_freqs.weight", "rope_freqs.weight");
      put_given_attention(put);
      return r;
    }
    if (const given<double> alpha = number("rope.scaling.alpha");
        architecture_->has_alpha && alpha && alpha.value > 0) {
      put("rope_type", "dynamic", prefix_ + "rope.scaling.alpha");
      put("alpha", alpha.value, prefix_ + "rope.scaling.alpha");
      return r;
    }
    const bool is_plain =
        type == "none" || (type == "linear" && factor == 1) || (type == "yarn" && factor <= 1);
    if (const given<double> attention = number("rope.scaling.attn_factor");
        attention && attention.value != 1 && (is_plain || type == "linear"))
      throw bad_input(prefix_ + "rope.scaling.attn_factor", shown(attention.value), "1 with rule " + type);
    if (is_plain) return r;
    put("rope_type", type,
        value("rope.scaling.type").is_null() ? by_architecture() : prefix_ + "rope.scaling.type");
    if (type == "linear") {
      put("factor", factor, prefix_ + factor_key);
      return r;
    }
    if (type == "longrope") return longrope_block(r, put, factor, factor_key);
    if (type != "yarn") throw bad_input(prefix_ + "rope.scaling.type", type, "a type of llama.cpp's");
    put("factor", factor, prefix_ + factor_key);
    put_original_length(put);
    put_beta(put, "beta_fast", "rope.scaling.yarn_beta_fast", architecture_->missing_beta_fast);
    put_beta(put, "beta_slow", "rope.scaling.yarn_beta_slow", 1);
    put_attention(put, factor);
    return r;
  }

  template <class Put>
  void put_beta(const Put& put, const char* key, const char* own_key, double usual) const {
    const given<double> beta = number(own_key);
    const bool is_read = beta && architecture_->reads_betas;
    const bool is_other = beta && !is_read && beta.value != usual;
    put(key, is_read ? beta.value : usual,
        is_read ? prefix_ + own_key
                : by_architecture() + (is_other ? ", which does not read " + prefix_ + own_key : ""));
  }

  template <class Put>
  void put_original_length(const Put& put) {
    const bool is_given = !value("rope.scaling.original_context_length").is_null();
    const char* const key = is_given ? "rope.scaling.original_context_length" : "context_length";
    if (!value(key).is_null()) put("original_max_position_embeddings", value(key), prefix_ + key);
  }

  /// YaRN's attention factor: that of the rule, times rope.scaling.attn_factor, or by the log multiplier.
  template <class Put>
  void put_attention(const Put& put, double factor) {
    const std::string multiplier_key = "rope.scaling.yarn_log_multiplier",
                      attention_key = "rope.scaling.attn_factor";
    const given<double> multiplier = number(multiplier_key), attention = number(attention_key);
    const double more = attention.value_or(1);
    if (architecture_->has_yarn_of_one) return put("attention_factor", 1, by_architecture());
    if (architecture_->multiplier_unit > 0 && multiplier && multiplier.value != 0) {
      if (more != 1)
        throw bad_input(prefix_ + attention_key, shown(more), "1 beside " + prefix_ + multiplier_key);
      if (architecture_->cancels_mscale) return put("attention_factor", 1, prefix_ + multiplier_key);
      put("mscale", 1, by_architecture());
      put("mscale_all_dim", multiplier.value / architecture_->multiplier_unit, prefix_ + multiplier_key);
      return;
    }
    if (more == 1) return;
    put("attention_factor", more * (1 + 0.1 * std::log(factor)),
        fmt::format("{}{} {} x (1 + 0.1 ln {}), rounded", prefix_, attention_key, shown(more),
                    shown(factor)));
  }

  /// The query's scale by its position, in the words of ministral3's block.
  void put_temperature(json& block) {
    const std::string scale_key = "attention.temperature_scale", length_key = "attention.temperature_length";
    constexpr const char* block_key = "original_max_position_embeddings";
    const given<double> scale = number(scale_key);
    if (!architecture_->has_temperature || !scale || scale.value == 0) return;
    const auto put = [&](const char* key, json found, const std::string& origin) {
      block[key] = std::move(found);
      rule_origins_[key] = origin;
    };
    put("llama_4_scaling_beta", scale.value, prefix_ + scale_key);
    if (!architecture_->has_temperature_length) {
      if (!block.contains(block_key)) put_original_length(put);
      return;
    }
    const given<std::int64_t> length = integer(length_key);
    if (!length || length.value < 1)
      throw bad_input(prefix_ + length_key, length ? std::to_string(length.value) : "missing",
                      "a whole number above 0 beside " + prefix_ + scale_key);
    if (block.contains(block_key) && block[block_key] != length.value)
      throw bad_input(prefix_ + length_key, std::to_string(length.value),
                      shown(block[block_key]) + ", as " + rule_origins_.at(block_key) + " says");
    if (!block.contains(block_key)) put(block_key, length.value, prefix_ + length_key);
  }

  /// The scale of an architecture without a key for it, in the words of llama4.
  void take_fixed_temperature() {
    if (!architecture_->has_fixed_temperature) return;
    const given<std::int64_t> window = integer("attention.sliding_window");
    constexpr double scale = 0.1, length = 8192;
    const auto put = [&](const char* key, json found) {
      result_[key] = std::move(found);
      origins_[key] = by_architecture();
    };
    put("attn_temperature_tuning", !(window && window.value == 0));
    put("attn_scale", scale);
    put("floor_scale", length);
  }

  /// The numbers of an indexer, and of layers whose keys are compressed.
  void take_indexer() {
    for (const auto& [config_key, key] : {std::pair("index_head_dim", "attention.indexer.key_length"),
                                          std::pair("index_n_heads", "attention.indexer.head_count"),
                                          std::pair("index_topk", "attention.indexer.top_k")})
      if (const given<std::int64_t> found = integer(key)) take(config_key, key, found.value);
    if (const json& ratios = value("attention.compress_ratios"); ratios.is_array())
      take("compress_ratios", "attention.compress_ratios", ratios);
  }

  /// Says which pairs llama.cpp turns by a fourth row of positions, which is 0 in text.
  void tell_fourth_row(const json& sections) {
    if (architecture_->axes != axis_rule::mrope_interleaved) return;
    std::int64_t sum = 0, ends[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i >= sections.size() || !sections[i].is_number_integer()) return;
      sum += sections[i].get<std::int64_t>();
      ends[i] = 3 * sections[i].get<std::int64_t>();
    }
    json pairs = json::array();
    std::string names;
    for (std::int64_t pair = 0; pair < std::min<std::int64_t>(sum, most_divisors); ++pair)
      if (pair >= ends[pair % 3]) {
        pairs.push_back(pair);
        names += (names.empty() ? "" : ", ") + std::to_string(pair);
      }
    if (pairs.empty()) return;
    result_[fourth_row_key] = std::move(pairs);
    warn("llama.cpp turns pairs " + names + " by a fourth row of positions, which is 0 in text");
  }

  const json* divisors_of(std::string_view tensor) const {
    const json& tensors = value_of(metadata_, "tensors");
    if (!tensors.is_object()) return nullptr;
    const auto found = tensors.find(std::string(tensor));
    return found == tensors.end() ? nullptr : &*found;
  }

  template <class Put>
  void put_divisors(const Put& put, const json& shorter, const json& longer, const std::string& short_name,
                    const std::string& long_name) {
    put("rope_type", "longrope", long_name);
    put("short_factor", shorter, short_name);
    put("long_factor", longer, long_name);
    put_original_length(put);
  }

  template <class Put>
  json longrope_block(json& r, const Put& put, double factor, const char* factor_key) {
    if (factor != 1) throw bad_input(prefix_ + factor_key, shown(factor), "1 beside rule longrope");
    const json* const longer = divisors_of(divisor_tensors[1]);
    const json* const shorter = divisors_of(divisor_tensors[2]);
    if (longer == nullptr || shorter == nullptr)
      throw bad_input(prefix_ + "rope.scaling.type", "longrope",
                      "tensors rope_factors_long.weight and rope_factors_short.weight beside it");
    put_divisors(put, *shorter, *longer, std::string(divisor_tensors[2]), std::string(divisor_tensors[1]));
    put_given_attention(put);
    return r;
  }

  /// The attention factor of a rule that has none of its own.
  template <class Put>
  void put_given_attention(const Put& put) const {
    const given<double> attention = number("rope.scaling.attn_factor");
    put("attention_factor", attention.value_or(1),
        attention ? prefix_ + "rope.scaling.attn_factor" : by_architecture());
  }

  const json& metadata_;
  std::string name_, prefix_;
  const architecture* architecture_ = nullptr;
  json result_ = json::object();
  json origins_;
  std::map<std::string, std::string> rule_origins_;
  std::string kinds_origin_;
  std::vector<std::string> kinds_;             // of the layers
  double full_share_ = 1, sliding_share_ = 1;  // of a head that rotates
  bool slides_ = false;
};

bool is_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

/// Whether a key stands alone at a place: no longer key contains it there.
bool stands_alone(const std::string& text, std::size_t at, std::size_t length) {
  if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) return false;
  const std::size_t end = at + length;
  if (end == text.size()) return true;
  if (text[end] == '.') return end + 1 == text.size() || !is_word(text[end + 1]);
  return !is_word(text[end]);
}

}  // namespace

std::string gguf_text(input_file& file) {
  const gguf_header header = gguf_header_of(file);
  json r = header.metadata;
  json tensors = json::object();
  take_divisors(tensors, header, file.path());
  const int parts = split_number(r, "split.count");
  if (const int own = split_number(r, "split.no"); own != 0)
    throw bad_input("config", file.path(),
                    fmt::format("the first file of the model: this one is part {} of {}", own + 1, parts));
  for (int part = 2; part <= parts; ++part) {
    const std::string path = part_path(file.path(), part, parts);
    input_file other("config", path);
    take_divisors(tensors, gguf_header_of(other), path);
  }
  r["tensors"] = std::move(tensors);
  // Keys of other subjects, above all the tokenizer's, would only be carried along.
  const std::string architecture = text_in(r, architecture_key), prefix = architecture + ".";
  if (architecture.empty()) throw bad_input(architecture_key, "missing", "the name of an architecture");
  json kept = json::object();
  for (auto& [key, found] : r.items())
    if (key.starts_with(prefix) || key == architecture_key || key == "general.name" || key == "tensors") {
      if (found.is_number_float() && !std::isfinite(found.get<double>()))
        throw bad_input(printable(key), "not finite", "a finite number");
      kept[key] = std::move(found);
    }
  return kept.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_gguf(const json& root) { return root.contains(architecture_key); }

json config_of_gguf(const json& metadata) { return translation(metadata).made(); }

void refuse_unread_of_gguf(const json& config, const std::map<std::string, std::string>& ignored) {
  for (const auto& [key, found] : value_of(config, unread_key).items())
    if (!ignored.contains(key))
      throw bad_input(
          printable(key), printable(shown(found)),
          "keys that are read of a GGUF file; --ignore-key " + printable(key) + "=REASON leaves it out");
}

std::vector<std::string> gguf_warnings_of(const json& config) {
  std::vector<std::string> r;
  for (const auto& [at, line] : value_of(config, warnings_key).items())
    if (line.is_string()) r.push_back(line.get<std::string>());
  return r;
}

std::vector<int> fourth_row_of(const json& config) {
  std::vector<int> r;
  for (const auto& [at, pair] : value_of(config, fourth_row_key).items())
    if (pair.is_number_integer() && pair >= 0 && pair <= largest_head_dim) r.push_back(pair.get<int>());
  return r;
}

std::string in_words_of_gguf(const json& config, std::string text) {
  const json& origins = value_of(config, origins_key);
  if (!origins.is_object()) return text;
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [key, origin] : origins.items())
    if (origin.is_string()) words.emplace_back(key, origin.get<std::string>());
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  std::string r;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& one) {
      return text.compare(at, one.first.size(), one.first) == 0 && stands_alone(text, at, one.first.size());
    });
    if (found == words.end()) {
      r += text[at++];
      continue;
    }
    r += found->second;
    at += found->first.size();
  }
  return r;
}

fact in_words_of_gguf(const json& config, fact told) {
  if (!value_of(config, origins_key).is_object()) return told;
  if (told.name == "model_type")
    return {"architecture", told.value.substr(gguf_type_prefix.size()), architecture_key};
  const bool is_of_type =
      told.origin.starts_with("model_type ") && told.origin.find(',') == std::string::npos;
  told.origin = (is_of_type ? "by " : "") + in_words_of_gguf(config, std::move(told.origin));
  return told;
}

}  // namespace ropewalk::model
