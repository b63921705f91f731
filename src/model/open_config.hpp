#pragma once
// A configuration of one kind of layers while it is read: its keys, and the values read so far.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/model.hpp"
#include "model/model_type.hpp"
#include "model/provenance.hpp"
#include "model/scaling_block.hpp"
#include "model/text_body.hpp"

namespace ropewalk::model {

inline std::string number_text(std::int64_t value) { return std::to_string(value); }

struct open_config {
  open_config(const input::json& root_keys, model& read_model, const reading& how_to_read)
      : root(root_keys),
        text(text_body_of(root_keys)),
        body(*text.keys),
        result(read_model),
        how(how_to_read) {}
  open_config(const open_config&) = delete;  // `body` refers to `text`
  open_config& operator=(const open_config&) = delete;

  bool is_latent() const { return !type->unrotated_dim.empty(); }

  /// Refuses an option's number that differs from the configuration's.
  template <class Number>
  static void require_alike(const char* option, const given<Number>& beside, Number value,
                            const std::string& origin) {
    const auto shown_number = [](Number number) {
      return std::is_floating_point_v<Number> ? input::shown(static_cast<double>(number))
                                              : number_text(static_cast<std::int64_t>(number));
    };
    if (beside && beside.value != value)
      throw bad_input(option, shown_number(beside.value), shown_number(value) + ", as " + origin + " says");
  }

  /// An option's number applies to layers with full attention if other layers have a number of their own.
  template <class Number>
  given<Number> beside_of_this_kind(const char* option, given<Number> beside, bool is_of_others) {
    if (!is_of_others || !beside) return is_of_others ? given<Number>{} : beside;
    if (how.is_of_plan) {
      sources.warn(std::string("--") + option + " applies to layers with full attention only: not used");
      return {};
    }
    throw bad_input(option, input::shown(static_cast<double>(beside.value)),
                    "none for " + result.layer_type + " layers: it applies to the others");
  }

  const input::json& root;
  const text_body text;
  const input::json& body;
  model& result;
  const reading& how;
  const model_type* type = nullptr;
  bool is_listed = false;
  input::json block = input::json::object();
  std::string prefix;
  bool is_second = false;  // the layers have the second table of their type
  bool is_nested = false;  // the block has a table for each kind of layers
  bool is_block_base_read = false;
  bool is_block_part_read = false;
  ropewalk::model::lengths lengths{};
  provenance sources{};
};

/// A number, and the key that gave it.
struct found_number {
  given<double> number;
  std::string origin;
};

enum class winner { block, top_level };

/// The number of the block or of the top level; `who` says which wins a conflict.
/// source  rope_theta: the block's (transformers 5; version 4 took the top level's). partial_rotary_factor:
///         the block's with rule default, else the top level's
found_number either(open_config& config, const std::string& key, const std::string& block_key, winner who);

/// The number of the top level. A key may name one in an object there: "rope.base".
given<double> top_number(const open_config& config, const std::string& key);

}  // namespace ropewalk::model
