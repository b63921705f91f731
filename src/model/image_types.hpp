#pragma once
// Types of models that rotate by the coordinates of images, videos and audio: classes of diffusers, which a
// configuration names by `_class_name`, and vision encoders, by `model_type`.

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

/// Where one type's numbers stand, and what its code has where they do not. An empty key means that the type
/// has no such key.
struct image_type {
  std::string_view name = "";
  std::string_view grid = "video";  // family of its coordinates; grid/families.cpp; empty: tokens are counted
  pairing layout = pairing::interleaved;
  given<pairing> angles{};  // of a skewed map: the layout of its angles; `layout` is that of partners
  position_map map = position_map::rotation;
  std::string_view widths = "";               // key of a list of each axis's channels
  std::array<int, 4> own_widths{};            // of the class where the key is missing
  rope_axes (*axes_of)(int pairs) = nullptr;  // of the pairs of a head, where there is no such key
  std::string_view head_dim = "attention_head_dim";
  int own_head_dim = 0;  // of the class where the key is missing; 0: hidden_size / heads
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view base = "";  // key, at the top level or in rope_parameters
  double own_base = 10000;     // of the class where the key is missing
  /// Numbers of the type's own, after those above.
  void (*finish)(const input::json& keys, model& result, provenance& sources) = nullptr;
  bool has_layers = false;  // of two kinds, which --layer tells apart
  /// Where its tables end: a key of one number, or of one for each axis; and the class's own.
  std::string_view end = "";
  std::array<std::int64_t, 4> own_end{};
  bool ends_below_zero = false;  // as far below 0
  std::string_view source = "";  // file of the class in diffusers, or folder of the type in transformers
};

/// Null where there is no such class or type.
const image_type* find_image_type(std::string_view name);

/// The names of all of them, in alphabetical order.
std::vector<std::string> image_type_names();

/// What a class of diffusers does with positions, where it is no rotation that can be read: "adds sinusoids";
/// empty for every other one.
std::string_view other_encoding_of_class(std::string_view class_name);

/// What a map other than a rotation does, and the kind of table that it has.
struct map_text {
  std::string_view name;   // "puts two angles into one pair"
  std::string_view kind;   // "skewed-cos-sin"
  std::string_view names;  // models of the catalogue that have it
};
const map_text& text_of(position_map map);

/// A configuration, or the object in it, that an image type reads; null keys where none does.
struct image_body {
  const input::json* keys = nullptr;
  const image_type* type = nullptr;
  std::string path;  // "vision_config"; empty: the top level
};

/// The object of a configuration's part, "vision" or "audio"; without a part, the top level where its own
/// type is one of images.
///
/// throws  bad_input naming part, _class_name or model_type
image_body image_body_of(const input::json& root, const std::string& part);

/// OmniGen turns one line of text and picture by Phi-3's longrope: its keys as those of phi3; nothing for
/// other classes.
std::optional<input::json> keys_of_phi3(const input::json& root);

/// Reads such an object.
///
/// throws  as parse_model
void read_image_type(const image_body& body, model& result, const reading& how);

}  // namespace ropewalk::model
