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

/// Numbers that are given beside a configuration. They fill in what it leaves open, and are refused where it
/// says something else. Where a type has other numbers for usual layers, they are of the others alone.
struct numbers_beside {
  given<double> base{};
  given<std::int64_t> head_dim{};
  given<std::int64_t> rotary_dim{};
};

/// What a model does with the cosines and sines of its positions. skewed: it puts two angles into one pair;
/// pooled: it averages those of its history over cells. Neither is a rotation.
enum class position_map { rotation, skewed, pooled };

/// Choices that a configuration leaves to its reader.
struct reading {
  given<pairing> layout{};  // replaces the model type's
  std::string part{};       // of a configuration that holds others: "text", "vision" or "audio"; empty: text
  std::string layer{};      // a layer's number, or a kind of layers as the configuration names it; empty: the
                            // kind with full attention, or the one that rotates
  std::map<std::string, std::string> ignored{};  // keys about positions that are left out, and why
  numbers_beside beside{};
  bool is_of_plan =
      false;  // one layer of all: numbers beside that are of other layers are left out, not refused
  std::optional<position_map> map = position_map::rotation;  // models with another are refused; nullopt: none
};

/// A rotary encoding, and where its numbers came from.
struct model {
  std::string name;        // catalogue name, the path as given, or "by hand"
  std::string model_type;  // empty when given by hand
  rope encoding{};
  rope_axes axes{};                    // which axis turns each pair, where positions have several
  axis_coordinates coordinates{};      // of an index on each axis
  const grid::family* grid = nullptr;  // how it places tokens; null: they are counted
  grid::numbers grid_numbers{};        // what that needs
  std::string
      channels_apart{};  // key and value of a layout of channels that no pairing names; tables have it
  std::optional<input::axis_positions> placed_tokens{};  // those of a grid that was asked for
  std::vector<grid::token_run> token_runs{};             // of them, in their order
  grid::request asked_grid{};                            // that grid
  std::array<double, 4> grid_divisor{1, 1, 1, 1};        // of their coordinates, which the axes' rules have
  std::vector<axis_window> windows{};         // [tokens, axes] of that grid, where cells are averaged
  position_map map = position_map::rotation;  // skewed: the layout is that of partners, `doubled` of angles
  std::vector<int> fourth_row;   // pairs that a fourth row of positions turns, which is 0 in text
  bool base_is_default = false;  // no key gave it: the default of the model type's own code
  head_layout layout{};
  pairing doubled = pairing::half_split;     // layout of the two copies in the type's own cos and sin
  std::int64_t max_position_embeddings = 0;  // 0: not given
  int query_heads = 0;                       // 0: not given
  int key_heads = 0;                         // those that rotate; 0: not given
  int latent_channels = 0;                   // of a latent-attention query, rotated or not; 0: not latent
  std::optional<scaled_queries> queries;     // scaled by their position
  std::string layer_type;                    // kind of the layers, where they are not all alike
  reading as_read;
  std::vector<fact> facts;   // the values that were read, and their origins
  std::vector<fact> beside;  // those of them that are compared as they are: the numbers of an indexer
  std::vector<std::string> warnings;  // conflicts, with both values; unused keys about positions
  std::string source;                 // the public source of the numbers, where the file names one
  std::string config;                 // the configuration as JSON text
};

/// A model's encoding on its axes.
placed_rope placed(const model& model);

/// Refuses a model whose channels no pairing names, for commands that turn tensors.
///
/// throws  bad_input naming the key
void require_paired_channels(const model& model);

/// The model with the tokens of a grid, whose coordinates may be exact fractions of an index.
///
/// throws  bad_input naming grid, text, fps, crop or reference
model with_grid(model model, const grid::request& request);

/// The same with another grid than that which was asked for before.
///
/// throws  bad_input naming grid, text, fps, crop or reference
model with_other_grid(model model, const grid::request& request);

/// The same with the picture that the class is made for, where it takes no other; else the model as it is.
model with_own_grid(model model);

/// The positions that a kernel takes for the positions of tokens: where an axis has a scale or an offset,
/// position_of_index of its indices.
///
/// throws  bad_input naming positions
input::axis_positions positions_of_kernels(const model& model, input::axis_positions at);

/// Calls whose tokens stand where the model places its own: those of the grid that was asked for, else small
/// ones of unlike sides, with text, a reference, a crop and frames in a second where its family takes them.
/// Without a grid, coordinates that are fractions of an index are real positions. None where tokens are
/// counted.
std::vector<input::axis_positions> own_calls(const model& model);

/// The encoding that a config.json describes.
///
/// domain  text: a JSON object, UTF-8, at most largest_config bytes, nested at most deepest_config levels, no
///         key twice
/// throws  bad_input or, of a scaling rule's numbers, another std::invalid_argument, naming the field, its
///         value and what is allowed
/// source  a row for each type in src/model/types_of_like_layers.cpp and src/model/types_of_two_kinds.cpp;
///         precedence as Hugging Face transformers 5
model parse_model(std::string_view text, std::string name, const reading& how = {});

/// The same from a file, a directory that holds a config.json, or - for standard input.
model read_model(const std::string& path, const reading& how = {});

/// An encoding given by hand; `scaling_json` is the JSON of a rope_scaling block, empty for none.
model model_by_hand(double base, std::int64_t head_dim, std::int64_t rotary_dim, pairing layout,
                    std::string_view scaling_json, int rotary_begin = 0);

/// Names of the built-in models of sequences, in alphabetical order.
std::vector<std::string> catalogue_names();

/// Names of the built-in models of images and videos, whose tokens --grid places, in alphabetical order.
std::vector<std::string> image_catalogue_names();

/// Names of the built-in models that turn no pair by one angle, in alphabetical order.
std::vector<std::string> map_catalogue_names();

/// All of them.
std::vector<std::string> all_catalogue_names();

/// Built-in models of every kind: all rules and pairings, whole and partial rotation, several axes.
std::span<const std::string_view> catalogue_spread();

/// throws  bad_input listing the names when there is no such model
model catalogue_model(std::string_view name, const reading& how = {});

/// The length of a sequence, and where it came from.
struct sequence_length {
  std::int64_t value = 0;
  std::string origin{};
};

/// The model with its table for sequences of a length; unchanged if its rule does not depend on the length.
///
/// domain  1 <= length.value <= largest_seq_len; a model that has no length yet
model at_length(model model, const sequence_length& length);

/// The model at the length that was typed or, if `typed` is empty, at the command's default. A model whose
/// rule does not depend on the length stays the same, with a warning if one was typed.
///
/// throws  bad_input naming seq-len
model at_seq_len(model model, const std::string& typed, const sequence_length& otherwise);

/// One line: rotary_dim, base, pairing, rule, factor, L, seq_len and kind of layers.
std::string summary(const model& model);

/// What measurements are recorded under: the model's name, or its summary if it was given by hand.
std::string recorded_name(const model& model);

/// "interleaved", "half-split", or both if a model reads one and writes the other.
std::string pairing_text(const head_layout& layout);
/// The same of a model; of a skewed one its two pairings.
std::string pairing_text(const model& model);

}  // namespace ropewalk::model
