#include "model/model.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "input/json_text.hpp"
#include "input/unknown_name.hpp"
#include "model/axes_block.hpp"
#include "model/model_type.hpp"
#include "model/scaling_block.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

std::string number_text(std::int64_t value) { return std::to_string(value); }

constexpr std::int64_t largest_head_count = 1024;  // no model has more; larger counts are ignored

constexpr const char* full_attention = "full_attention";
constexpr const char* sliding_attention = "sliding_attention";

/// Reads one configuration: `body` is the object that holds the text model's keys.
class config_reader {
 public:
  config_reader(const json& root, model& result, const reading& how)
      : root_(root), body_(text_body(root)), result_(result), how_(how) {}

  void read() {
    find_type();
    warn_of_outer_values();
    find_block();
    find_lengths();
    find_head();
    find_base();
    result_.encoding.scaling = read_scaling(block_, prefix_, lengths_, story_);
    result_.axes = read_axes(block_, prefix_, lengths_.pairs);
    if (block_.empty()) story_.add("rule", "default", "no scaling block");
    validate(result_.layout, result_.encoding);
    warn_of_unread_keys();
    result_.source = text_in(root_, "_provenance");
    result_.facts = story_.facts;
    result_.warnings = story_.warnings;
  }

 private:
  static const json& text_body(const json& root) {
    const json& nested = value_of(root, "text_config");
    if (nested.is_null()) return root;
    if (!nested.is_object()) throw bad_input("text_config", shown(nested), "a JSON object");
    return nested;
  }

  void find_type() {
    result_.model_type = text_in(body_, "model_type");
    if (result_.model_type.empty()) result_.model_type = text_in(root_, "model_type");
    const model_type* listed = find_model_type(result_.model_type);
    type_ = listed != nullptr ? listed : &unlisted_type;
    const std::string named = result_.model_type.empty() ? "missing" : result_.model_type;
    if (listed == nullptr && !how_.layout) refuse_type();
    if (!type_->not_built.empty()) throw bad_input("model_type", named, std::string(type_->not_built));
    if (flag_in(body_, "alibi").value_or(false) || flag_in(root_, "alibi").value_or(false) ||
        text_in(body_, "position_embedding_type") == "alibi")
      throw bad_input("alibi", "true", "false: ALiBi models do not rotate");
    story_.add("model_type", named, "model_type");
    find_pairing(named);
  }

  /// Refuses a model type that is not listed, or none.
  [[noreturn]] void refuse_type() const {
    const std::vector<std::string> names = model_type_names();
    const std::string all = fmt::format("one of {} types", names.size());
    if (result_.model_type.empty())
      throw bad_input("model_type", "missing", all + ", as \"llama\"; --pairing reads any configuration");
    const std::optional<std::string> nearest = nearest_name(result_.model_type, names);
    throw bad_input("model_type", result_.model_type,
                    all + (nearest ? ", the nearest " + *nearest : "") + "; --pairing reads any");
  }

  void find_pairing(const std::string& named) {
    const std::string key(type_->interleaves);
    const bool is_split = !key.empty() && !flag_in(body_, key).value_or(true);
    const pairing own = is_split ? pairing::half_split : type_->layout;
    const bool crosses = type_->writes_half_split && !how_.layout;
    result_.layout.pairing_in = how_.layout.value_or(own);
    result_.layout.pairing_out = crosses ? pairing::half_split : result_.layout.pairing_in;
    result_.doubled = type_->doubles_by_halves ? pairing::half_split : result_.layout.pairing_out;
    const std::string origin = "model_type " + named + (is_split ? ", " + key + " false" : "");
    story_.add("pairing", pairing_text(result_.layout), how_.layout ? "--pairing" : origin);
    const head_layout by_type{0, own, type_->writes_half_split ? pairing::half_split : own};
    if (type_ != &unlisted_type && how_.layout && pairing_text(by_type) != pairing_text(result_.layout))
      story_.warn("--pairing is " + std::string(name_of(how_.layout.value)) + " and model_type " + named +
                  " has " + pairing_text(by_type) + ": --pairing is taken");
  }

