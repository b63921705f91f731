#pragma once
// Facts about a model type's own code that config.json does not say: the meaning of its keys, their defaults,
// the pairing, and which layers rotate.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// The kind of each layer of a type, and the kinds that rotate. All layers are alike if `special` is empty.
struct layer_rule {
  std::string_view usual = "";       // the kind of most layers
  std::string_view special = "";     // the kind of every period-th layer
  int period = 0;                    // period in the type's own code; 0: the file must have it
  std::string_view period_key = "";  // key of the period: a number, or letters, L for a usual layer
  bool begins_special = false;       // special where i mod period = 0; else where (i + 1) mod period = 0
  bool counts_from_end = false;      // i is 0 at the last layer
  bool ends_special = false;         // the last layer is special, too
  bool starts_special = false;       // the first layer is special, too
  std::string_view still = "";       // the kind that does not rotate; empty: all rotate
  std::string_view kinds_key = "layer_types";  // key of a list of kinds, which wins
  std::string_view flags_key = "";             // key of a list with 1 for each usual layer, which wins
  bool needs_flags = false;                    // an empty list is an error; else it counts as missing
  std::string_view zeros_key = "";             // key of a list of numbers, 0 for each special layer
  std::string_view usual_entry = "";           // entry for a usual layer in kinds_key's list, if not its kind
  std::string_view special_entries = "";       // entries for special layers
  std::string_view ratios_key = "";            // key of a list of 0 (usual), 4 or 128, of any length
  std::string_view bases_key = "";             // key of a list of bases, one per layer, 0: no rotation; wins
  std::string_view indices_key = "";           // key of a list with the numbers of special layers
  std::string_view dense = "";                 // the kind of the first layers, which always rotate
  std::string_view alike_without = "";         // key; if it is null, no layer is special
};

/// How a type's code scales queries by their position, and the keys of the numbers.
struct query_scale_rule {
  std::string_view strength = "";    // key of the strength; empty: the type has no such scale
  std::string_view length = "";      // key of the number of positions per step
  std::string_view block = "";       // key of the object that holds both; empty: the text model's own keys
  bool is_in_scaling_block = false;  // the object with both is the scaling block
  double default_strength = 0;       // default; 0: no scale without the key
  std::int64_t default_length = 0;   // default; 0: the key is required
  int shift = 0;
  std::string_view flag = "";  // key of a flag whose default is true
  bool is_of_still_layers = false;
};

/// The keys and defaults of one model type; an empty name means that the type has no such key.
struct model_type {
  std::string_view name = "";
  pairing layout = pairing::half_split;  // of the input; also of the output unless writes_half_split
  std::string_view interleaves = "";     // key of a flag whose default is true; false means half-split
  bool doubles_by_halves = false;        // its cosines are [f, f], even if pairs are interleaved
  bool writes_half_split = false;        // reads interleaved pairs and writes them half-split
  std::string_view base = "rope_theta";
  double default_base = 10000;           // default; 0: the key is required
  double bare_block_base = 0;            // default for a block without a base; 0: default_base
  std::string_view bases_by_layer = "";  // key of a list of bases, one per layer, or of one base
  std::string_view parts_by_layer = "";  // key of a list of the rotating shares of head_dim
  bool reads_block_base = true;          // reads the block's rope_theta, which wins over `base`
  bool null_base_stands_still = false;   // rope_theta null: no layer rotates
  bool reads_newer_block_alone = false;  // reads rope_parameters only, not rope_scaling
  // A kind's table of null means the default rule; else the kind does not rotate.
  bool null_table_is_default = false;
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view key_heads = "num_key_value_heads";
  std::string_view head_dim = "head_dim";
  int default_head_dim = 0;              // default; 0: hidden_size / heads
  std::string_view other_head_dim = "";  // another name of that key
  int width_multiple = 1;                // the default is width_multiple * hidden_size / heads
  bool divides_hidden_size = false;      // always takes that quotient and ignores head_dim
  std::string_view positions = "max_position_embeddings";
  std::string_view rotary_dim = "";                        // key of rotary_dim itself
  int default_rotary_dim = 0;                              // 0: the key is required
  std::string_view rotary_part = "partial_rotary_factor";  // key of rotary_dim / head_dim
  double missing_part = 1;                                 // default of that share
  bool has_part = false;                  // reads the share; without the key, all channels turn
  bool tables_turn_all = false;           // all channels turn in a kind's table without the key
  bool rules_turn_all = false;            // ... in such a table with a scaling rule
  bool blocks_turn_all = false;           // ... in any block without the key
  bool has_part_of_plain_block = false;   // reads the share only in a block without a rule
  double missing_sliding_part = 0;        // default share of usual layers; 0: missing_part
  bool part_wins = false;                 // the share wins over rotary_dim
  bool rotates_last = false;              // the last channels of a head rotate; else the first
  std::string_view base_ratio = "";       // key of a factor that multiplies the base
  std::string_view unrotated_dim = "";    // key: channels of a latent head that do not rotate
  bool has_part_of_all = false;           // partial_rotary_factor is the rotating share of the latent head
  std::string_view rules = "";            // scaling rules in its code; empty: all
  std::string_view missing_block = "";    // block used if the file has none
  bool has_yarn_of_one = false;           // yarn's default attention factor is 1
  bool has_yarn_block = false;            // the rule stands in `yarn`, under its own keys
  bool has_alpha = false;                 // rule dynamic with `alpha` means a fixed base
  bool is_yarn_longrope = false;          // rule yarn means longrope
  bool needs_mscales = false;             // longrope needs mscales instead of an attention factor
  given<axis_order> axes{};               // order of its pairs; mrope_interleaved is ignored
  std::array<int, 3> missing_sections{};  // default of mrope_section; zeros: the key is required
  layer_rule layers{};
  std::string_view sliding_base = "";      // key of the base of usual layers, a second table
  double default_sliding_base = 0;         // default; 0: there is one table
  std::string_view sliding_head_dim = "";  // key of the head_dim of usual layers
  int default_sliding_head_dim = 0;
  bool has_rule_on_both = false;  // rope_scaling applies to both tables; else to special layers only
  std::string_view needs = "";    // key and value required for rotation: "alibi=false"
  std::string_view otherwise = "does not rotate";  // behaviour with another value of that key
  std::string_view unused = "";                    // keys about positions that do not affect the rotation
  std::string_view norm = "";                      // norm of query and key, before or after the rotation
  std::string_view query_factor = "";              // factor of queries, independent of the position
  query_scale_rule query_scale{};
  std::string_view remark = "";  // what its code does besides, or contrary to its weights
  // Code that reads a file differently from the training of its weights, and its numbers.
  std::string_view other_code = "";
  bool other_turns_all = false;     // turns the whole head
  double other_base = 0;            // its base; 0: the same
  std::string_view not_built = "";  // reason to refuse the type; empty: none

  /// Whether its code turns a share of a head that the file states.
  constexpr bool turns_a_part() const {
    return has_part || missing_part != 1 || missing_sliding_part > 0 ||
           rotary_part != "partial_rotary_factor";
  }
};

/// The base in code without another default.
inline constexpr double default_base = 10000;

/// The usual keys, for a type that is not in the table and whose pairing the user gave. The base has no
/// default.
inline constexpr model_type unlisted_type = {.default_base = 0, .has_part = true};

/// Null if the table has no such type.
const model_type* find_model_type(std::string_view name);

/// Names of all readable types, in alphabetical order.
std::vector<std::string> model_type_names();

}  // namespace ropewalk::model
