#pragma once
// A model's rotary encoding, read from its Hugging Face config.json.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grid/grid.hpp"
#include "model/provenance.hpp"
#include "model/scaled_queries.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/pooled_axes.hpp"
#include "ropewalk/encoding/placed_rope.hpp"

namespace ropewalk::model {

/// Numbers given by options beside a configuration. They fill gaps; a number that contradicts the
/// configuration is refused. In a type with separate numbers for usual layers, they apply to the other layers
/// only.
struct numbers_beside {
  given<double> base{};
  given<std::int64_t> head_dim{};
  given<std::int64_t> rotary_dim{};
};

/// How a model applies the cosines and sines of its positions. skewed: puts two angles into one pair. pooled:
/// averages those of its history over cells. Neither is a rotation.
enum class position_map { rotation, skewed, pooled };

/// Choices that a configuration leaves to its reader.
struct reading {
  given<pairing> layout{};  // replaces the model type's pairing
  std::string part{};       // of a composite configuration: "text", "vision" or "audio"; empty: text
  // A layer's number, or a kind of layers as the configuration names it. Empty: the kind with full attention,
  // or the one that rotates.
  std::string layer{};
  std::map<std::string, std::string> ignored{};  // keys about positions left out by the user, with reasons
  numbers_beside beside{};
  // The layer is one of a plan. Numbers beside the configuration for other layers are ignored, not refused.
  bool is_of_plan = false;
  std::optional<position_map> map = position_map::rotation;  // other maps are refused; nullopt: none is
};

/// A rotary encoding, and the origin of its numbers.
struct model {
  std::string name;        // catalogue name, the path as given, or "by hand"
  std::string model_type;  // empty when given by hand
  rope encoding{};
  rope_axes axes{};                    // axis of each pair, if positions have several axes
  axis_coordinates coordinates{};      // coordinate of an index on each axis
  const grid::family* grid = nullptr;  // family that places tokens; null: tokens are counted
  grid::numbers grid_numbers{};        // the family's numbers
  // Key and value of a layout of channels that is no pairing; such a model has tables only.
  std::string channels_apart{};
  std::optional<input::axis_positions> placed_tokens{};  // tokens of the requested grid
  std::vector<grid::token_run> token_runs{};             // runs of these tokens, in order
  grid::request asked_grid{};                            // the requested grid
  std::array<double, 4> grid_divisor{1, 1, 1,
                                     1};      // divisors of their coordinates, applied by the axes' rules
  std::vector<axis_window> windows{};         // [tokens, axes] of that grid, if cells are averaged
  position_map map = position_map::rotation;  // skewed: `layout` is that of partners, `doubled` of angles
  std::vector<int> fourth_row;                // pairs turned by a fourth row of positions, 0 in text
  bool base_is_default = false;               // no key has it: the default in the model type's own code
  head_layout layout{};
  pairing doubled = pairing::half_split;     // layout of the two copies in the type's own cos and sin
  std::int64_t max_position_embeddings = 0;  // 0: not given
  int query_heads = 0;                       // 0: not given
  int key_heads = 0;                         // heads that rotate; 0: not given
  int latent_channels = 0;                   // channels of a latent-attention query; 0: not latent
  std::optional<scaled_queries> queries;     // scale of queries by position
  std::string layer_type;                    // kind of the layers, if they differ
  reading as_read;
  std::vector<fact> facts;            // values read, and their origins
  std::vector<fact> beside;           // facts that are compared as text: an indexer's numbers
  std::vector<std::string> warnings;  // conflicts, with both values; unused keys about positions
  std::string source;                 // the public source of the numbers, where the file names one
  std::string config;                 // the configuration as JSON text
};

/// A model's encoding on its axes.
placed_rope placed(const model& model);

/// Refuses a model whose layout of channels is no pairing, for commands that turn tensors.
///
/// throws  bad_input naming the key
void require_paired_channels(const model& model);

/// The model with the tokens of a grid. Their coordinates may be exact fractions of an index.
///
/// throws  bad_input naming grid, text, fps, crop or reference
model with_grid(model model, const grid::request& request);

/// The same, with another grid than the one requested before.
///
/// throws  bad_input naming grid, text, fps, crop or reference
model with_other_grid(model model, const grid::request& request);

/// The same, with the picture that the class is made for if it accepts no other; else unchanged.
model with_own_grid(model model);

/// Positions for a kernel, from the positions of tokens: if an axis has a scale or an offset,
/// position_of_index of its indices.
///
/// throws  bad_input naming positions
input::axis_positions positions_of_kernels(const model& model, input::axis_positions at);

/// Example calls with tokens placed by the model's own rule: the requested grid, else small grids of
/// different sides, with text, a reference, a crop and a frame rate if the family takes them. If no grid was
/// requested, coordinates that are fractions of an index are real positions. Empty if tokens are counted.
std::vector<input::axis_positions> own_calls(const model& model);

/// The encoding in a config.json.
///
/// domain  text: a JSON object, UTF-8, at most largest_config bytes, nested at most deepest_config levels, no
///         key twice
/// throws  bad_input or, of a scaling rule's numbers, another std::invalid_argument, naming the field, its
///         value and what is allowed
/// source  one row per type in src/model/types_of_like_layers.cpp and src/model/types_of_two_kinds.cpp;
///         precedence as Hugging Face transformers 5
model parse_model(std::string_view text, std::string name, const reading& how = {});

/// The same, from a file, a directory with a config.json, or - for standard input.
model read_model(const std::string& path, const reading& how = {});

/// An encoding given by hand; `scaling_json` is the JSON of a rope_scaling block, empty for none.
model model_by_hand(double base, std::int64_t head_dim, std::int64_t rotary_dim, pairing layout,
                    std::string_view scaling_json, int rotary_begin = 0);

/// Names of the built-in models of sequences, in alphabetical order.
std::vector<std::string> catalogue_names();

/// Names of the built-in models of images and videos, whose tokens are placed by --grid, in alphabetical
/// order.
std::vector<std::string> image_catalogue_names();

/// Names of the built-in models whose maps turn no pair by one angle, in alphabetical order.
std::vector<std::string> map_catalogue_names();

/// Names of all built-in models.
std::vector<std::string> all_catalogue_names();

/// Built-in models of every kind: all rules and pairings, whole and partial rotation, several axes.
std::span<const std::string_view> catalogue_spread();

/// throws  bad_input listing the names when there is no such model
model catalogue_model(std::string_view name, const reading& how = {});

/// The length of a sequence, and its origin.
struct sequence_length {
  std::int64_t value = 0;
  std::string origin{};
};

/// The model with its table for a sequence length; unchanged if its rule does not depend on the length.
///
/// domain  1 <= length.value <= largest_seq_len; a model not yet at a length
model at_length(model model, const sequence_length& length);

/// The model at the typed length or, if `typed` is empty, at the command's default. A model whose rule does
/// not depend on the length is unchanged; a typed length then causes a warning.
///
/// throws  bad_input naming seq-len
model at_seq_len(model model, const std::string& typed, const sequence_length& otherwise);

/// One line: rotary_dim, base, pairing, rule, factor, L, seq_len and kind of layers.
std::string summary(const model& model);

/// The name for recorded measurements: the model's name, or its summary if given by hand.
std::string recorded_name(const model& model);

/// "interleaved", "half-split", or both if input and output differ.
std::string pairing_text(const head_layout& layout);
/// The same for a model; for a skewed one, its two pairings.
std::string pairing_text(const model& model);

}  // namespace ropewalk::model