  void warn_of_outer_values() {
    if (&body_ == &root_) return;
    story_.add("keys", "nested", "text_config");
    for (const auto& [key, outer] : root_.items()) {
      if (key == "model_type" || !is_about_positions(key) || outer.is_null()) continue;
      const json& inner = value_of(body_, key);
      if (inner != outer)
        story_.warn(printable(key) + " is " + printable(shown(outer)) + " and text_config." + printable(key) +
                    " is " + printable(shown(inner)) + ": text_config's is taken");
    }
  }

  /// Chooses rope_scaling unless it is empty, else the newer rope_parameters, as Hugging Face transformers
  /// does; then the table of the requested layers in it.
  void find_block() {
    const json& older = value_of(body_, "rope_scaling");
    const json& newer = value_of(body_, "rope_parameters");
    // Only null and {} mean that there is no rule; any other value that is not an object is refused below.
    const auto says_something = [](const json& block) {
      return !block.is_null() && !(block.is_object() && block.empty());
    };
    const bool has_older = says_something(older);
    const bool has_newer = says_something(newer);
    if (has_older && has_newer && older != newer)
      story_.warn("rope_scaling is " + printable(shown(older)) + " and rope_parameters is " +
                  printable(shown(newer)) + ": rope_scaling is taken");
    prefix_ = has_older || !has_newer ? "rope_scaling." : "rope_parameters.";
    const json& chosen = has_older ? older : newer;
    if (!chosen.is_null() && !chosen.is_object())
      throw bad_input(prefix_.substr(0, prefix_.size() - 1), shown(chosen),
                      "a JSON object, or null for no rule");
    if (!chosen.is_null()) block_ = chosen;
    find_layers();
  }

  void find_layers() {
    const std::string wanted = how_.layer_type.empty() ? full_attention : how_.layer_type;
    if (wanted != full_attention && wanted != sliding_attention)
      throw bad_input("layer-type", wanted, "sliding_attention, full_attention");
    std::string tables;
    for (const auto& [key, value] : block_.items())
      if (value.is_object()) tables += (tables.empty() ? "" : ", ") + printable(key);
    if (tables.empty() && !type_->has_layer_types) {
      if (!how_.layer_type.empty())
        throw bad_input("layer-type", wanted, "none: the configuration has one table for all layers");
      return;
    }
    result_.layer_type = wanted;
    is_sliding_ = wanted == sliding_attention;
    story_.add("layers", wanted, how_.layer_type.empty() ? "the default" : "--layer-type");
    if (tables.empty() && type_->has_tables)
      throw bad_input("rope_parameters." + wanted, "missing", "a JSON object: the rule of these layers");
    if (!tables.empty()) {
      for (const auto& [key, value] : block_.items())
        if (!value.is_object() && !value.is_null())
          story_.warn(prefix_ + printable(key) + " is " + printable(shown(value)) +
                      ": not used, as each kind of layer has its own table");
      const json table = value_of(block_, wanted);
      prefix_ += wanted + ".";
      if (!table.is_object())
        throw bad_input(prefix_.substr(0, prefix_.size() - 1), table.is_null() ? "missing" : shown(table),
                        tables);
      block_ = table;
    } else if (is_sliding_) {
      block_ = json::object();  // the block is that of full_attention layers
    }
  }

  void find_head() {
    const std::int64_t head_dim = find_head_dim();
    if (head_dim > largest_head_dim)
      throw bad_input("head_dim", number_text(head_dim), "a number from 1 to 65536");
    result_.layout.head_dim = static_cast<int>(head_dim);
    lengths_.head_dim = result_.layout.head_dim;
    const std::int64_t rotary_dim = find_rotary_dim(head_dim);
    if (rotary_dim > head_dim || rotary_dim < 2 || rotary_dim % 2 != 0)
      throw bad_input("rotary_dim", number_text(rotary_dim) + rotary_origin_,
                      "an even number from 2 to head_dim " + number_text(head_dim));
    result_.encoding.rotary_dim = static_cast<int>(rotary_dim);
    lengths_.pairs = result_.encoding.rotary_dim / 2;
    find_latent_channels(head_dim);
    find_head_counts();
  }

