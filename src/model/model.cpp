#include "model/model.hpp"

#include <sys/stat.h>

#include <cmath>
#include <string>

#include "model/bad_input.hpp"
#include "model/json_text.hpp"
#include "model/model_type.hpp"
#include "model/scaling_block.hpp"
#include "reader/input_file.hpp"

namespace ropewalk::model {
namespace {

std::string number_text(std::int64_t value) { return std::to_string(value); }

/// Reads one configuration: `body` is the object that holds the text model's keys.
class config_reader {
 public:
  config_reader(const json& root, model& result, given<pairing> override_pairing)
      : root_(root), body_(text_body(root)), result_(result), override_(override_pairing) {}

  void read() {
    find_type();
    warn_of_outer_values();
    find_block();
    find_head();
    find_base();
    find_lengths();
    result_.encoding.scaling = read_scaling(block_, prefix_, lengths_, story_);
    if (result_.encoding.scaling.rule == scaling_rule::none && block_.empty())
      note("rule default: no scaling block");
    validate(result_.layout, result_.encoding);
    warn_of_unread_keys();
    result_.source = text_in(root_, "_provenance");
    result_.notes = story_.notes;
    result_.warnings = story_.warnings;
  }

 private:
  static const json& text_body(const json& root) {
    const json& nested = value_of(root, "text_config");
    if (nested.is_null()) return root;
    if (!nested.is_object()) throw bad_input("text_config", shown(nested), "a JSON object");
    return nested;
  }

  void note(const std::string& line) { story_.notes.push_back(line); }
  void warn(const std::string& line) { story_.warnings.push_back(line); }

  void find_type() {
    result_.model_type = text_in(body_, "model_type");
    if (result_.model_type.empty()) result_.model_type = text_in(root_, "model_type");
    const model_type* listed = find_model_type(result_.model_type);
    type_ = listed != nullptr ? listed : &unlisted_type;
    const std::string named = result_.model_type.empty() ? "missing" : result_.model_type;
    if (listed == nullptr && !override_)
      throw bad_input("model_type", named, model_type_names() + ", or any with --pairing");
    const pairing layout = override_.value_or(type_->layout);
    result_.layout.pairing_in = result_.layout.pairing_out = layout;
    note("pairing " + std::string(name_of(layout)) + " from " +
         (override_ ? "--pairing" : "model_type " + named));
    if (listed != nullptr && override_ && override_.value != listed->layout)
      warn("--pairing is " + std::string(name_of(override_.value)) + " and model_type " + named + " has " +
           name_of(listed->layout) + ": --pairing is taken");
  }

  void warn_of_outer_values() {
    if (&body_ == &root_) return;
    note("keys from text_config");
    for (const auto& [key, outer] : root_.items()) {
      if (key == "model_type" || !is_about_positions(key) || outer.is_null()) continue;
      const json& inner = value_of(body_, key);
      if (inner != outer)
        warn(printable(key) + " is " + printable(shown(outer)) + " and text_config." + printable(key) +
             " is " + printable(shown(inner)) + ": text_config's is taken");
    }
  }

  /// rope_scaling unless it is empty, else the newer rope_parameters, as Hugging Face transformers chooses.
  void find_block() {
    const json& older = value_of(body_, "rope_scaling");
    const json& newer = value_of(body_, "rope_parameters");
    // Only null and {} say that there is no rule; anything else that is no object is refused below.
    const auto says_something = [](const json& block) {
      return !block.is_null() && !(block.is_object() && block.empty());
    };
    const bool has_older = says_something(older);
    const bool has_newer = says_something(newer);
    if (has_older && has_newer && older != newer)
      warn("rope_scaling is " + printable(shown(older)) + " and rope_parameters is " +
           printable(shown(newer)) + ": rope_scaling is taken");
    prefix_ = has_older || !has_newer ? "rope_scaling." : "rope_parameters.";
    const json& chosen = has_older ? older : newer;
    if (chosen.is_null()) return;
    if (!chosen.is_object())
      throw bad_input(prefix_.substr(0, prefix_.size() - 1), shown(chosen),
                      "a JSON object, or null for no rule");
    block_ = chosen;
    for (const auto& [key, value] : block_.items())
      if (value.is_object())
        throw bad_input(prefix_ + printable(key), shown(value), "one table for all layers");
  }

