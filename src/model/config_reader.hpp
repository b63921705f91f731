#pragma once
// Reads one configuration for one kind of its layers. Several source files share this class and its state.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/model.hpp"
#include "model/model_type.hpp"
#include "model/scaling_block.hpp"
#include "model/text_body.hpp"

namespace ropewalk::model {

inline std::string number_text(std::int64_t value) { return std::to_string(value); }

class config_reader {
 public:
  config_reader(const input::json& root, model& result, const reading& how)
      : root_(root), text_(text_body_of(root)), body_(*text_.keys), result_(result), how_(how) {}

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

  // The width of a head: head_reading.cpp
  void find_head();
  /// Reads the head counts, which test cases use and tables do not. Latent attention rotates one key head.
  void find_head_counts();
  std::int64_t head_dim_beside();
  std::int64_t find_head_dim();
  /// The width of a head in per_layer_config, which must be equal in all layers of the kind. In a type with
  /// two widths, a kind without one takes the usual width, and the key for the other width is ignored.
  /// source  HeterogeneousConfigMixin and Gemma4TextConfig in Hugging Face transformers 5
  given<std::int64_t> head_dim_by_layer(const input::json& by_layer);
  /// Refuses a share of a latent head that contradicts the widths; a right one adds no information.
  void require_part_of_all(std::int64_t head_dim, std::int64_t others);
  void find_latent_channels(std::int64_t head_dim);

  // The channels that rotate: rotary_dim_reading.cpp
  /// Channels turned by code that reads the share from the block or the top level, and has no rotary_dim.
  int rotary_dim_of_code(int head_dim) const;
  std::int64_t chosen_rotary_dim(std::int64_t head_dim);
  std::int64_t find_rotary_dim(std::int64_t head_dim);
  std::int64_t given_rotary_dim();
  /// The share of a head that rotates. For types whose code in transformers turns the whole head whatever the
  /// file says, engines disagree: another share is refused unless the user leaves it out.
  given<double> rotary_part(bool is_of_rule);
  /// Whether the default share of the type's class stands at the top level and overrides the block's.
  /// source  setdefault("partial_rotary_factor") in the configuration classes of Hugging Face transformers 5
  bool has_own_part_at_top(const std::string& key) const;
  /// The share of the type's class, which overrides the block's with any rule.
  given<double> part_of_class(double of_block);
  given<double> part_of_plain_block();
  std::int64_t part_of(std::int64_t head_dim, double part);
  /// rotary_dim if no share is given: the default in the model type's own code.
  std::int64_t rotary_dim_of_type(std::int64_t head_dim);

  // The base: base_reading.cpp
  enum class winner { block, top_level };
  /// The number of the block or of the top level; `who` says which wins a conflict.
  /// source  rope_theta: the block's (transformers 5; version 4 took the top level's). partial_rotary_factor:
  ///         the block's with rule default, else the top level's
  given<double> either(const std::string& key, const std::string& block_key, winner who);
  void find_base();
  void base_beside();
  given<double> top_base(const std::string& key);
  /// The base of a type without a key for it: 10000, times the ratio if the type has a key for one.
  void fixed_base();

  // Keys that are not read: unread_keys.cpp
  void warn_of_outer_values();
  bool is_read(std::string_view key) const;
  void warn_of_unread(const std::string& key, const input::json& value, const std::string& why);
  /// Refuses keys about positions that the type's code does not read: such a file has another meaning.
  void refuse_unread_keys();

  // Numbers given as options beside the configuration
  bool is_latent() const { return !type_->unrotated_dim.empty(); }

  /// Refuses an option's number that differs from the configuration's.
  template <class Number>
  static void require_alike(const char* option, const given<Number>& beside, Number value,
                            const std::string& origin) {
    const auto text = [](Number number) {
      return std::is_floating_point_v<Number> ? input::shown(static_cast<double>(number))
                                              : number_text(static_cast<std::int64_t>(number));
    };
    if (beside && beside.value != value)
      throw bad_input(option, text(beside.value), text(value) + ", as " + origin + " says");
  }

  /// An option's number applies to layers with full attention if other layers have a number of their own.
  template <class Number>
  given<Number> beside_of_this_kind(const char* option, given<Number> beside, bool is_of_others) {
    if (!is_of_others || !beside) return is_of_others ? given<Number>{} : beside;
    if (how_.is_of_plan) {
      sources_.warn(std::string("--") + option + " applies to layers with full attention only: not used");
      return {};
    }
    throw bad_input(option, input::shown(static_cast<double>(beside.value)),
                    "none for " + result_.layer_type + " layers: it applies to the others");
  }

  const input::json& root_;
  const text_body text_;
  const input::json& body_;
  model& result_;
  const reading& how_;
  const model_type* type_ = nullptr;
  bool is_listed_ = false;
  input::json block_ = input::json::object();
  std::string prefix_;
  std::string origin_;               // origin of the number that either() returned
  std::string rotary_origin_;        // " = formula" where rotary_dim is a product
  bool is_rotary_dim_open_ = false;  // no key has it
  bool is_second_ = false;           // the layers have the second table of their type
  bool is_nested_ = false;           // the block has a table for each kind of layers
  bool is_block_base_read_ = false;
  bool is_block_part_read_ = false;
  lengths lengths_;
  provenance sources_;
};

}  // namespace ropewalk::model