  /// Reads the head counts, which test cases use and tables do not. Latent attention rotates one key head.
  void find_head_counts() {
    const auto count = [&](std::string_view key) {
      const std::int64_t given = integer_in(body_, std::string(key), 1).value_or(0);
      return given <= largest_head_count ? static_cast<int>(given) : 0;
    };
    result_.query_heads = count(type_->heads);
    result_.key_heads = is_latent() ? 1 : count(type_->key_heads);
    if (result_.key_heads == 0) result_.key_heads = result_.query_heads;
  }

  std::int64_t find_head_dim() {
    const bool slides = is_sliding_ && !type_->sliding_head_dim.empty();
    const std::string own_key(slides ? type_->sliding_head_dim : type_->head_dim);
    const std::string width_key(type_->hidden_size);
    const std::string heads_key(type_->heads);
    const given<std::int64_t> own = integer_in(body_, own_key, 1);
    const given<std::int64_t> width = integer_in(body_, width_key, 1);
    const given<std::int64_t> heads = integer_in(body_, heads_key, 1);
    if (own) {
      story_.add("head_dim", number_text(own.value),
                 own_key + (is_latent() ? ", the part of query and key that rotates" : ""));
      return own.value;
    }
    if (is_latent() || !type_->sliding_head_dim.empty())
      throw bad_input(own_key, "missing", "a whole number above 0");
    if (!width) throw bad_input(width_key, "missing", "a whole number above 0, or " + own_key);
    if (!heads) throw bad_input(heads_key, "missing", "a whole number above 0, or " + own_key);
    if (width.value % heads.value != 0)
      throw bad_input(width_key, number_text(width.value),
                      "a multiple of " + heads_key + " " + number_text(heads.value));
    story_.add(
        "head_dim", number_text(width.value / heads.value),
        width_key + " " + number_text(width.value) + " / " + heads_key + " " + number_text(heads.value));
    return width.value / heads.value;
  }

  bool is_latent() const { return !type_->unrotated_dim.empty(); }

  void find_latent_channels(std::int64_t head_dim) {
    if (!is_latent()) return;
    const std::string key(type_->unrotated_dim);
    const given<std::int64_t> others = integer_in(body_, key, 0);
    if (!others) return;
    if (others.value > largest_head_dim)
      throw bad_input(key, number_text(others.value), "a number up to 65536");
    result_.latent_channels = static_cast<int>(head_dim + others.value);
    story_.add("query channels", number_text(result_.latent_channels),
               key + " " + number_text(others.value) + " + " + std::string(type_->head_dim) + " " +
                   number_text(head_dim));
  }

  std::int64_t find_rotary_dim(std::int64_t head_dim) {
    if (!type_->rotary_dim.empty()) return given_rotary_dim();
    const given<double> part = rotary_part();
    if (!block_.empty() && rule_of(block_, prefix_).is<proportional>()) {
      lengths_.partial_rotary_factor = part;
      story_.add("rotary_dim", number_text(head_dim),
                 "the whole head: rule proportional leaves pairs out itself");
      return head_dim;
    }
    return part ? part_of(head_dim, part.value) : rotary_dim_of_type(head_dim);
  }

  std::int64_t given_rotary_dim() {
    const std::string key(type_->rotary_dim);
    const given<std::int64_t> value = integer_in(body_, key, 1);
    if (!value) throw bad_input(key, "missing", "an even number, at most head_dim");
    story_.add("rotary_dim", number_text(value.value), key);
    return value.value;
  }