  void find_head() {
    const std::int64_t head_dim = find_head_dim();
    if (head_dim > largest_head_dim)
      throw bad_input("head_dim", number_text(head_dim), "a number from 1 to 65536");
    result_.layout.head_dim = static_cast<int>(head_dim);
    const std::int64_t rotary_dim = type_->rotary_dim.empty() ? rotary_dim_of(head_dim) : given_rotary_dim();
    if (rotary_dim > head_dim || rotary_dim < 2 || rotary_dim % 2 != 0)
      throw bad_input("rotary_dim", number_text(rotary_dim),
                      "an even number from 2 to head_dim " + number_text(head_dim));
    result_.encoding.rotary_dim = static_cast<int>(rotary_dim);
  }

  std::int64_t find_head_dim() {
    const given<std::int64_t> own = integer_in(body_, "head_dim", 1);
    const std::string width_key(type_->hidden_size);
    const std::string heads_key(type_->heads);
    const given<std::int64_t> width = integer_in(body_, width_key, 1);
    const given<std::int64_t> heads = integer_in(body_, heads_key, 1);
    if (own) {
      note("head_dim " + number_text(own.value) + " from head_dim");
      return own.value;
    }
    if (!width) throw bad_input(width_key, "missing", "a whole number above 0, or head_dim");
    if (!heads) throw bad_input(heads_key, "missing", "a whole number above 0, or head_dim");
    if (width.value % heads.value != 0)
      throw bad_input(width_key, number_text(width.value),
                      "a multiple of " + heads_key + " " + number_text(heads.value));
    note("head_dim " + number_text(width.value / heads.value) + " = " + width_key + " " +
         number_text(width.value) + " / " + heads_key + " " + number_text(heads.value));
    return width.value / heads.value;
  }

  std::int64_t given_rotary_dim() {
    const std::string key(type_->rotary_dim);
    const given<std::int64_t> value = integer_in(body_, key, 1);
    if (!value) throw bad_input(key, "missing", "an even number, at most head_dim");
    note("rotary_dim " + number_text(value.value) + " from " + key);
    return value.value;
  }

  std::int64_t rotary_dim_of(std::int64_t head_dim) {
    const std::string key(type_->rotary_part);
    const given<double> part = either(key, "partial_rotary_factor");
    if (!part && type_->rotary_part_is_required)
      throw bad_input(key, "missing", "a number above 0, at most 1");
    if (!part) {
      note("rotary_dim " + number_text(head_dim) + ": the whole head");
      return head_dim;
    }
    if (!(part.value > 0 && part.value <= 1))
      throw bad_input(key, shown(part.value), "a number above 0, at most 1");
    // The one product that is rounded: tensor shapes follow the binary64 value (0.3 x 80 is 24 there).
    const double product = static_cast<double>(head_dim) * part.value;
    const auto rotary_dim = static_cast<std::int64_t>(std::floor(product));
    note("rotary_dim " + number_text(rotary_dim) + " = head_dim " + number_text(head_dim) + " x " +
         shown(part.value));
    return rotary_dim;
  }

  /// A number of the top level, else the block's under its own name; the top level wins a conflict.
  given<double> either(const std::string& key, const std::string& block_key) {
    const given<double> outer = number_in(body_, key);
    const given<double> inner = number_in(block_, block_key, prefix_);
    if (outer && inner && outer.value != inner.value)
      warn(key + " is " + shown(outer.value) + " and " + prefix_ + block_key + " is " + shown(inner.value) +
           ": the top level's is taken");
    if (outer || inner)
      note(outer ? key + " " + shown(outer.value) + " from " + key
                 : key + " " + shown(inner.value) + " from " + prefix_ + block_key);
    return outer ? outer : inner;
  }

