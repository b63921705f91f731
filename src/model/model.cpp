#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/axes_block.hpp"
#include "model/base_reading.hpp"
#include "model/chosen_block.hpp"
#include "model/config_file.hpp"
#include "model/gguf_architectures.hpp"
#include "model/gguf_config.hpp"
#include "model/head_reading.hpp"
#include "model/image_types.hpp"
#include "model/layers.hpp"
#include "model/model_type.hpp"
#include "model/open_config.hpp"
#include "model/other_types.hpp"
#include "model/refused_types.hpp"
#include "model/rotary_dim_reading.hpp"
#include "model/unread_keys.hpp"

namespace ropewalk::model {

using namespace input;

namespace {

/// Reads one configuration, of one kind of its layers.
class config_reader {
 public:
  config_reader(const json& root, model& result, const reading& how) : config_(root, result, how) {}

  /// throws  as parse_model
  void read();

 private:
  void find_type();
  void find_pairing(const std::string& named);
  /// Refuses a rule that the type's own code lacks.
  void refuse_rule_of_others();
  void find_axes();
  void report_remarks();
  /// Reports numbers that decide which keys a query sees; they do not change the rotation.
  void report_indexer();
  void find_lengths();

  open_config config_;
};

void config_reader::read() {
  find_type();
  warn_of_outer_values(config_);
  const chosen_block chosen =
      choose_block(config_.body, *config_.type, config_.result.model_type, config_.how, config_.sources);
  config_.block = chosen.block;
  config_.prefix = chosen.prefix;
  config_.result.layer_type = chosen.kind;
  config_.is_second = chosen.is_second;
  config_.is_nested = chosen.is_nested;
  find_lengths();
  read_head(config_);
  read_base(config_);
  config_.result.encoding.scaling =
      read_scaling(config_.block, config_.prefix, config_.lengths, config_.sources);
  refuse_rule_of_others();
  if (config_.type->null_table_is_default && !config_.is_nested &&
      value_of(config_.block, "rope_type").is_null() && !value_of(config_.block, "type").is_null() &&
      !config_.result.encoding.scaling.is<unscaled>())
    config_.sources.warn(
        config_.prefix + "type is " + text_in(config_.block, "type", config_.prefix) +
        ": used, because the weights need it; transformers 5 reads rope_type alone, and takes rule default");
  find_axes();
  if (config_.block.empty()) config_.sources.add("rule", "default", "no scaling block");
  validate(config_.result.layout, config_.result.encoding);
  config_.result.queries =
      read_scaled_queries(config_.body, config_.block, config_.prefix, *config_.type, config_.sources);
  report_remarks();
  report_indexer();
  refuse_unread_keys(config_);
  config_.result.source = text_in(config_.root, "_provenance");
  config_.result.facts = config_.sources.facts;
  config_.result.warnings = config_.sources.warnings;
}

void config_reader::find_type() {
  config_.result.model_type = config_.text.model_type;
  const model_type* listed = find_model_type(config_.result.model_type);
  config_.is_listed = listed != nullptr;
  const model_type& unlisted =
      config_.result.model_type.starts_with(gguf_type_prefix) ? unlisted_gguf_type() : unlisted_type;
  config_.type = config_.is_listed ? listed : &unlisted;
  const std::string named = config_.result.model_type.empty() ? "missing" : config_.result.model_type;
  refuse_what_does_not_rotate(config_.root, config_.body, config_.result.model_type, !config_.how.layout);
  config_.sources.add("model_type", named, config_.text.type_origin);
  find_pairing(named);
}

void config_reader::find_pairing(const std::string& named) {
  const std::string key(config_.type->interleaves);
  const bool is_split = !key.empty() && !flag_in(config_.body, key).value_or(true);
  const pairing own = is_split ? pairing::half_split : config_.type->layout;
  const bool crosses = config_.type->writes_half_split && !config_.how.layout;
  config_.result.layout.pairing_in = config_.how.layout.value_or(own);
  config_.result.layout.pairing_out = crosses ? pairing::half_split : config_.result.layout.pairing_in;
  config_.result.doubled =
      config_.type->doubles_by_halves ? pairing::half_split : config_.result.layout.pairing_out;
  const std::string origin = "model_type " + named + (is_split ? ", " + key + " false" : "");
  config_.sources.add("pairing", pairing_text(config_.result.layout),
                      config_.how.layout ? "--pairing" : origin);
  const head_layout by_type{0, own, config_.type->writes_half_split ? pairing::half_split : own};
  if (config_.is_listed && config_.how.layout && pairing_text(by_type) != pairing_text(config_.result.layout))
    config_.sources.warn("--pairing is " + std::string(name_of(config_.how.layout.value)) +
                         " and model_type " + named + " has " + pairing_text(by_type) +
                         ": --pairing is taken");
}

void config_reader::refuse_rule_of_others() {
  const std::string name(name_of(config_.result.encoding.scaling));
  const std::string_view has = config_.type->rules;
  if (has.empty()) return;
  std::string allowed;
  for (std::size_t at = 0; at < has.size();) {
    const std::size_t end = std::min(has.find(' ', at), has.size());
    if (has.substr(at, end - at) == name) return;
    allowed += (allowed.empty() ? "" : ", ") + std::string(has.substr(at, end - at));
    at = end + 1;
  }
  throw bad_input(config_.prefix + "rope_type", name,
                  allowed + ": model_type " + config_.result.model_type + " has no other");
}

void config_reader::find_axes() {
  config_.result.axes =
      read_axes(config_.block, config_.prefix,
                {config_.lengths.pairs, config_.type->axes, config_.type->missing_sections});
  report_axes(config_.result.axes,
              value_of(config_.block, "mrope_section").is_null()
                  ? "no mrope_section is given: model_type " + config_.result.model_type + "'s own"
                  : config_.prefix + "mrope_section",
              config_.sources);
  if (is_mrope(config_.result.axes) && config_.is_listed && !config_.type->axes)
    throw bad_input(config_.prefix + "mrope_section", shown(value_of(config_.block, "mrope_section")),
                    "none: model_type " + config_.result.model_type + " has one axis");
}

void config_reader::report_remarks() {
  const std::string origin = "model_type " + config_.result.model_type;
  for (const auto& [name, text] :
       {std::pair{"norm", config_.type->norm}, std::pair{"query factor", config_.type->query_factor},
        std::pair{"remark", config_.type->remark}})
    if (!text.empty())
      config_.sources.add(name, "beside the rotation", std::string(text) + " (" + origin + ")");
  const auto& [head_dim, rotary_dim] =
      std::pair(config_.result.layout.head_dim, config_.result.encoding.rotary_dim);
  std::string other;
  const bool reads_part = !config_.type->rotary_dim.empty();  // but no rotary_dim
  const int of_code = !config_.type->other_turns_all ? rotary_dim
                      : reads_part                   ? rotary_dim_of_code(config_, head_dim)
                                                     : head_dim;
  if (of_code != rotary_dim) other = fmt::format("rotary_dim {}", of_code);
  const bool is_in_block = !value_of(config_.block, "rope_theta").is_null();
  if (config_.type->other_base > 0 && config_.type->other_base != config_.result.encoding.base &&
      !is_in_block)
    other = "base " + shown(config_.type->other_base);
  if (!other.empty())
    config_.sources.add(
        "other reading", other,
        std::string(config_.type->other_code) + "; the published weights need the numbers above");
}

void config_reader::report_indexer() {
  const auto note = [&](const char* name, std::string value, const std::string& key) {
    config_.sources.add(name, std::move(value), key);
    config_.result.beside.push_back(config_.sources.facts.back());
  };
  for (const auto& [key, name] :
       {std::pair("index_n_heads", "indexer heads"), std::pair("index_head_dim", "indexer head_dim"),
        std::pair("index_topk", "indexer keys")})
    if (const json& item = value_of(config_.body, key); item.is_number_integer() && item > 0)
      note(name, shown(item), key);
  const json& ratios = value_of(config_.body, "compress_ratios");
  if (!ratios.is_array()) return;
  const std::int64_t layers = layers_in(config_.body);
  std::map<std::int64_t, std::vector<int>> layers_of_ratio;
  for (std::size_t layer = 0; layer < ratios.size(); ++layer)
    if (ratios[layer].is_number_integer() && (layers == 0 || static_cast<std::int64_t>(layer) < layers))
      layers_of_ratio[ratios[layer].get<std::int64_t>()].push_back(static_cast<int>(layer));
  std::string text;
  for (const auto& [ratio, numbers] : layers_of_ratio)
    text += (text.empty() ? "" : "; ") + number_text(ratio) + ": layers " + runs_of(numbers);
  if (!text.empty()) note("compress ratios", text, "compress_ratios");
}

void config_reader::find_lengths() {
  const std::string key(config_.type->positions);
  config_.lengths.longest_name = key;
  config_.lengths.ignored = &config_.how.ignored;
  config_.lengths.needs_mscales = config_.type->needs_mscales;
  config_.lengths.has_alpha = config_.type->has_alpha;
  config_.lengths.has_query_scale = config_.type->query_scale.is_in_scaling_block;
  config_.lengths.is_yarn_longrope = config_.type->is_yarn_longrope;
  config_.lengths.max_position_embeddings = integer_in(config_.body, key, 1);
  // A block with one table per kind of layers ignores the top level's values.
  if (!config_.is_nested)
    config_.lengths.original_max_position_embeddings =
        integer_in(config_.body, "original_max_position_embeddings", 1);
  config_.result.max_position_embeddings = config_.lengths.max_position_embeddings.value_or(0);
  if (config_.lengths.max_position_embeddings)
    config_.sources.add("max_position_embeddings", number_text(config_.result.max_position_embeddings), key);
}

/// Refuses a model whose map differs from the requested one.
void require_map(const image_body& image, const std::string& name, const reading& how) {
  const position_map own = image.type == nullptr ? position_map::rotation : image.type->map;
  if (!how.map || *how.map == own) return;
  const map_text& text = text_of(own);
  if (*how.map != position_map::rotation)
    throw bad_input("which encoding", fmt::format("{} (it {})", name, text.name),
                    fmt::format("a model of {}, such as {}; this one has {}", text_of(*how.map).kind,
                                text_of(*how.map).names, text.kind));
  const bool is_class = !value_of(*image.keys, "_class_name").is_null();
  throw bad_input(is_class ? "_class_name" : "model_type", std::string(image.type->name),
                  fmt::format("a {} that rotates: this one {}; `ropewalk table {}` makes its table",
                              is_class ? "class" : "type", text.name, text.kind));
}

}  // namespace

model parse_model(std::string_view text, std::string name, const reading& how) {
  const json root = config_of(text, name);
  refuse_unread_of_gguf(root, how.ignored);
  model result;
  result.name = std::move(name);
  result.as_read = how;
  try {
    const image_body image = image_body_of(root, how.part);
    require_map(image, result.name, how);
    if (image.type != nullptr)
      read_image_type(image, result, how);
    else if (const std::optional<json> keys = keys_of_phi3(root)) {
      config_reader(*keys, result, how).read();
      result.grid = grid::family_named("one-line");
    } else
      config_reader(root, result, how).read();
  } catch (const std::invalid_argument& error) {
    const std::string said = in_words_of_gguf(root, error.what());
    if (said == error.what()) throw;
    throw std::invalid_argument(said);
  }
  if (is_mrope(result.axes)) result.fourth_row = fourth_row_of(root);
  for (fact& fact : result.facts) fact = in_words_of_gguf(root, std::move(fact));
  for (fact& fact : result.beside) fact = in_words_of_gguf(root, std::move(fact));
  for (std::string& warning : gguf_warnings_of(root)) result.warnings.push_back(std::move(warning));
  for (std::string& warning : result.warnings) warning = in_words_of_gguf(root, std::move(warning));
  result.config = root.dump();
  return result;
}

model read_model(const std::string& path, const reading& how) {
  return parse_model(config_text(path), path, how);
}

}  // namespace ropewalk::model
