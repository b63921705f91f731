#pragma once
// What a model type's own code does where config.json does not say: the meaning of its keys, their defaults,
// its pairing, and which of its layers rotate.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// Which kind each layer of a type is, and which kinds rotate. Every layer is alike where `special` is empty.
struct layer_rule {
  std::string_view usual = "";       // kind of most layers
  std::string_view special = "";     // kind of every period-th one
  int period = 0;                    // of the type's own code; 0: the file must say it
  std::string_view period_key = "";  // key of the period: a number, or letters, L for a usual layer
  bool begins_special = false;       // special where i mod period = 0; else where (i + 1) mod period = 0
  bool counts_from_end = false;      // i is 0 at the last layer
  bool ends_special = false;         // and the last layer is special
  bool starts_special = false;       // and the first
  std::string_view still = "";       // the kind that does not rotate; empty: all rotate
  std::string_view kinds_key = "layer_types";  // key of a list of kinds, which wins
  std::string_view flags_key = "";             // key of a list with 1 where a layer is usual, which wins
  bool needs_flags = false;                    // a list of none is an error; else it is as if it were missing
  std::string_view zeros_key = "";             // key of a list of numbers, 0 where a layer is special
  std::string_view usual_entry = "";           // of that list: the name of a usual layer, if not its kind
  std::string_view special_entries = "";       // and the names of special ones
  std::string_view ratios_key = "";            // key of a list of 0 (usual), 4 or 128, of any length
  std::string_view bases_key = "";             // key of a list with each layer's base, 0: no rotation; wins
  std::string_view indices_key = "";           // key of a list with the numbers of special layers
  std::string_view dense = "";                 // the kind of first layers that rotate in any case
  std::string_view alike_without = "";         // key that, where it is null, leaves no special layers
};

/// Where a type's file says by what its code scales queries at their position.
struct query_scale_rule {
  std::string_view strength = "";    // key; empty: the type has no such scale
  std::string_view length = "";      // key of the positions in a step
  std::string_view block = "";       // key of the object that holds both; empty: the text model's own keys
  bool is_in_scaling_block = false;  // that object is the scaling block
  double default_strength = 0;       // of the type's own code; 0: no scale without the key
  std::int64_t default_length = 0;   // of the type's own code; 0: the key is required
  int shift = 0;
  std::string_view flag = "";  // key of a flag that is on where it is missing
  bool is_of_still_layers = false;
};

/// The keys of one model type; an empty name means that the type has no such key.
struct model_type {
  std::string_view name = "";
  pairing layout = pairing::half_split;  // of the input, and of the output unless it writes half-split
  std::string_view interleaves = "";     // key of a flag: false means half-split; true when missing
  bool doubles_by_halves = false;        // its cosines are [f, f], even where the pairing is interleaved
  bool writes_half_split = false;        // reads interleaved pairs and writes them half-split
  std::string_view base = "rope_theta";
  double default_base = 10000;           // of the type's own code; 0: the key is required
  double bare_block_base = 0;            // of a block without a base; 0: the same
  std::string_view bases_by_layer = "";  // key of a list of bases, one for each layer, or of one for all
  std::string_view parts_by_layer = "";  // key of a list of the shares of head_dim that rotate
  bool reads_block_base = true;          // rope_theta of the block, which wins over the key above
  bool null_base_stands_still = false;   // rope_theta of null: no layer rotates
  bool reads_newer_block_alone = false;  // rope_parameters; its code has no rope_scaling
  bool null_table_is_default = false;  // a kind's table of null is the one without a rule; else the kind does
                                       // not rotate
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view key_heads = "num_key_value_heads";
  std::string_view head_dim = "head_dim";
  int default_head_dim = 0;              // of the type's own code; 0: hidden_size / heads
  std::string_view other_head_dim = "";  // another name of that key
  int width_multiple = 1;                // times hidden_size, in that quotient
  bool divides_hidden_size = false;      // its heads are that quotient, whatever head_dim says
  std::string_view positions = "max_position_embeddings";
  std::string_view rotary_dim = "";                        // key of rotary_dim itself
  int default_rotary_dim = 0;                              // 0: the key is required
  std::string_view rotary_part = "partial_rotary_factor";  // key of its share of head_dim
  double missing_part = 1;                                 // the share where the key is missing
  bool has_part = false;                  // its code reads the share; without the key, all turn
  bool tables_turn_all = false;           // so does a table for a kind of layers without the key
  bool rules_turn_all = false;            // and such a table with a scaling rule
  bool blocks_turn_all = false;           // and a block of any kind without it
  bool has_part_of_plain_block = false;   // its code reads the share of a block without a rule alone
  double missing_sliding_part = 0;        // of usual layers; 0: the same
  bool part_wins = false;                 // over rotary_dim itself
  bool rotates_last = false;              // the last channels of a head; else the first
  std::string_view base_ratio = "";       // key of a factor of the base
  std::string_view unrotated_dim = "";    // key of the channels of a latent head that do not rotate
  bool has_part_of_all = false;           // partial_rotary_factor is the latent head's share that rotates
  std::string_view rules = "";            // the scaling rules that its code has; empty: all
  std::string_view missing_block = "";    // the block that its code takes where the file has none
  bool has_yarn_of_one = false;           // yarn's attention factor is 1 where none is given
  bool has_yarn_block = false;            // its rule stands in `yarn`, in words of its own
  bool has_alpha = false;                 // its code takes rule dynamic with `alpha` for a fixed base
  bool is_yarn_longrope = false;          // its code takes the rule yarn for longrope
  bool needs_mscales = false;             // longrope needs mscales, in place of an attention factor
  given<axis_order> axes{};               // of its pairs, whatever mrope_interleaved says
  std::array<int, 3> missing_sections{};  // of mrope_section; zeros: the key is required
  layer_rule layers{};
  std::string_view sliding_base = "";      // key of the base of its second table, that of usual layers
  double default_sliding_base = 0;         // of the type's own code; 0: there is one table
  std::string_view sliding_head_dim = "";  // key of the head_dim of usual layers
  int default_sliding_head_dim = 0;
  bool has_rule_on_both = false;  // rope_scaling is of both tables; else of special layers alone
  std::string_view needs = "";    // key and value without which the type does not rotate: "alibi=false"
  std::string_view otherwise = "does not rotate";  // what it does with another value of that key
  std::string_view unused = "";  // keys about positions that its code does not read, or not for the rotation
  std::string_view norm = "";    // of query and key, and its side of the rotation
  std::string_view query_factor = "";  // which does not depend on the position
  query_scale_rule query_scale{};
  std::string_view remark = "";  // what its code does besides, or otherwise than its weights want
  // Code that reads a file otherwise than its weights were trained with, and what it takes.
  std::string_view other_code = "";
  bool other_turns_all = false;     // the whole head
  double other_base = 0;            // 0: the same
  std::string_view not_built = "";  // why the type is refused; empty: it is not

  /// Whether its code turns a share of a head that the file says.
  constexpr bool turns_a_part() const {
    return has_part || missing_part != 1 || missing_sliding_part > 0 ||
           rotary_part != "partial_rotary_factor";
  }
};

/// The base of a type whose code has no other.
inline constexpr double default_base = 10000;

/// The keys that most models use, for a type that is not in the table and whose pairing the user gave. The
/// base has no default.
inline constexpr model_type unlisted_type = {.default_base = 0, .has_part = true};

/// Null when the table has no such type.
const model_type* find_model_type(std::string_view name);

/// The names of all types that can be read, in alphabetical order.
std::vector<std::string> model_type_names();

}  // namespace ropewalk::model