  void find_base() {
    const std::string key(type_->base);
    if (key.empty()) {
      result_.encoding.base = default_base;
      note("base " + shown(default_base) + ": model_type " + result_.model_type + " has no other");
      return;
    }
    const given<double> base = either(key, "rope_theta");
    if (base && !(base.value > 1 && base.value <= largest_number))
      throw bad_input(key, shown(base.value), "a finite number above 1");
    if (!base && !type_->base_defaults) throw bad_input(key, "missing", "a finite number above 1");
    if (!base)
      note("base " + shown(default_base) + ": no " + key + " is given, and model_type " + result_.model_type +
           " defaults to it");
    result_.encoding.base = base.value_or(default_base);
    result_.base_is_default = !base;
  }

  void find_lengths() {
    lengths_.max_position_embeddings = integer_in(body_, type_->positions, 1);
    lengths_.original_max_position_embeddings = integer_in(body_, "original_max_position_embeddings", 1);
    result_.max_position_embeddings = lengths_.max_position_embeddings.value_or(0);
  }

  /// Keys whose name says that they matter here: an unread one may mean another encoding.
  static bool is_about_positions(std::string_view key) {
    for (const std::string_view word : {"rope", "rotary", "position_embeddings", "head_dim", "alibi"})
      if (key.find(word) != std::string_view::npos) return true;
    return false;
  }

  bool is_read(std::string_view key) const {
    for (const std::string_view known :
         {type_->base, type_->rotary_dim, type_->rotary_part, type_->positions, std::string_view("head_dim"),
          std::string_view("rope_scaling"), std::string_view("rope_parameters"),
          std::string_view("original_max_position_embeddings")})
      if (key == known) return true;
    return false;
  }

  void warn_of_unread_keys() {
    for (const auto& [key, value] : body_.items())
      if (is_about_positions(key) && !is_read(key) && !value.is_null())
        warn(printable(key) + " is " + printable(shown(value)) + ": model_type " + result_.model_type +
             " has no such key, it is not used");
  }

  const json& root_;
  const json& body_;
  model& result_;
  given<pairing> override_;
  const model_type* type_ = nullptr;
  json block_ = json::object();
  std::string prefix_;
  lengths lengths_;
  story story_;
};

std::string config_path(const std::string& path) {
  struct stat status {};
  const bool is_directory = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_directory ? path + (path.ends_with('/') ? "" : "/") + "config.json" : path;
}

}  // namespace

model parse_model(std::string_view text, std::string name, given<pairing> override_pairing) {
  const json root = parse_object(text, "config", name);
  model result;
  result.name = std::move(name);
  config_reader(root, result, override_pairing).read();
  result.config = root.dump();
  return result;
}

model read_model(const std::string& path, given<pairing> override_pairing) {
  const std::string file = config_path(path);
  return parse_model(reader::read_text("config", file, largest_config), path, override_pairing);
}

model model_by_hand(double base, std::int64_t head_dim, std::int64_t rotary_dim, pairing layout,
                    std::string_view scaling_json) {
  if (head_dim < 1 || head_dim > largest_head_dim)
    throw bad_input("head_dim", number_text(head_dim), "a number from 1 to 65536");
  if (rotary_dim < 2 || rotary_dim % 2 != 0 || rotary_dim > head_dim)
    throw bad_input("rotary_dim", number_text(rotary_dim),
                    "an even number from 2 to head_dim " + number_text(head_dim));
  model result;
  result.name = "by hand";
  result.encoding.base = base;
  result.encoding.rotary_dim = static_cast<int>(rotary_dim);
  result.layout = {static_cast<int>(head_dim), layout, layout};
  json config = {
      {"base", base}, {"head_dim", head_dim}, {"rotary_dim", rotary_dim}, {"pairing", name_of(layout)}};
  if (!scaling_json.empty()) {
    config["rope_scaling"] = parse_object(scaling_json, "scaling", std::string(scaling_json));
    story story;
    result.encoding.scaling = read_scaling(config["rope_scaling"], "scaling.", {}, story);
    result.notes = story.notes;
    result.warnings = story.warnings;
  }
  validate(result.layout, result.encoding);
  result.config = config.dump();
  return result;
}

}  // namespace ropewalk::model