  given<double> rotary_part() {
    if (type_->rotary_part.empty()) return {};
    const std::string key(type_->rotary_part);
    const given<double> part = either(key, "partial_rotary_factor");
    is_block_part_read_ = true;
    if (part && !(part.value > 0 && part.value <= 1))
      throw bad_input(key, shown(part.value), "a number above 0, at most 1");
    if (!part && type_->missing_part == 0) throw bad_input(key, "missing", "a number above 0, at most 1");
    return part;
  }

  std::int64_t part_of(std::int64_t head_dim, double part) {
    // Rounded to binary64 on purpose, as tensor shapes follow that product (0.3 x 80 is 24 in binary64).
    const double product = static_cast<double>(head_dim) * part;
    const auto rotary_dim = static_cast<std::int64_t>(std::floor(product));
    const std::string formula = "floor(head_dim " + number_text(head_dim) + " x " + shown(part) + ")";
    rotary_origin_ = " = " + formula;
    story_.add("rotary_dim", number_text(rotary_dim), formula);
    return rotary_dim;
  }

  /// rotary_dim where no part is given: the default of the model type's own code.
  std::int64_t rotary_dim_of_type(std::int64_t head_dim) {
    if (type_->missing_part != 1) {
      const std::int64_t rotary_dim = part_of(head_dim, type_->missing_part);
      story_.facts.back().origin += ", the part of model_type " + result_.model_type;
      return rotary_dim;
    }
    story_.add("rotary_dim", number_text(head_dim), "the whole head");
    return head_dim;
  }

  /// The number at the top level, else the block's, under its own key. The top level wins a conflict, unless
  /// `of_others`: its key then belongs to other layers.
  given<double> either(const std::string& key, const std::string& block_key, bool of_others = false) {
    const given<double> inner = number_in(block_, block_key, prefix_);
    const given<double> outer = of_others && inner ? given<double>{} : number_in(body_, key);
    if (outer && inner && outer.value != inner.value)
      story_.warn(key + " is " + shown(outer.value) + " and " + prefix_ + block_key + " is " +
                  shown(inner.value) + ": the top level's is taken");
    if (outer || inner) origin_ = outer ? key : prefix_ + block_key;
    return outer ? outer : inner;
  }

  void find_base() {
    const std::string key(is_sliding_ && !type_->sliding_base.empty() ? type_->sliding_base : type_->base);
    if (key.empty()) return fixed_base();
    const given<double> base = either(key, "rope_theta", is_sliding_ && type_->sliding_base.empty());
    is_block_base_read_ = true;
    if (base && !(base.value > 1 && base.value <= largest_number))
      throw bad_input(origin_, shown(base.value), "a finite number above 1");
    const bool defaults = type_->base_defaults || (is_sliding_ && !type_->sliding_base.empty());
    if (!base && !defaults) throw bad_input(key, "missing", "a finite number above 1");
    story_.add(
        "base", shown(base.value_or(default_base)),
        base ? origin_ : "no " + key + " is given, and model_type " + result_.model_type + " defaults to it");
    result_.encoding.base = base.value_or(default_base);
    result_.base_is_default = !base;
  }

  /// The base of a type without a key for it: 10000, times a ratio if the type has a key for one.
  void fixed_base() {
    result_.encoding.base = default_base;
    const std::string key(type_->base_ratio);
    const given<double> ratio = key.empty() ? given<double>{} : number_in(body_, key);
    if (!ratio) {
      story_.add("base", shown(default_base), "model_type " + result_.model_type + " has no other");
      return;
    }
    const double base = default_base * ratio.value;
    if (!(base > 1 && base <= largest_number))
      throw bad_input(key, shown(ratio.value), "a finite number above 1 / 10000");
    if (std::fma(default_base, ratio.value, -base) != 0)
      story_.warn(key + " is " + shown(ratio.value) + ": 10000 x it is rounded to " + shown(base));
    story_.add("base", shown(base), shown(default_base) + " x " + key + " " + shown(ratio.value));
    result_.encoding.base = base;
  }

