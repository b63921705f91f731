#include "model/gguf_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "model/fourth_row.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

class rule_reader : gguf_keys {
 public:
  explicit rule_reader(const gguf_keys& keys) : gguf_keys(keys) {}

  gguf_rule found() {
    rule_.block = scaling_rule();
    put_temperature(rule_.block);
    put_sections();
    return std::move(rule_);
  }

 private:
  void put_sections() {
    const json& sections = value("rope.dimension_sections");
    if (!of_code.axes || !sections.is_array()) return;
    find_fourth_row(sections);
    if (sections.size() < 3 || (sections.size() > 3 && sections[3] != 0))
      throw bad_input(prefix + "rope.dimension_sections", shown(sections),
                      "three sections, and none of a fourth axis");
    rule_.block["mrope_section"] = {sections[0], sections[1], sections[2]};
    rule_.origins["mrope_section"] = prefix + "rope.dimension_sections";
  }

  json scaling_rule() {
    const std::string type =
        value("rope.scaling.type").is_null() ? "linear" : text_in(metadata, prefix + "rope.scaling.type");
    const char* const factor_key =
        value("rope.scaling.factor").is_null() ? "rope.scale_linear" : "rope.scaling.factor";
    const double amount = number(factor_key).value_or(0), factor = amount == 0 ? 1 : amount;
    json rule = json::object();
    const auto put = [&](const char* key, json number_found, const std::string& origin) {
      rule[key] = std::move(number_found);
      rule_.origins[key] = origin;
    };
    const bool has_lists = type == "longrope" || of_code.lists_need_no_type;
    if (has_lists && divisors_of(divisor_tensors[1]) != nullptr)
      return longrope_block(rule, put, factor, factor_key);
    if (const json* divisors = divisors_of(divisor_tensors[0]);
        divisors != nullptr && !of_code.ignores_divisors) {
      if (factor != 1 && type != "none")
        throw bad_input(prefix + factor_key, shown(factor), "1 beside rope_freqs.weight");
      put_divisors(put, *divisors, *divisors, "rope_freqs.weight", "rope_freqs.weight");
      put_given_attention(put);
      return rule;
    }
    if (const given<double> alpha = number("rope.scaling.alpha");
        of_code.has_alpha && alpha && alpha.value > 0) {
      put("rope_type", "dynamic", prefix + "rope.scaling.alpha");
      put("alpha", alpha.value, prefix + "rope.scaling.alpha");
      return rule;
    }
    const bool is_plain =
        type == "none" || (type == "linear" && factor == 1) || (type == "yarn" && factor <= 1);
    if (const given<double> attention = number("rope.scaling.attn_factor");
        attention && attention.value != 1 && (is_plain || type == "linear"))
      throw bad_input(prefix + "rope.scaling.attn_factor", shown(attention.value), "1 with rule " + type);
    if (is_plain) return rule;
    put("rope_type", type,
        value("rope.scaling.type").is_null() ? by_architecture() : prefix + "rope.scaling.type");
    if (type == "linear") {
      put("factor", factor, prefix + factor_key);
      return rule;
    }
    if (type == "longrope") return longrope_block(rule, put, factor, factor_key);
    if (type != "yarn") throw bad_input(prefix + "rope.scaling.type", type, "a type of llama.cpp's");
    put("factor", factor, prefix + factor_key);
    put_original_length(put);
    put_beta(put, "beta_fast", "rope.scaling.yarn_beta_fast", of_code.missing_beta_fast);
    put_beta(put, "beta_slow", "rope.scaling.yarn_beta_slow", 1);
    put_attention(put, factor);
    return rule;
  }

  template <class Put>
  void put_beta(const Put& put, const char* key, const char* own_key, double usual) const {
    const given<double> beta = number(own_key);
    const bool is_read = beta && of_code.reads_betas;
    const bool is_other = beta && !is_read && beta.value != usual;
    put(key, is_read ? beta.value : usual,
        is_read ? prefix + own_key
                : by_architecture() + (is_other ? ", which does not read " + prefix + own_key : ""));
  }

  template <class Put>
  void put_original_length(const Put& put) {
    const bool is_given = !value("rope.scaling.original_context_length").is_null();
    const char* const key = is_given ? "rope.scaling.original_context_length" : "context_length";
    if (!value(key).is_null()) put("original_max_position_embeddings", value(key), prefix + key);
  }

