#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "input/number.hpp"
#include "input/unknown_name.hpp"
#include "model/axes_block.hpp"
#include "model/chosen_block.hpp"
#include "model/class_widths.hpp"
#include "model/config_file.hpp"
#include "model/gguf_architectures.hpp"
#include "model/gguf_config.hpp"
#include "model/key_words.hpp"
#include "model/layers.hpp"
#include "model/model_type.hpp"
#include "model/other_types.hpp"
#include "model/refused_types.hpp"
#include "model/scaling_block.hpp"
#include "model/text_body.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

std::string number_text(std::int64_t value) { return std::to_string(value); }

constexpr std::int64_t largest_head_count = 1024;  // no model has more; larger counts are ignored

/// Reads one configuration, of one kind of its layers.
class config_reader {
 public:
  config_reader(const json& root, model& result, const reading& how)
      : root_(root), text_(text_body_of(root)), body_(*text_.keys), result_(result), how_(how) {}

  void read() {
    find_type();
    warn_of_outer_values();
    const chosen_block chosen = choose_block(body_, *type_, result_.model_type, how_, story_);
    block_ = chosen.block;
    prefix_ = chosen.prefix;
    result_.layer_type = chosen.kind;
    is_second_ = chosen.is_second;
    is_nested_ = chosen.is_nested;
    find_lengths();
    find_head();
    find_base();
    result_.encoding.scaling = read_scaling(block_, prefix_, lengths_, story_);
    refuse_rule_of_others();
    if (type_->null_table_is_default && !is_nested_ && value_of(block_, "rope_type").is_null() &&
        !value_of(block_, "type").is_null() && !result_.encoding.scaling.is<unscaled>())
      story_.warn(
          prefix_ + "type is " + text_in(block_, "type", prefix_) +
          ": taken, as the weights want; transformers 5 reads rope_type alone, and takes rule default");
    find_axes();
    if (block_.empty()) story_.add("rule", "default", "no scaling block");
    validate(result_.layout, result_.encoding);
    result_.queries = read_scaled_queries(body_, block_, prefix_, *type_, story_);
    tell_remarks();
    tell_indexer();
    refuse_unread_keys();
    result_.source = text_in(root_, "_provenance");
    result_.facts = story_.facts;
    result_.warnings = story_.warnings;
  }

 private:
  void find_type() {
    result_.model_type = text_.model_type;
    const model_type* listed = find_model_type(result_.model_type);
    is_listed_ = listed != nullptr;
    const model_type& unlisted =
        result_.model_type.starts_with(gguf_type_prefix) ? unlisted_gguf_type() : unlisted_type;
    type_ = is_listed_ ? listed : &unlisted;
    const std::string named = result_.model_type.empty() ? "missing" : result_.model_type;
    refuse_what_does_not_rotate(root_, body_, result_.model_type, !how_.layout);
    story_.add("model_type", named, text_.type_origin);
    find_pairing(named);
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
    if (is_listed_ && how_.layout && pairing_text(by_type) != pairing_text(result_.layout))
      story_.warn("--pairing is " + std::string(name_of(how_.layout.value)) + " and model_type " + named +
                  " has " + pairing_text(by_type) + ": --pairing is taken");
  }

  void warn_of_outer_values() {
    if (text_.path.empty()) return;
    story_.add("keys", "nested", text_.path);
    if (!text_.defaults.empty())
      story_.add("defaults", text_.defaults, "the wrapper's own, as " + text_.path + " lacks them");
    for (const auto& [key, outer] : root_.items()) {
      const bool is_block = key == "rope_scaling" || key == "rope_parameters";
      if (key == "model_type" || !is_about_positions(key) || says_nothing(outer)) continue;
      if (outer.is_object() && !is_block) continue;
      const json& inner = value_of(body_, key);
      if (inner != outer)
        story_.warn(printable(key) + " is " + printable(shown(outer)) + " and " + text_.path + "." +
                    printable(key) + " is " + printable(shown(inner)) + ": " + text_.path + "'s is taken");
    }
  }

