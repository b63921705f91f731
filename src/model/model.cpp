#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "input/unknown_name.hpp"
#include "model/axes_block.hpp"
#include "model/chosen_block.hpp"
#include "model/config_file.hpp"
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
    find_axes();
    if (block_.empty()) story_.add("rule", "default", "no scaling block");
    validate(result_.layout, result_.encoding);
    tell_remarks();
    refuse_unread_keys();
    result_.source = text_in(root_, "_provenance");
    result_.facts = story_.facts;
    result_.warnings = story_.warnings;
  }

 private:
  void find_type() {
    result_.model_type = text_.model_type;
    const model_type* listed = find_model_type(result_.model_type);
    type_ = listed != nullptr ? listed : &unlisted_type;
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
    if (type_ != &unlisted_type && how_.layout && pairing_text(by_type) != pairing_text(result_.layout))
      story_.warn("--pairing is " + std::string(name_of(how_.layout.value)) + " and model_type " + named +
                  " has " + pairing_text(by_type) + ": --pairing is taken");
  }

  void warn_of_outer_values() {
    if (text_.path.empty()) return;
    story_.add("keys", "nested", text_.path);
    for (const auto& [key, outer] : root_.items()) {
      if (key == "model_type" || !is_about_positions(key) || outer.is_null() || outer.is_object()) continue;
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
    if (is_mrope(result_.axes) && type_ != &unlisted_type && type_->axes == axis_rule::text)
      throw bad_input(prefix_ + "mrope_section", shown(value_of(block_, "mrope_section")),
                      "none: model_type " + result_.model_type + " has one axis");
  }

  void tell_remarks() {
    const std::string origin = "model_type " + result_.model_type;
    for (const auto& [name, text] :
         {std::pair{"norm", type_->norm}, std::pair{"query scale", type_->query_scale},
          std::pair{"remark", type_->remark}})
      if (!text.empty()) story_.add(name, "beside the rotation", std::string(text) + " (" + origin + ")");
    const auto& [head_dim, rotary_dim] = std::pair(result_.layout.head_dim, result_.encoding.rotary_dim);
    std::string other;
    if (type_->other_turns_all && rotary_dim != head_dim) other = fmt::format("rotary_dim {}", head_dim);
    if (type_->other_base > 0 && type_->other_base != result_.encoding.base)
      other = "base " + shown(type_->other_base);
    if (!other.empty())
      story_.add("other reading", other,
                 std::string(type_->other_code) + "; the published weights want the numbers above");
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
    if (!own && !type_->other_head_dim.empty())
      own = integer_in(body_, std::string(type_->other_head_dim), 1);
    const given<std::int64_t> width = integer_in(body_, width_key, 1);
    const given<std::int64_t> heads = integer_in(body_, heads_key, 1);
    const given<std::int64_t> beside = is_other ? given<std::int64_t>{} : how_.beside.head_dim;
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
                   number_text(heads.value));
    return channels / heads.value;
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
    const given<std::int64_t> beside = is_of_others ? given<std::int64_t>{} : how_.beside.rotary_dim;
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
    if (type_->rotary_part.empty()) return {};
    const std::string key(type_->rotary_part);
    const bool is_plain = block_.empty() || rule_of(block_, prefix_).is<unscaled>();
    const given<double> part =
        either(key, "partial_rotary_factor", is_plain ? winner::block : winner::top_level);
    is_block_part_read_ = true;
    if (part && !(part.value > 0 && part.value <= 1))
      throw bad_input(key, shown(part.value), "a number above 0, at most 1");
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
    const bool is_whole = is_nested_ && type_->tables_turn_all;
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
      story_.warn(key + " is " + shown(outer.value) + " and " + prefix_ + block_key + " is " +
                  shown(inner.value) +
                  (takes_block ? ": the block's is taken, as transformers 5 does; version 4 "
                                 "took the top level's"
                               : ": the top level's is taken"));
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
    if (key.empty() && !is_second_ && !type_->reads_block_base) return fixed_base();
    is_block_base_read_ = type_->reads_block_base || is_nested_;
    const given<double> base = is_block_base_read_ ? either(key, "rope_theta", winner::block) : top_base(key);
    if (base && !(base.value > 1 && base.value <= largest_number))
      throw bad_input(origin_, shown(base.value), "a finite number above 1");
    const given<double> beside = is_second_ ? given<double>{} : how_.beside.base;
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
    lengths_.has_query_scale = !type_->query_scale.empty();
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
    if (!is_block_part_read_)
      warn_of_unread(prefix_ + "partial_rotary_factor", value_of(block_, "partial_rotary_factor"), no_key);
    warn_of_unread(prefix_ + "max_position_embeddings", value_of(block_, "max_position_embeddings"),
                   "the top level's is read");
    const rope_scaling& rule = result_.encoding.scaling;
    if (!rule.is<unscaled>() && original_length_of(rule) == 0)
      warn_of_unread("original_max_position_embeddings", value_of(body_, "original_max_position_embeddings"),
                     "rule " + std::string(name_of(rule)) + " does not depend on it");
    for (const auto& [key, value] : body_.items()) {
      if (!is_about_positions(key) || is_read(key) || says_nothing(value)) continue;
      if (key == "rope_theta" && value == result_.encoding.base)
        continue;                                                  // of a type with another key for it
      if (key == "partial_rotary_factor" && value == 1) continue;  // as of every type
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

/// Whether an object is the rope_parameters of a configuration, and no configuration.
bool is_bare_block(const json& root) {
  for (const char* const key :
       {"model_type", "rope_parameters", "rope_scaling", "hidden_size", "head_dim", "dim", "text_config"})
    if (root.contains(key)) return false;
  return root.contains("rope_type");
}

}  // namespace

model parse_model(std::string_view text, std::string name, const reading& how) {
  json root = parse_object(text, "config", name);
  if (is_bare_block(root)) root = {{"rope_parameters", std::move(root)}};
  model result;
  result.name = std::move(name);
  result.as_read = how;
  config_reader(root, result, how).read();
  result.config = root.dump();
  return result;
}

model read_model(const std::string& path, const reading& how) {
  return parse_model(config_text(path), path, how);
}

}  // namespace ropewalk::model
