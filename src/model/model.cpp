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
#include "model/chosen_block.hpp"
#include "model/config_file.hpp"
#include "model/config_reader.hpp"
#include "model/gguf_architectures.hpp"
#include "model/gguf_config.hpp"
#include "model/image_types.hpp"
#include "model/layers.hpp"
#include "model/model_type.hpp"
#include "model/other_types.hpp"
#include "model/refused_types.hpp"

namespace ropewalk::model {

using namespace input;

void config_reader::read() {
  find_type();
  warn_of_outer_values();
  const chosen_block chosen = choose_block(body_, *type_, result_.model_type, how_, sources_);
  block_ = chosen.block;
  prefix_ = chosen.prefix;
  result_.layer_type = chosen.kind;
  is_second_ = chosen.is_second;
  is_nested_ = chosen.is_nested;
  find_lengths();
  find_head();
  find_base();
  result_.encoding.scaling = read_scaling(block_, prefix_, lengths_, sources_);
  refuse_rule_of_others();
  if (type_->null_table_is_default && !is_nested_ && value_of(block_, "rope_type").is_null() &&
      !value_of(block_, "type").is_null() && !result_.encoding.scaling.is<unscaled>())
    sources_.warn(
        prefix_ + "type is " + text_in(block_, "type", prefix_) +
        ": taken, as the weights want; transformers 5 reads rope_type alone, and takes rule default");
  find_axes();
  if (block_.empty()) sources_.add("rule", "default", "no scaling block");
  validate(result_.layout, result_.encoding);
  result_.queries = read_scaled_queries(body_, block_, prefix_, *type_, sources_);
  report_remarks();
  report_indexer();
  refuse_unread_keys();
  result_.source = text_in(root_, "_provenance");
  result_.facts = sources_.facts;
  result_.warnings = sources_.warnings;
}

void config_reader::find_type() {
  result_.model_type = text_.model_type;
  const model_type* listed = find_model_type(result_.model_type);
  is_listed_ = listed != nullptr;
  const model_type& unlisted =
      result_.model_type.starts_with(gguf_type_prefix) ? unlisted_gguf_type() : unlisted_type;
  type_ = is_listed_ ? listed : &unlisted;
  const std::string named = result_.model_type.empty() ? "missing" : result_.model_type;
  refuse_what_does_not_rotate(root_, body_, result_.model_type, !how_.layout);
  sources_.add("model_type", named, text_.type_origin);
  find_pairing(named);
}

void config_reader::find_pairing(const std::string& named) {
  const std::string key(type_->interleaves);
  const bool is_split = !key.empty() && !flag_in(body_, key).value_or(true);
  const pairing own = is_split ? pairing::half_split : type_->layout;
  const bool crosses = type_->writes_half_split && !how_.layout;
  result_.layout.pairing_in = how_.layout.value_or(own);
  result_.layout.pairing_out = crosses ? pairing::half_split : result_.layout.pairing_in;
  result_.doubled = type_->doubles_by_halves ? pairing::half_split : result_.layout.pairing_out;
  const std::string origin = "model_type " + named + (is_split ? ", " + key + " false" : "");
  sources_.add("pairing", pairing_text(result_.layout), how_.layout ? "--pairing" : origin);
  const head_layout by_type{0, own, type_->writes_half_split ? pairing::half_split : own};
  if (is_listed_ && how_.layout && pairing_text(by_type) != pairing_text(result_.layout))
    sources_.warn("--pairing is " + std::string(name_of(how_.layout.value)) + " and model_type " + named +
                  " has " + pairing_text(by_type) + ": --pairing is taken");
}

void config_reader::refuse_rule_of_others() {
  const std::string name(name_of(result_.encoding.scaling));
  const std::string_view has = type_->rules;
  if (has.empty()) return;
  std::string allowed;
  for (std::size_t at = 0; at < has.size();) {
    const std::size_t end = std::min(has.find(' ', at), has.size());
    if (has.substr(at, end - at) == name) return;
    allowed += (allowed.empty() ? "" : ", ") + std::string(has.substr(at, end - at));
    at = end + 1;
  }
  throw bad_input(prefix_ + "rope_type", name,
                  allowed + ": model_type " + result_.model_type + " has no other");
}

void config_reader::find_axes() {
  result_.axes = read_axes(block_, prefix_, {lengths_.pairs, type_->axes, type_->missing_sections});
  report_axes(result_.axes,
              value_of(block_, "mrope_section").is_null()
                  ? "no mrope_section is given: model_type " + result_.model_type + "'s own"
                  : prefix_ + "mrope_section",
              sources_);
  if (is_mrope(result_.axes) && is_listed_ && !type_->axes)
    throw bad_input(prefix_ + "mrope_section", shown(value_of(block_, "mrope_section")),
                    "none: model_type " + result_.model_type + " has one axis");
}

void config_reader::report_remarks() {
  const std::string origin = "model_type " + result_.model_type;
  for (const auto& [name, text] :
       {std::pair{"norm", type_->norm}, std::pair{"query factor", type_->query_factor},
        std::pair{"remark", type_->remark}})
    if (!text.empty()) sources_.add(name, "beside the rotation", std::string(text) + " (" + origin + ")");
  const auto& [head_dim, rotary_dim] = std::pair(result_.layout.head_dim, result_.encoding.rotary_dim);
  std::string other;
  const bool reads_part = !type_->rotary_dim.empty();  // but no rotary_dim
  const int of_code = !type_->other_turns_all ? rotary_dim
                      : reads_part            ? rotary_dim_of_code(head_dim)
                                              : head_dim;
  if (of_code != rotary_dim) other = fmt::format("rotary_dim {}", of_code);
  const bool is_in_block = !value_of(block_, "rope_theta").is_null();
  if (type_->other_base > 0 && type_->other_base != result_.encoding.base && !is_in_block)
    other = "base " + shown(type_->other_base);
  if (!other.empty())
    sources_.add("other reading", other,
                 std::string(type_->other_code) + "; the published weights want the numbers above");
}

void config_reader::report_indexer() {
  const auto note = [&](const char* name, std::string value, const std::string& key) {
    sources_.add(name, std::move(value), key);
    result_.beside.push_back(sources_.facts.back());
  };
  for (const auto& [key, name] :
       {std::pair("index_n_heads", "indexer heads"), std::pair("index_head_dim", "indexer head_dim"),
        std::pair("index_topk", "indexer keys")})
    if (const json& item = value_of(body_, key); item.is_number_integer() && item > 0)
      note(name, shown(item), key);
  const json& ratios = value_of(body_, "compress_ratios");
  if (!ratios.is_array()) return;
  const std::int64_t layers = layers_in(body_);
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
  const std::string key(type_->positions);
  lengths_.longest_name = key;
  lengths_.ignored = &how_.ignored;
  lengths_.needs_mscales = type_->needs_mscales;
  lengths_.has_alpha = type_->has_alpha;
  lengths_.has_query_scale = type_->query_scale.is_in_scaling_block;
  lengths_.is_yarn_longrope = type_->is_yarn_longrope;
  lengths_.max_position_embeddings = integer_in(body_, key, 1);
  // A block with one table per kind of layers ignores the top level's values.
  if (!is_nested_)
    lengths_.original_max_position_embeddings = integer_in(body_, "original_max_position_embeddings", 1);
  result_.max_position_embeddings = lengths_.max_position_embeddings.value_or(0);
  if (lengths_.max_position_embeddings)
    sources_.add("max_position_embeddings", number_text(result_.max_position_embeddings), key);
}

namespace {

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