  void find_lengths() {
    const std::string key(type_->positions);
    lengths_.longest_name = key;
    lengths_.needs_mscales = type_->needs_mscales;
    lengths_.max_position_embeddings = integer_in(body_, key, 1);
    lengths_.original_max_position_embeddings = integer_in(body_, "original_max_position_embeddings", 1);
    result_.max_position_embeddings = lengths_.max_position_embeddings.value_or(0);
    if (lengths_.max_position_embeddings)
      story_.add("max_position_embeddings", number_text(result_.max_position_embeddings), key);
  }

  /// Whether a key's name suggests that it affects positions: if unread, it may mean another encoding.
  static bool is_about_positions(std::string_view key) {
    for (const std::string_view word :
         {"rope", "rotary", "position_embeddings", "head_dim", "alibi", "ntk", "attn_temperature"})
      if (key.find(word) != std::string_view::npos) return true;
    return false;
  }

  bool is_read(std::string_view key) const {
    for (const std::string_view known :
         {type_->base, type_->interleaves, type_->rotary_dim, type_->rotary_part, type_->positions,
          type_->head_dim, type_->base_ratio, type_->unrotated_dim, type_->sliding_base,
          type_->sliding_head_dim, std::string_view("head_dim"), std::string_view("rope_scaling"),
          std::string_view("rope_parameters"), std::string_view("alibi"),
          std::string_view("original_max_position_embeddings")})
      if (key == known) return true;
    return false;
  }

  void warn_of_unread(const std::string& key, const json& value, const std::string& why) {
    if (!value.is_null())
      story_.warn(key + " is " + printable(shown(value)) + ": " + why + ", it is not used");
  }

  void warn_of_unread_keys() {
    const std::string no_key = "model_type " + result_.model_type + " has no such key";
    if (!is_block_base_read_) warn_of_unread(prefix_ + "rope_theta", value_of(block_, "rope_theta"), no_key);
    if (!is_block_part_read_)
      warn_of_unread(prefix_ + "partial_rotary_factor", value_of(block_, "partial_rotary_factor"), no_key);
    warn_of_unread(prefix_ + "max_position_embeddings", value_of(block_, "max_position_embeddings"),
                   "the top level's is read");
    const rope_scaling& rule = result_.encoding.scaling;
    if (!rule.is<unscaled>() && original_length_of(rule) == 0)
      warn_of_unread("original_max_position_embeddings", value_of(body_, "original_max_position_embeddings"),
                     "rule " + std::string(name_of(rule)) + " does not depend on it");
    for (const auto& [key, value] : body_.items())
      if (is_about_positions(key) && !is_read(key) && !value.is_null())
        story_.warn(printable(key) + " is " + printable(shown(value)) + ": model_type " + result_.model_type +
                    " has no such key, it is not used");
  }

  const json& root_;
  const json& body_;
  model& result_;
  const reading& how_;
  const model_type* type_ = nullptr;
  json block_ = json::object();
  std::string prefix_;
  std::string origin_;         // of the number that either() gave
  std::string rotary_origin_;  // " = formula" where rotary_dim is a product
  bool is_sliding_ = false;
  bool is_block_base_read_ = false;
  bool is_block_part_read_ = false;
  lengths lengths_;
  story story_;
};

std::string config_path(const std::string& path) {
  struct stat status {};
  const bool is_directory = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_directory ? path + (path.ends_with('/') ? "" : "/") + "config.json" : path;
}

}  // namespace

model parse_model(std::string_view text, std::string name, const reading& how) {
  const json root = parse_object(text, "config", name);
  model result;
  result.name = std::move(name);
  config_reader(root, result, how).read();
  result.config = root.dump();
  return result;
}

model read_model(const std::string& path, const reading& how) {
  const std::string file = config_path(path);
  return parse_model(input::read_text("config", file, largest_config), path, how);
}

}  // namespace ropewalk::model