  /// YaRN's attention factor: the rule's, times rope.scaling.attn_factor, or from the log multiplier.
  template <class Put>
  void put_attention(const Put& put, double factor) {
    const std::string multiplier_key = "rope.scaling.yarn_log_multiplier",
                      attention_key = "rope.scaling.attn_factor";
    const given<double> multiplier = number(multiplier_key), attention = number(attention_key);
    const double more = attention.value_or(1);
    if (of_code.has_yarn_of_one) return put("attention_factor", 1, by_architecture());
    if (of_code.multiplier_unit > 0 && multiplier && multiplier.value != 0) {
      if (more != 1)
        throw bad_input(prefix + attention_key, shown(more), "1 beside " + prefix + multiplier_key);
      if (of_code.cancels_mscale) return put("attention_factor", 1, prefix + multiplier_key);
      put("mscale", 1, by_architecture());
      put("mscale_all_dim", multiplier.value / of_code.multiplier_unit, prefix + multiplier_key);
      return;
    }
    if (more == 1) return;
    put("attention_factor", more * (1 + 0.1 * std::log(factor)),
        fmt::format("{}{} {} x (1 + 0.1 ln {}), rounded", prefix, attention_key, shown(more), shown(factor)));
  }

  /// Writes the query scale with the keys of ministral3's block.
  void put_temperature(json& block) {
    const std::string scale_key = "attention.temperature_scale", length_key = "attention.temperature_length";
    constexpr const char* block_key = "original_max_position_embeddings";
    const given<double> scale = number(scale_key);
    if (!of_code.has_temperature || !scale || scale.value == 0) return;
    const auto put = [&](const char* key, json value, const std::string& origin) {
      block[key] = std::move(value);
      rule_.origins[key] = origin;
    };
    put("llama_4_scaling_beta", scale.value, prefix + scale_key);
    if (!of_code.has_temperature_length) {
      if (!block.contains(block_key)) put_original_length(put);
      return;
    }
    const given<std::int64_t> length = integer(length_key);
    if (!length || length.value < 1)
      throw bad_input(prefix + length_key, length ? std::to_string(length.value) : "missing",
                      "a whole number above 0 beside " + prefix + scale_key);
    if (block.contains(block_key) && block[block_key] != length.value)
      throw bad_input(prefix + length_key, std::to_string(length.value),
                      shown(block[block_key]) + ", as " + rule_.origins.at(block_key) + " says");
    if (!block.contains(block_key)) put(block_key, length.value, prefix + length_key);
  }

  /// Finds the pairs that llama.cpp turns by a fourth row of positions.
  void find_fourth_row(const json& sections) {
    if (!of_code.axes || of_code.axes.value != axis_order::modulo || sections.size() < 3) return;
    std::array<int, 3> sizes{};
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool is_size =
          sections[i].is_number_integer() && sections[i] >= 0 && sections[i] <= most_divisors;
      if (!is_size) return;
      sum += sizes[i] = sections[i].get<int>();
    }
    rule_.fourth_row = pairs_of_fourth_row(sizes, static_cast<int>(std::min(sum, most_divisors)));
  }

  const json* divisors_of(std::string_view tensor) const {
    const json& tensors = value_of(metadata, "tensors");
    if (!tensors.is_object()) return nullptr;
    const auto match = tensors.find(std::string(tensor));
    return match == tensors.end() ? nullptr : &*match;
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
  json longrope_block(json& object, const Put& put, double factor, const char* factor_key) {
    if (factor != 1) throw bad_input(prefix + factor_key, shown(factor), "1 beside rule longrope");
    const json* const longer = divisors_of(divisor_tensors[1]);
    const json* const shorter = divisors_of(divisor_tensors[2]);
    if (longer == nullptr || shorter == nullptr)
      throw bad_input(prefix + "rope.scaling.type", "longrope",
                      "tensors rope_factors_long.weight and rope_factors_short.weight beside it");
    put_divisors(put, *shorter, *longer, std::string(divisor_tensors[2]), std::string(divisor_tensors[1]));
    put_given_attention(put);
    return object;
  }

  /// Writes the attention factor of a rule that has none of its own.
  template <class Put>
  void put_given_attention(const Put& put) const {
    const given<double> attention = number("rope.scaling.attn_factor");
    put("attention_factor", attention.value_or(1),
        attention ? prefix + "rope.scaling.attn_factor" : by_architecture());
  }

  gguf_rule rule_{json::object(), {}, {}};
};

}  // namespace

gguf_rule rule_of_gguf(const gguf_keys& keys) { return rule_reader(keys).found(); }

}  // namespace ropewalk::model