  /// Refuses a rule that the type's own code does not have.
  void refuse_rule_of_others() {
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

  void find_axes() {
    result_.axes = read_axes(block_, prefix_, {lengths_.pairs, type_->axes, type_->missing_sections});
    tell_axes(result_.axes,
              value_of(block_, "mrope_section").is_null()
                  ? "no mrope_section is given: model_type " + result_.model_type + "'s own"
                  : prefix_ + "mrope_section",
              story_);
    if (is_mrope(result_.axes) && is_listed_ && type_->axes == axis_rule::text)
      throw bad_input(prefix_ + "mrope_section", shown(value_of(block_, "mrope_section")),
                      "none: model_type " + result_.model_type + " has one axis");
  }

  void tell_remarks() {
    const std::string origin = "model_type " + result_.model_type;
    for (const auto& [name, text] :
         {std::pair{"norm", type_->norm}, std::pair{"query factor", type_->query_factor},
          std::pair{"remark", type_->remark}})
      if (!text.empty()) story_.add(name, "beside the rotation", std::string(text) + " (" + origin + ")");
    const auto& [head_dim, rotary_dim] = std::pair(result_.layout.head_dim, result_.encoding.rotary_dim);
    std::string other;
    const bool reads_part = !type_->rotary_dim.empty();  // and no rotary_dim
    const int of_code = !type_->other_turns_all ? rotary_dim
                        : reads_part            ? rotary_dim_of_code(head_dim)
                                                : head_dim;
    if (of_code != rotary_dim) other = fmt::format("rotary_dim {}", of_code);
    const bool is_in_block = !value_of(block_, "rope_theta").is_null();
    if (type_->other_base > 0 && type_->other_base != result_.encoding.base && !is_in_block)
      other = "base " + shown(type_->other_base);
    if (!other.empty())
      story_.add("other reading", other,
                 std::string(type_->other_code) + "; the published weights want the numbers above");
  }

  /// Tells numbers that decide which keys a query sees, not how it turns.
  void tell_indexer() {
    const auto tell = [&](const char* name, std::string value, const std::string& key) {
      story_.add(name, std::move(value), key);
      result_.beside.push_back(story_.facts.back());
    };
    for (const auto& [key, name] :
         {std::pair("index_n_heads", "indexer heads"), std::pair("index_head_dim", "indexer head_dim"),
          std::pair("index_topk", "indexer keys")})
      if (const json& found = value_of(body_, key); found.is_number_integer() && found > 0)
        tell(name, shown(found), key);
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
    if (!text.empty()) tell("compress ratios", text, "compress_ratios");
  }

  /// The channels that code turns which takes the share of a block, or of the top level, and no rotary_dim.
  int rotary_dim_of_code(int head_dim) const {
    given<double> part = number_in(block_, "partial_rotary_factor", prefix_);
    if (!part) part = number_in(body_, "partial_rotary_factor");
    return part && part.value > 0 && part.value <= 1 ? static_cast<int>(std::floor(head_dim * part.value))
                                                     : head_dim;
  }

  void find_head() {
    const std::int64_t head_dim = find_head_dim();
    if (head_dim > largest_head_dim)
      throw bad_input("head_dim", number_text(head_dim), "a number from 1 to 65536");
    result_.layout.head_dim = static_cast<int>(head_dim);
    lengths_.head_dim = result_.layout.head_dim;
    const std::int64_t rotary_dim = chosen_rotary_dim(head_dim);
    if (rotary_dim > head_dim || rotary_dim < 2 || rotary_dim % 2 != 0)
      throw bad_input("rotary_dim", number_text(rotary_dim) + rotary_origin_,
                      "an even number from 2 to head_dim " + number_text(head_dim));
    result_.encoding.rotary_dim = static_cast<int>(rotary_dim);
    lengths_.pairs = result_.encoding.rotary_dim / 2;
    if (type_->rotates_last && rotary_dim < head_dim) {
      result_.layout.rotary_begin = static_cast<int>(head_dim - rotary_dim);
      story_.add("rotary_begin", number_text(result_.layout.rotary_begin),
                 "model_type " + result_.model_type + " rotates the last channels of a head");
    }
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

  /// Refuses a number given beside the configuration where that says another one.
  template <class Number>
  static void require_alike(const char* option, const given<Number>& beside, Number found,
                            const std::string& origin) {
    const auto text = [](Number number) {
      return std::is_floating_point_v<Number> ? shown(static_cast<double>(number))
                                              : number_text(static_cast<std::int64_t>(number));
    };
    if (beside && beside.value != found)
      throw bad_input(option, text(beside.value), text(found) + ", as " + origin + " says");
  }

  /// A number given beside the configuration is of the layers with full attention, where others have theirs.
  template <class Number>
  given<Number> beside_of_this_kind(const char* option, given<Number> beside, bool is_of_others) {
    if (!is_of_others || !beside) return is_of_others ? given<Number>{} : beside;
    if (how_.is_of_plan) {
      story_.warn(std::string("--") + option + " is of the layers with full attention: not used");
      return {};
    }
    throw bad_input(option, shown(static_cast<double>(beside.value)),
                    "none for " + result_.layer_type + " layers: it is of the others");
  }

  std::int64_t head_dim_beside() {
    story_.add("head_dim", number_text(how_.beside.head_dim.value), "--head-dim, as the file has none");
    return how_.beside.head_dim.value;
  }

  std::int64_t find_head_dim() {
    const bool is_other = is_second_ && !type_->sliding_head_dim.empty();
    const std::string own_key(is_other ? type_->sliding_head_dim : type_->head_dim);
    const int own_default = is_other ? type_->default_sliding_head_dim : type_->default_head_dim;
    const std::string width_key(type_->hidden_size);
    const std::string heads_key(type_->heads);
    given<std::int64_t> own = own_key.empty() ? given<std::int64_t>{} : integer_in(body_, own_key, 1);
    if (const json& layers = value_of(body_, "per_layer_config"); !layers.is_null())
      if (const given<std::int64_t> by_layer = head_dim_by_layer(layers)) return by_layer.value;
    if (!own && !type_->other_head_dim.empty())
      own = integer_in(body_, std::string(type_->other_head_dim), 1);
    given<std::int64_t> width = integer_in(body_, width_key, 1);
    given<std::int64_t> heads = integer_in(body_, heads_key, 1);
    const given<std::int64_t> beside = beside_of_this_kind("head-dim", how_.beside.head_dim, is_other);
    if (own && type_->divides_hidden_size && width && heads && width.value % heads.value == 0 &&
        own.value != width.value / heads.value)
      throw bad_input(own_key, number_text(own.value),
                      number_text(width.value / heads.value) + ", " + width_key + " / " + heads_key +
                          ", which the code of model_type " + result_.model_type + " takes for heads");
    if (own) {
      require_alike("head-dim", beside, own.value, own_key);
      story_.add("head_dim", number_text(own.value),
                 own_key + (is_latent() ? ", the part of query and key that rotates" : ""));
      return own.value;
    }
    if (beside && (own_default > 0 || !width || !heads)) return head_dim_beside();
    if (own_default > 0) {
      story_.add("head_dim", number_text(own_default),
                 "no " + own_key + " is given: model_type " + result_.model_type + "'s own");
      return own_default;
    }
    std::string of_class;  // where one is the class's own
    const class_widths by_class = widths_of_class(result_.model_type);
    for (const auto& [number, key, own_number] : {std::tuple(&width, &width_key, by_class.hidden_size),
                                                  std::tuple(&heads, &heads_key, by_class.heads)}) {
      if (*number || own_number == 0) continue;
      *number = {own_number};
      of_class += (of_class.empty() ? ": no " : ", no ") + *key;
    }
    if (!of_class.empty()) of_class += " is given, and model_type " + result_.model_type + " has its own";
    if (!width) throw bad_input(width_key, "missing", "a whole number above 0, or " + own_key);
    if (!heads) throw bad_input(heads_key, "missing", "a whole number above 0, or " + own_key);
    const std::int64_t channels = type_->width_multiple * width.value;
    if (channels % heads.value != 0)
      throw bad_input(width_key, number_text(width.value),
                      "a multiple of " + heads_key + " " + number_text(heads.value));
    const std::string times = type_->width_multiple == 1 ? "" : number_text(type_->width_multiple) + " ";
    require_alike("head-dim", beside, channels / heads.value, times + width_key + " / " + heads_key);
    story_.add("head_dim", number_text(channels / heads.value),
               times + width_key + " " + number_text(width.value) + " / " + heads_key + " " +
                   number_text(heads.value) + of_class);
    return channels / heads.value;
  }

  /// The width of a head in per_layer_config, which must be that of all layers of the kind. A type with two
  /// widths takes the usual one where the kind has none, and its key for the other one is not read.
  /// source  HeterogeneousConfigMixin and Gemma4TextConfig in Hugging Face transformers 5
  given<std::int64_t> head_dim_by_layer(const json& by_layer) {
    const std::string path = "per_layer_config.";
    if (!by_layer.is_object())
      throw bad_input("per_layer_config", shown(by_layer), "a JSON object, layers by number");
    const std::vector<std::string> kind_of_layer = kinds_in(body_, *type_);
    const std::int64_t count =
        kind_of_layer.empty() ? layers_in(body_) : static_cast<std::int64_t>(kind_of_layer.size());
    std::map<std::int64_t, std::int64_t> width_of_layer;
    for (const auto& [key, overrides] : by_layer.items()) {
      const auto layer = number_from<std::int64_t>(key);
      if (!layer || *layer < 0 || *layer >= count)
        throw bad_input(path + printable(key), shown(overrides),
                        "a layer's number below " + number_text(count));
      if (!overrides.is_object()) throw bad_input(path + key, shown(overrides), "a JSON object");
      for (const auto& [name, value] : overrides.items())
        if (name != "head_dim" && is_about_positions(name))
          throw bad_input(path + key + "." + printable(name), printable(shown(value)), "head_dim alone");
      if (const given<std::int64_t> width = integer_in(overrides, "head_dim", 1, path + key + "."))
        width_of_layer[*layer] = width.value;
    }
    const std::int64_t usual =
        !type_->sliding_head_dim.empty()
            ? integer_in(body_, type_->sliding_head_dim, 1).value_or(type_->default_sliding_head_dim)
            : 0;
    given<std::int64_t> r;
    for (std::int64_t layer = 0; layer < count; ++layer) {
      if (!kind_of_layer.empty() && kind_of_layer[static_cast<std::size_t>(layer)] != result_.layer_type)
        continue;
      const auto found = width_of_layer.find(layer);
      const std::int64_t width = found == width_of_layer.end() ? usual : found->second;
      if (r && r.value != width)
        throw bad_input(path + number_text(layer) + ".head_dim", width == 0 ? "missing" : number_text(width),
                        (r.value == 0 ? std::string("none") : number_text(r.value)) +
                            ", as in the other layers of its table");
      r = {width};
    }
    if (!r || r.value == 0) return {};
    story_.add("head_dim", number_text(r.value), "per_layer_config");
    return r;
  }

  bool is_latent() const { return !type_->unrotated_dim.empty(); }

  /// The share of a latent head that rotates says nothing new: another one is refused.
  void require_part_of_all(std::int64_t head_dim, std::int64_t others) {
    if (!type_->has_part_of_all) return;
    const given<double> part = number_in(block_, "partial_rotary_factor", prefix_);
    is_block_part_read_ = true;
    const double own = static_cast<double>(head_dim) / static_cast<double>(head_dim + others);
    if (part && part.value != own)
      throw bad_input(prefix_ + "partial_rotary_factor", shown(part.value),
                      fmt::format("{}, {} of {} channels", shown(own), head_dim, head_dim + others));
  }

  void find_latent_channels(std::int64_t head_dim) {
    if (!is_latent()) return;
    const std::string key(type_->unrotated_dim);
    const given<std::int64_t> others = integer_in(body_, key, 0);
    if (others) require_part_of_all(head_dim, others.value);
    if (!others) return;
    if (others.value > largest_head_dim)
      throw bad_input(key, number_text(others.value), "a number up to 65536");
    result_.latent_channels = static_cast<int>(head_dim + others.value);
    story_.add("query channels", number_text(result_.latent_channels),
               key + " " + number_text(others.value) + " + " + std::string(type_->head_dim) + " " +
                   number_text(head_dim));
  }

  std::int64_t chosen_rotary_dim(std::int64_t head_dim) {
    const std::int64_t found = find_rotary_dim(head_dim);
    const bool is_of_others =
        is_second_ && (type_->missing_sliding_part > 0 || !type_->sliding_head_dim.empty());
    const given<std::int64_t> beside =
        beside_of_this_kind("rotary-dim", how_.beside.rotary_dim, is_of_others);
    if (!is_rotary_dim_open_) require_alike("rotary-dim", beside, found, story_.facts.back().origin);
    if (!beside || beside.value == found) return found;
    story_.facts.back() = {"rotary_dim", number_text(beside.value), "--rotary-dim, as the file has none"};
    rotary_origin_.clear();
    return beside.value;
  }

  std::int64_t find_rotary_dim(std::int64_t head_dim) {
    const bool has_own_key = !type_->rotary_dim.empty();
    const auto has_part = [&] {
      return type_->part_wins && (!value_of(block_, "partial_rotary_factor").is_null() ||
                                  !value_of(body_, type_->rotary_part).is_null());
    };
    if (has_own_key && !has_part() &&
        (type_->default_rotary_dim > 0 || !value_of(body_, type_->rotary_dim).is_null()))
      return given_rotary_dim();
    const bool is_proportional = !block_.empty() && rule_of(block_, prefix_).is<proportional>();
    const given<double> part = rotary_part(is_proportional);
    if (is_proportional) {
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
    is_rotary_dim_open_ = !value;
    story_.add("rotary_dim", number_text(value.value_or(type_->default_rotary_dim)),
               value ? key : "no " + key + " is given: model_type " + result_.model_type + "'s own");
    return value.value_or(type_->default_rotary_dim);
  }

  /// The share of a head that rotates. Engines differ over the types whose code in transformers turns the
  /// whole head whatever the file says: a share of theirs is refused, unless the user leaves it out.
  given<double> rotary_part(bool is_of_rule) {
    const bool is_plain = block_.empty() || rule_of(block_, prefix_).is<unscaled>();
    if (type_->rotary_part.empty()) return is_plain ? part_of_plain_block() : given<double>{};
    const std::string key(type_->rotary_part);
    const given<double> part =
        either(key, "partial_rotary_factor", is_plain ? winner::block : winner::top_level);
    is_block_part_read_ = true;
    if (part && !(part.value > 0 && part.value <= 1))
      throw bad_input(key, shown(part.value), "a number above 0, at most 1");
    if (part && !is_plain && has_own_part_at_top(key)) return part_of_class(part.value);
    if (!part || part.value == 1 || is_of_rule || type_->turns_a_part()) return part;
    const auto reason = how_.ignored.find(key);
    if (reason == how_.ignored.end())
      throw bad_input(origin_, shown(part.value),
                      "1: the code of model_type " + result_.model_type +
                          " turns the whole head; --ignore-key " + key +
                          "=REASON leaves it out, and --rotary-dim beside it gives the channels that another "
                          "engine turns");
    story_.warn(origin_ + " is " + shown(part.value) + ": left out by --ignore-key, \"" +
                printable(reason->second) + "\"");
    return {};
  }

  /// Whether the share that the type's class has by default stands at the top level, above a block's.
  /// source  setdefault("partial_rotary_factor") in the configuration classes of Hugging Face transformers 5
  bool has_own_part_at_top(const std::string& key) const {
    const bool is_of_tables =
        is_nested_ || type_->tables_turn_all || type_->blocks_turn_all || type_->part_wins;
    return type_->missing_part != 1 && !is_of_tables && key == "partial_rotary_factor" &&
           value_of(body_, key).is_null();
  }

  /// The share of the type's class, which wins over the block's with any rule.
  given<double> part_of_class(double of_block) {
    if (of_block != type_->missing_part)
      story_.warn(prefix_ + "partial_rotary_factor is " + shown(of_block) +
                  ": with a scaling rule, the code of model_type " + result_.model_type + " takes its own " +
                  shown(type_->missing_part));
    return {type_->missing_part};
  }

  given<double> part_of_plain_block() {
    if (!type_->has_part_of_plain_block) return {};
    is_block_part_read_ = true;
    const given<double> part = number_in(block_, "partial_rotary_factor", prefix_);
    if (part && !(part.value > 0 && part.value <= 1))
      throw bad_input(prefix_ + "partial_rotary_factor", shown(part.value), "a number above 0, at most 1");
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
    is_rotary_dim_open_ = true;
    const bool has_other = is_second_ && type_->missing_sliding_part > 0;
    const bool has_rule = !block_.empty() && !rule_of(block_, prefix_).is<unscaled>();
    const bool is_whole = (is_nested_ && (type_->tables_turn_all || (has_rule && type_->rules_turn_all))) ||
                          (!block_.empty() && type_->blocks_turn_all);
    const double own = has_other ? type_->missing_sliding_part : type_->missing_part;
    if (const double part = is_whole ? 1 : own; part != 1) {
      const std::int64_t rotary_dim = part_of(head_dim, part);
      story_.facts.back().origin += ", the part of model_type " + result_.model_type;
      return rotary_dim;
    }
    story_.add("rotary_dim", number_text(head_dim), "the whole head");
    return head_dim;
  }

  enum class winner { block, top_level };

  /// The number of the block or of the top level, and which wins a conflict.
  /// source  rope_theta: the block's (transformers 5; version 4 took the top level's). partial_rotary_factor:
  ///         the block's with rule default, else the top level's
  given<double> either(const std::string& key, const std::string& block_key, winner who) {
    const given<double> inner = number_in(block_, block_key, prefix_);
    const given<double> outer = key.empty() ? given<double>{} : top_base(key);
    const bool takes_block = who == winner::block ? inner.is_given : !outer.is_given;
    if (outer && inner && outer.value != inner.value)
      story_.warn(
          key + " is " + shown(outer.value) + " and " + prefix_ + block_key + " is " + shown(inner.value) +
          (!takes_block          ? ": the top level's is taken"
           : key == "rope_theta" ? ": the block's is taken, as transformers 5 does; version 4 took the top "
                                   "level's"
                                 : ": the block's is taken"));
    if (outer || inner) origin_ = takes_block ? prefix_ + block_key : key;
    return takes_block ? inner : outer;
  }

  void find_base() {
    if (const given<double> own = base_of_kind(result_.layer_type)) {
      require_alike("base", how_.beside.base, own.value, std::string(type_->layers.bases_key));
      if (!(own.value > 1 && own.value <= largest_number))
        throw bad_input(std::string(type_->layers.bases_key), shown(own.value),
                        "0, or a finite number above 1");
      story_.add("base", shown(own.value), std::string(type_->layers.bases_key));
      result_.encoding.base = own.value;
      is_block_base_read_ = true;
      return;
    }
    const std::string key(is_second_ ? type_->sliding_base : type_->base);
    for (const auto& [object, path] :
         {std::pair(&body_, std::string()), std::pair<const json*, std::string>(&block_, prefix_)})
      if (const auto found = object->find("rope_theta");
          type_->null_base_stands_still && found != object->end() && found->is_null())
        throw bad_input(path + "rope_theta", "null",
                        "a number: without one, no layer of model_type " + result_.model_type + " rotates");
    if (key.empty() && !is_second_ && !type_->reads_block_base) return fixed_base();
    is_block_base_read_ = type_->reads_block_base || is_nested_;
    const given<double> base = is_block_base_read_ ? either(key, "rope_theta", winner::block) : top_base(key);
    if (base && !(base.value > 1 && base.value <= largest_number))
      throw bad_input(origin_, shown(base.value), "a finite number above 1");
    const given<double> beside = beside_of_this_kind("base", how_.beside.base, is_second_);
    if (base) require_alike("base", beside, base.value, origin_);
    if (!base && beside) return base_beside();
    const bool is_bare = type_->bare_block_base > 0 && !block_.empty();
    const double otherwise = is_second_ ? type_->default_sliding_base
                             : is_bare  ? type_->bare_block_base
                                        : type_->default_base;
    if (!base && otherwise == 0) throw bad_input(key, "missing", "a finite number above 1");
    story_.add("base", shown(base.value_or(otherwise)),
               base ? origin_
                    : "no " + (key.empty() ? prefix_ + "rope_theta" : key) + " is given, and model_type " +
                          result_.model_type + " defaults to it");
    result_.encoding.base = base.value_or(otherwise);
    result_.base_is_default = !base;
  }

  void base_beside() {
    const double base = how_.beside.base.value;
    if (!(base > 1 && base <= largest_number))
      throw bad_input("base", shown(base), "a finite number above 1");
    story_.add("base", shown(base), "--base, as the file has none");
    result_.encoding.base = base;
  }

  given<double> top_base(const std::string& key) {
    origin_ = key;
    const std::size_t point = key.find('.');
    if (point == key.npos) return number_in(body_, key);
    const json& inner = value_of(body_, key.substr(0, point));
    return inner.is_object() ? number_in(inner, key.substr(point + 1), key.substr(0, point + 1))
                             : given<double>{};
  }

  /// The base of a type without a key for it: 10000, times a ratio if the type has a key for one.
  void fixed_base() {
    result_.encoding.base = default_base;
    const std::string key(type_->base_ratio);
    const given<double> ratio = key.empty() ? given<double>{} : number_in(body_, key);
    require_alike("base", how_.beside.base, default_base * ratio.value_or(1),
                  ratio ? key : "model_type " + result_.model_type);
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
    lengths_.ignored = &how_.ignored;
    lengths_.needs_mscales = type_->needs_mscales;
    lengths_.has_alpha = type_->has_alpha;
    lengths_.has_query_scale = type_->query_scale.is_in_scaling_block;
    lengths_.is_yarn_longrope = type_->is_yarn_longrope;
    lengths_.max_position_embeddings = integer_in(body_, key, 1);
    // A block with a table for each kind of layers never looks at the top level's.
    if (!is_nested_)
      lengths_.original_max_position_embeddings = integer_in(body_, "original_max_position_embeddings", 1);
    result_.max_position_embeddings = lengths_.max_position_embeddings.value_or(0);
    if (lengths_.max_position_embeddings)
      story_.add("max_position_embeddings", number_text(result_.max_position_embeddings), key);
  }

  bool is_read(std::string_view key) const {
    const layer_rule& rule = type_->layers;
    for (const std::string_view known :
         {type_->base,           type_->bases_by_layer,
          type_->parts_by_layer, type_->interleaves,
          type_->rotary_dim,     type_->rotary_part,
          type_->positions,      type_->head_dim,
          type_->base_ratio,     type_->unrotated_dim,
          type_->sliding_base,   type_->sliding_head_dim,
          rule.kinds_key,        rule.flags_key,
          rule.zeros_key,        rule.ratios_key,
          rule.bases_key,        rule.indices_key,
          rule.period_key,       type_->needs.substr(0, type_->needs.find('='))})
      if (key == known) return true;
    if (type_->has_yarn_block && key == "yarn") return true;
    if (key == type_->query_scale.flag || key == type_->query_scale.block) return true;
    // Flags that say what the code does in any case.
    if (key == "use_rotary_pos_emb" && value_of(body_, key) == true) return true;
    if (key == "use_3d_rope" && value_of(body_, key) == (type_->axes != axis_rule::text)) return true;
    if (key == "rope_is_neox_style" && value_of(body_, key) == (type_->layout == pairing::half_split))
      return true;
    const bool is_interleaved = type_->layout == pairing::interleaved;
    if (key == "rope_interleave" && value_of(body_, key) == is_interleaved) return true;
    if (key == type_->other_head_dim) return true;
    if (!type_->bases_by_layer.empty() && (key == "yarn_only_types" || key == "use_rope_layers")) return true;
    return is_read_of_every_type(key);
  }

  void warn_of_unread(const std::string& key, const json& value, const std::string& why) {
    if (!value.is_null())
      story_.warn(key + " is " + printable(shown(value)) + ": " + why + ", it is not used");
  }

  /// Refuses keys about positions that the type's code does not have: such a file means something else.
  void refuse_unread_keys() {
    const std::string no_key = "model_type " + result_.model_type + " has no such key";
    if (!is_block_base_read_) warn_of_unread(prefix_ + "rope_theta", value_of(block_, "rope_theta"), no_key);
    if (!is_block_part_read_ && !type_->other_turns_all)
      warn_of_unread(prefix_ + "partial_rotary_factor", value_of(block_, "partial_rotary_factor"), no_key);
    warn_of_unread(prefix_ + "max_position_embeddings", value_of(block_, "max_position_embeddings"),
                   "the top level's is read");
    for (const auto& [key, reason] : how_.ignored)
      if (body_.contains(key) && is_about_positions(key) && is_read(key) && key != type_->rotary_part)
        throw bad_input("ignore-key", key,
                        "a key that is not read: model_type " + result_.model_type + " reads this one");
    const rope_scaling& rule = result_.encoding.scaling;
    if (!rule.is<unscaled>() && original_length_of(rule) == 0)
      warn_of_unread("original_max_position_embeddings", value_of(body_, "original_max_position_embeddings"),
                     "rule " + std::string(name_of(rule)) + " does not depend on it");
    for (const auto& [key, value] : body_.items()) {
      if (!is_about_positions(key) || is_read(key) || says_nothing(value)) continue;
      if (key == "rope_theta" && value == result_.encoding.base)
        continue;                                                  // of a type with another key for it
      if (key == "partial_rotary_factor" && value == 1) continue;  // as of every type
      if (key == "rotary_dim" && value == result_.encoding.rotary_dim) continue;  // in older files of phi
      if (has_word(type_->unused, key)) {
        warn_of_unread(printable(key), value,
                       "the code of model_type " + result_.model_type + " turns without it");
        continue;
      }
      const auto reason = how_.ignored.find(key);
      if (reason == how_.ignored.end())
        throw bad_input(printable(key), printable(shown(value)),
                        "keys that model_type " +
                            (result_.model_type.empty() ? "missing" : result_.model_type) +
                            " has; --ignore-key " + printable(key) + "=REASON leaves it out");
      story_.warn(printable(key) + " is " + printable(shown(value)) + ": left out by --ignore-key, \"" +
                  printable(reason->second) + "\"");
    }
  }

  const json& root_;
  const text_body text_;
  const json& body_;
  model& result_;
  const reading& how_;
  const model_type* type_ = nullptr;
  bool is_listed_ = false;
  json block_ = json::object();
  std::string prefix_;
  std::string origin_;               // of the number that either() gave
  std::string rotary_origin_;        // " = formula" where rotary_dim is a product
  bool is_rotary_dim_open_ = false;  // no key gave it
  bool is_second_ = false;           // the layers have the second table of their type
  bool is_nested_ = false;           // the block has a table for each kind of layers
  bool is_block_base_read_ = false;
  bool is_block_part_read_ = false;
  lengths lengths_;
  story story_;
};

}  // namespace

model parse_model(std::string_view text, std::string name, const reading& how) {
  const json root = config_of(text, name);
  refuse_unread_of_gguf(root, how.ignored);
  model result;
  result.name = std::move(name);
  result.as_read = how;
  try {
    config_reader(root, result, how).read();
  } catch (const std::invalid_argument& error) {
    const std::string said = in_words_of_gguf(root, error.what());
    if (said == error.what()) throw;
    throw std::invalid_argument(said);
  }
  if (is_mrope(result.axes)) result.fourth_row = fourth_row_of(root);
  for (fact& one : result.facts) one = in_words_of_gguf(root, std::move(one));
  for (fact& one : result.beside) one = in_words_of_gguf(root, std::move(one));
  for (std::string& one : gguf_warnings_of(root)) result.warnings.push_back(std::move(one));
  for (std::string& one : result.warnings) one = in_words_of_gguf(root, std::move(one));
  result.config = root.dump();
  return result;
}

model read_model(const std::string& path, const reading& how) {
  return parse_model(config_text(path), path, how);
}

}  // namespace ropewalk::model
