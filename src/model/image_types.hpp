#pragma once
// Types of models that rotate by coordinates of images, videos and audio: classes of diffusers, named by
// `_class_name` in a configuration, and vision encoders, named by `model_type`.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grid/grid.hpp"
#include "input/json_text.hpp"
#include "model/model.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// Keys of one type's numbers, and the defaults in its code. An empty key means that the type has none.
struct image_type {
  std::string_view name = "";
  std::string_view grid = "video";  // family of coordinates, grid/families.cpp; empty: tokens are counted
  pairing layout = pairing::interleaved;
  given<pairing> angles{};  // skewed map: layout of the angles; `layout` is that of partners
  position_map map = position_map::rotation;
  std::string_view widths = "";               // key of a list: channels of each axis
  std::array<int, 4> own_widths{};            // default if the key is missing
  rope_axes (*axes_of)(int pairs) = nullptr;  // axes of a head's pairs, for types without that key
  std::string_view head_dim = "attention_head_dim";
  int own_head_dim = 0;  // default if the key is missing; 0: hidden_size / heads
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view base = "";  // key, at the top level or in rope_parameters
  double own_base = 10000;     // default if the key is missing
  /// Reads the type's own numbers, after those above.
  void (*finish)(const input::json& keys, model& result, provenance& sources) = nullptr;
  bool has_layers = false;  // has layers of two kinds, which --layer selects
  /// End of its tables: a key with one number, or one per axis; and the default.
  std::string_view end = "";
  std::array<std::int64_t, 4> own_end{};
  bool ends_below_zero = false;  // tables extend as far below 0
  std::string_view source = "";  // file of the class in diffusers, or folder in transformers
};

/// Null if there is no such class or type.
const image_type* find_image_type(std::string_view name);

/// Names of all image types, in alphabetical order.
std::vector<std::string> image_type_names();

/// How a class of diffusers that does not rotate encodes positions: "adds sinusoids"; empty for every other
/// class.
std::string_view other_encoding_of_class(std::string_view class_name);

/// Description of a map other than a rotation, and the kind of its table.
struct map_text {
  std::string_view name;   // "puts two angles into one pair"
  std::string_view kind;   // "skewed-cos-sin"
  std::string_view names;  // models of the catalogue with this map
};
const map_text& text_of(position_map map);

/// The object of a configuration that an image type reads; keys are null if no image type matches.
struct image_body {
  const input::json* keys = nullptr;
  const image_type* type = nullptr;
  std::string path;  // "vision_config"; empty: the top level
};

/// The object of a part of a configuration, "vision" or "audio". Without a part, the top level if its own
/// type is an image type.
///
/// throws  bad_input naming part, _class_name or model_type
image_body image_body_of(const input::json& root, const std::string& part);

/// OmniGen turns text and picture as one line by Phi-3's longrope. Returns its keys as those of phi3; nothing
/// for other classes.
std::optional<input::json> keys_of_phi3(const input::json& root);

/// Reads an object found by image_body_of.
///
/// throws  as parse_model
void read_image_type(const image_body& body, model& result, const reading& how);

}  // namespace ropewalk::model
