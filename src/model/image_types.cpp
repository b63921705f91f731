#include "model/image_types.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/provenance.hpp"
#include "ropewalk/config/axes_families.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr auto il = pairing::interleaved, hs = pairing::half_split, by_axis = pairing::half_split_by_axis;

/// A list of `count` numbers, each at least `smallest`; empty if the key is missing or null.
std::vector<double> numbers_in(const json& keys, std::string_view key, std::size_t count, double smallest) {
  const json& list = value_of(keys, key);
  if (list.is_null()) return {};
  std::vector<double> numbers;
  for (const json& value : list.is_array() ? list : json::array())
    if (value.is_number() && value.get<double>() >= smallest) numbers.push_back(value.get<double>());
  if (!list.is_array() || numbers.size() != list.size() || numbers.size() != count)
    throw bad_input(std::string(key), shown(list), "a list of " + std::to_string(count) + " numbers");
  return numbers;
}

constexpr std::int64_t most_of_a_key = std::int64_t{1} << 20;  // limit of sizes, heads and channels

/// The same for whole numbers.
std::vector<std::int64_t> integers_in(const json& keys, std::string_view key, std::size_t count,
                                      std::int64_t smallest) {
  std::vector<std::int64_t> integers;
  for (const double number : numbers_in(keys, key, count, static_cast<double>(smallest))) {
    if (number > static_cast<double>(most_of_a_key) ||
        number != static_cast<double>(static_cast<std::int64_t>(number)))
      throw bad_input(std::string(key), shown(value_of(keys, key)),
                      "whole numbers up to " + std::to_string(most_of_a_key));
    integers.push_back(static_cast<std::int64_t>(number));
  }
  return integers;
}

std::int64_t integer_or(const json& keys, std::string_view key, std::int64_t otherwise,
                        std::int64_t smallest = 1) {
  const std::int64_t count = integer_in(keys, key, smallest).value_or(otherwise);
  if (count > most_of_a_key)
    throw bad_input(std::string(key), std::to_string(count),
                    "a number up to " + std::to_string(most_of_a_key));
  return count;
}

void set_scaling(model& to, int axis, const rope_scaling& rule) {
  to.axes.axis[static_cast<std::size_t>(axis)].scaling = rule;
}

/// Ends its tables at the same position on every axis.
void end_tables_at(model& to, std::int64_t positions, const std::string& why) {
  to.grid_numbers.end = {{positions, positions, positions, positions}, false, why};
}

/// base s^(d / (d - 2)) on each axis, with a factor s per axis. The longest axis's range serves all axes.
void of_cosmos(const json& keys, model& to, provenance& sources) {
  std::vector<double> factors = numbers_in(keys, "rope_scale", 3, 0);
  const bool is_own = factors.empty();
  if (is_own) factors = {2, 1, 1};
  for (int axis = 0; axis < 3; ++axis)
    if (const double factor = factors[static_cast<std::size_t>(axis)]; factor != 1)
      set_scaling(to, axis, ntk{.factor = factor});
  sources.add("rope_scale", json(factors).dump(), is_own ? "the class's own" : "rope_scale");
  std::vector<std::int64_t> sizes = integers_in(keys, "max_size", 3, 1),
                            patch = integers_in(keys, "patch_size", 3, 1);
  if (sizes.empty()) sizes = {128, 240, 240};
  if (patch.empty()) patch = {1, 2, 2};
  std::int64_t most = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) most = std::max(most, sizes[axis] / patch[axis]);
  end_tables_at(to, most, "the largest of max_size / patch_size");
}

void of_allegro(const json& keys, model& to, provenance& sources) {
  constexpr std::pair<const char*, double> scales[] = {
      {"interpolation_scale_t", 2.2}, {"interpolation_scale_h", 2}, {"interpolation_scale_w", 2}};
  int axis = 0;
  for (const auto& [key, own] : scales) {
    const double factor = number_in(keys, key).value_or(own);
    if (factor != 1) set_scaling(to, axis, linear{.factor = factor});
    sources.add(key, shown(factor), "an index is divided by it");
    ++axis;
  }
}

void widen_over_heads(const json& keys, const char* key, model& to, std::int64_t own_heads,
                      provenance& sources) {
  const std::int64_t heads = integer_or(keys, key, own_heads);
  const std::int64_t channels = heads * to.layout.head_dim;
  if (channels > largest_head_dim)
    throw bad_input(key, std::to_string(heads), "a number whose heads have at most 65536 channels");
  to.layout.head_dim = to.encoding.rotary_dim = static_cast<int>(channels);
  to.query_heads = 1;
  sources.add("channels", std::to_string(channels), "all heads turn as one");
}

void of_ltx(const json& keys, model& to, provenance& sources) {
  widen_over_heads(keys, "num_attention_heads", to, 32, sources);
  to.axes = detail::rising(to.encoding.rotary_dim / 2, 3, to.encoding.base);
}

void tell_channels_of_ltx_2(const json& keys, model& to, provenance& sources) {
  const std::string kind = text_in(keys, "rope_type");
  if (!kind.empty() && kind != "interleaved" && kind != "split")
    throw bad_input("rope_type", kind, "interleaved, split");
  if (kind != "split") return;
  to.channels_apart = "rope_type split";
  sources.add("rope_type", kind,
              "half-split inside each head: the same pairs in the same order, in other channels");
}

void of_ltx_2(const json& keys, model& to, provenance& sources) {
  of_ltx(keys, to, sources);
  grid::numbers& numbers = to.grid_numbers;
  const std::vector<std::int64_t> cells = integers_in(keys, "vae_scale_factors", 3, 1);
  std::copy(cells.begin(), cells.end(), numbers.cells.begin());
  numbers.span = {integer_or(keys, "pos_embed_max_pos", 20), integer_or(keys, "base_height", 2048),
                  integer_or(keys, "base_width", 2048)};
  numbers.causal_offset = integer_or(keys, "causal_offset", 1, 0);
  tell_channels_of_ltx_2(keys, to, sources);
}

void require_patch_of_one(const json& keys, std::initializer_list<const char*> names) {
  for (const char* const key : names)
    if (const std::int64_t patch = integer_or(keys, key, 1); patch != 1)
      throw bad_input(key, std::to_string(patch), "1: no released file has another, and others are not read");
}

/// Sound turns by seconds only, in a separate attention.
void of_ltx_2_audio(const json& keys, model& to, provenance& sources) {
  widen_over_heads(keys, "audio_num_attention_heads", to, 32, sources);
  require_patch_of_one(keys, {"audio_patch_size", "audio_patch_size_t"});
  to.axes = detail::rising(to.encoding.rotary_dim / 2, 1, to.encoding.base);
  grid::numbers& numbers = to.grid_numbers;
  numbers.cells = {integer_or(keys, "audio_scale_factor", 4), integer_or(keys, "audio_hop_length", 160),
                   integer_or(keys, "audio_sampling_rate", 16000)};
  numbers.span[0] = integer_or(keys, "audio_pos_embed_max_pos", 20);
  numbers.causal_offset = integer_or(keys, "causal_offset", 1, 0);
  tell_channels_of_ltx_2(keys, to, sources);
}

void of_connector(const json& keys, const char* heads, const char* registers, model& to,
                  provenance& sources) {
  widen_over_heads(keys, heads, to, 30, sources);
  to.axes = detail::rising(to.encoding.rotary_dim / 2, 1, to.encoding.base);
  to.grid_numbers.span[0] = integer_or(keys, "connector_rope_base_seq_len", 4096);
  const bool has_none = keys.contains(registers) && value_of(keys, registers).is_null();
  to.grid_numbers.patch = has_none ? 1 : integer_or(keys, registers, 128);
  tell_channels_of_ltx_2(keys, to, sources);
}

void of_video_connector(const json& keys, model& to, provenance& sources) {
  of_connector(keys, "video_connector_num_attention_heads", "video_connector_num_learnable_registers", to,
               sources);
}
void of_audio_connector(const json& keys, model& to, provenance& sources) {
  of_connector(keys, "audio_connector_num_attention_heads", "audio_connector_num_learnable_registers", to,
               sources);
}

/// A quarter of the channels is for time; the rest is halved, in whole pairs.
void of_ltx_2_decoder(const json&, model& to, provenance&) {
  const int channels = to.layout.head_dim;
  if (channels % 8 != 0) throw bad_input("decoder_head_dim", std::to_string(channels), "a multiple of 8");
  int time = channels / 4 / 2 * 2;
  if ((channels - time) / 2 % 2 != 0) time -= 2;
  const int pairs = (channels - time) / 4;
  to.axes = own_axes(time / 2, pairs, pairs);
}

/// The first half of each head turns, by the token's number.
void of_half_a_head(const json&, model& to, provenance& sources) {
  to.encoding.rotary_dim = to.layout.head_dim / 2;
  if (to.encoding.rotary_dim % 2 != 0 || to.encoding.rotary_dim == 0)
    throw bad_input("head_dim", std::to_string(to.layout.head_dim), "a multiple of 4: its first half turns");
  sources.add("rotary_dim", std::to_string(to.encoding.rotary_dim), "the first half of each head");
}

/// One token has the audio's length; the audio follows it.
void of_stable_audio(const json& keys, model& to, provenance& sources) {
  of_half_a_head(keys, to, sources);
  const double frames = number_in(keys, "sample_size").value_or(1024);  // some files have 1024.0
  if (!(frames >= 1 && frames <= static_cast<double>(most_of_a_key)))
    throw bad_input("sample_size", shown(frames), "a number from 1 to " + std::to_string(most_of_a_key));
  to.max_position_embeddings = static_cast<std::int64_t>(frames) + 1;
  sources.add("max_position_embeddings", std::to_string(to.max_position_embeddings),
              "sample_size, and one token of the length in front");
}

void of_longcat_audio(const json&, model& to, provenance& sources) {
  constexpr int most = 2048;
  to.max_position_embeddings = most;
  sources.add("max_position_embeddings", std::to_string(most),
              "its code's; a longer call has a longer table");
}

void of_minimax_music(const json& keys, model& to, provenance& sources) {
  const std::int64_t channels = integer_or(keys, "rotary_dim", 32);
  if (channels % 2 != 0 || channels > to.layout.head_dim)
    throw bad_input("rotary_dim", std::to_string(channels), "an even number up to attention_head_dim");
  to.encoding.rotary_dim = static_cast<int>(channels);
  sources.add("rotary_dim", std::to_string(channels), "rotary_dim");
}

/// Pairs are in Qwen3-VL's order: time has those that height and width leave.
void of_cosmos_3(const json& keys, model& to, provenance& sources) {
  std::vector<std::int64_t> sections = integers_in(keys, "rope_axes_dim", 3, 0);
  const json& block = value_of(keys, "rope_scaling");
  if (sections.empty() && block.is_object()) sections = integers_in(block, "mrope_section", 3, 0);
  if (sections.empty()) sections = {24, 20, 20};
  const int pairs = to.encoding.rotary_dim / 2;
  if (sections[1] + sections[2] > pairs)
    throw bad_input("rope_axes_dim", json(sections).dump(), "at most " + std::to_string(pairs) + " pairs");
  const auto pairs_of = [&](std::size_t axis) { return static_cast<int>(sections[axis]); };
  to.axes = mrope_interleaved(pairs - pairs_of(1) - pairs_of(2), pairs_of(1), pairs_of(2));
  sources.add("rope_axes_dim", json(sections).dump(), "pairs of time, height and width");
  grid::numbers& numbers = to.grid_numbers;
  numbers.margin = integer_or(keys, "unified_3d_mrope_temporal_modality_margin", 15000, 0);
  numbers.rate = flag_in(keys, "enable_fps_modulation").value_or(true) ? integer_or(keys, "base_fps", 24) : 0;
  numbers.moves_rows = !flag_in(keys, "unified_3d_mrope_reset_spatial_ids").value_or(true);
  sources.add("positions", "text and picture",
              "sound and actions stand on grids of their own, which are not read");
}

void of_wan_animate_2(const json& keys, model& to, provenance& sources) {
  std::size_t axis = 0;
  for (const auto& [key, own] :
       {std::pair("refer_offset_t", 1), std::pair("refer_offset_h", 0), std::pair("refer_offset_w", -1)}) {
    const std::int64_t offset = integer_or(keys, key, own, -1);
    to.grid_numbers.offset[axis++] = offset;
    sources.add(key, std::to_string(offset),
                offset < 0 ? "the reference's own size" : "where the reference begins");
  }
  to.grid_numbers.stride = integer_or(keys, "refer_stride", 1);
}

/// A compressed token stands in the middle of its cells. The mean of their phases points there while there
/// are at most six.
void of_anyflow_far(const json& keys, model& to, provenance& sources) {
  constexpr std::int64_t most_cells = 6;
  std::vector<std::int64_t> compressed = integers_in(keys, "compressed_patch_size", 3, 1),
                            patch = integers_in(keys, "patch_size", 3, 1);
  if (compressed.empty()) compressed = {1, 4, 4};
  if (patch.empty()) patch = {1, 2, 2};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t cells = compressed[axis] / patch[axis];
    if (cells < 1 || cells > most_cells)
      throw bad_input("compressed_patch_size", json(compressed).dump(),
                      "1 to 6 times patch_size on each axis: beyond, the mean of a pair's phases turns back");
    to.grid_numbers.cells[axis] = cells;
  }
  if (to.grid_numbers.cells[1] != to.grid_numbers.cells[2])
    throw bad_input("compressed_patch_size", json(compressed).dump(), "the same for rows and columns");
  to.grid_numbers.span[0] = integer_or(keys, "rope_max_seq_len", 1024);
  sources.add("cells of a compressed token", json(to.grid_numbers.cells).dump(),
              "compressed_patch_size / patch_size");
}

void of_crop(const json& keys, model& to, provenance& sources, std::int64_t height, std::int64_t width) {
  const std::int64_t patch = integer_or(keys, "patch_size", 2);
  if (patch > std::min(height, width))
    throw bad_input(
        "patch_size", std::to_string(patch),
        "at most the base grid's sides, " + std::to_string(height) + " and " + std::to_string(width));
  to.grid_numbers.base = {1, height / patch, width / patch};
  sources.add("base grid", std::to_string(height / patch) + "x" + std::to_string(width / patch),
              "sizes " + std::to_string(height) + " and " + std::to_string(width) + " over patch_size");
}

void of_sample(const json& keys, model& to, provenance& sources) {
  of_crop(keys, to, sources, integer_or(keys, "sample_height", 60), integer_or(keys, "sample_width", 90));
}

/// Version 1.5 has patches in time, and counts tokens.
void of_cogvideox(const json& keys, model& to, provenance& sources) {
  if (!flag_in(keys, "use_rotary_positional_embeddings").value_or(false))
    throw bad_input("use_rotary_positional_embeddings",
                    shown(value_of(keys, "use_rotary_positional_embeddings")),
                    "true: otherwise the class adds sinusoids");
  of_sample(keys, to, sources);
  if (value_of(keys, "patch_size_t").is_null()) return;
  to.grid = grid::family_named("video");
  const grid::sizes& base = to.grid_numbers.base;
  to.grid_numbers.end = {
      {0, base.height, base.width, 0}, false, "sample_height and sample_width over patch_size"};
}

void of_easy_animate(const json& keys, model& to, provenance& sources) { of_crop(keys, to, sources, 60, 90); }
void of_hunyuan_dit(const json& keys, model& to, provenance& sources) { of_crop(keys, to, sources, 64, 64); }

void of_cogview_4(const json& keys, model& to, provenance& sources) {
  std::vector<std::int64_t> sides = integers_in(keys, "rope_axes_dim", 2, 1);
  if (sides.empty()) sides = {256, 256};
  to.grid_numbers.base = {1, sides[0], sides[1]};
  sources.add("rope_axes_dim", json(sides).dump(), "rows and columns that every picture is spread over");
}

/// Height and width take every third pair up to the ends of their sections; time takes the rest.
void of_ideogram(const json& keys, model& to, provenance& sources) {
  std::vector<std::int64_t> sections = integers_in(keys, "mrope_section", 3, 0);
  if (sections.empty()) sections = {24, 20, 20};
  const auto pairs_of = [&](std::size_t axis) { return static_cast<int>(sections[axis]); };
  const int pairs = to.encoding.rotary_dim / 2;
  to.axes = mrope_interleaved(pairs - pairs_of(1) - pairs_of(2), pairs_of(1), pairs_of(2));
  sources.add("mrope_section", json(sections).dump(),
              "of height and width; time has the other " + std::to_string(to.axes.axis[0].pairs) + " of " +
                  std::to_string(pairs) + " pairs");
}

void of_qwen_image(const json& keys, model& to, provenance& sources) {
  to.grid_numbers.is_layered = flag_in(keys, "use_layer3d_rope").value_or(false);
  if (to.grid_numbers.is_layered)
    sources.add("use_layer3d_rope", "true", "frames are layers, the condition stands at -1");
}

/// Text turns by its number, over the channels of all three axes.
void of_kandinsky_text(const json&, model& to, provenance&) {
  to.axes = {};
  constexpr int most = 1024;  // limit in its code
  to.max_position_embeddings = most;
}

void of_joy_image(const json& keys, model& to, provenance& sources) {
  const std::string kind = text_in(keys, "rope_type");
  if (!kind.empty() && kind != "rope" && kind != "mrope") throw bad_input("rope_type", kind, "rope, mrope");
  to.grid_numbers.turns_text = kind == "mrope";
  sources.add("rope_type", kind.empty() ? "rope" : kind,
              to.grid_numbers.turns_text ? "text turns" : "text does not turn");
}

void of_chrono_edit(const json& keys, model& to, provenance&) {
  to.grid_numbers.skip = integer_or(keys, "rope_temporal_skip_len", 8);
}

/// Frequencies in turns; coordinates run from -1 to 1.
void set_turns(model& to) {
  to.axes = detail::with_turn(to.axes, falling_from_one(to.encoding.base, 0, angle_unit::turn));
}

void of_dinov3(const json&, model& to, provenance&) { set_turns(to); }

void of_h3_decoder(const json& keys, model& to, provenance& sources) {
  const double part = number_in(keys, "decoder_rope_dim_ratio").value_or(0.75);
  const int channels = static_cast<int>(part * to.layout.head_dim);
  if (!(part > 0 && part <= 1) || channels % 6 != 0 || channels == 0)
    throw bad_input("decoder_rope_dim_ratio", shown(part), "a share whose channels are a multiple of 6");
  to.encoding.rotary_dim = channels;
  to.axes = detail::equal_thirds(channels / 2);
  set_turns(to);
  to.grid_numbers.unturned = integer_or(keys, "decoder_num_register_tokens", 4, 0) + 1;
  sources.add("rotary_dim", std::to_string(channels), "head_dim x decoder_rope_dim_ratio");
}

void of_h3(const json& keys, model& to, provenance& sources) {
  const std::int64_t each = integer_or(keys, "rope_freq_dim", 16);
  if (6 * each > to.layout.head_dim)
    throw bad_input("rope_freq_dim", std::to_string(each), "at most a sixth of the head");
  to.encoding.rotary_dim = static_cast<int>(6 * each);
  to.axes = detail::equal_thirds(static_cast<int>(3 * each));
  const std::vector<std::int64_t> patch = integers_in(keys, "patch_size", 3, 1);
  to.grid_numbers.patch = patch.empty() ? 2 : patch[1];
  sources.add("rotary_dim", std::to_string(6 * each), "6 rope_freq_dim");
}

void of_memory_attention(const json& keys, model& to, provenance&, const grid::sizes& own_grid) {
  const std::int64_t rate = integer_or(keys, "memory_attention_downsample_rate", 1);
  const std::int64_t channels = to.layout.head_dim / rate;
  to.layout.head_dim = to.encoding.rotary_dim = static_cast<int>(channels);
  to.axes = detail::halves(static_cast<int>(channels / 2));
  const auto add_grid = [&](const char* key) {  // a grid of columns and rows
    if (const std::vector<std::int64_t> sides = integers_in(keys, key, 2, 1); !sides.empty())
      to.grid_numbers.own.push_back({1, sides[1], sides[0]});
  };
  add_grid("memory_attention_rope_feat_sizes");
  if (to.grid_numbers.own.empty()) to.grid_numbers.own.push_back(own_grid);
  add_grid("memory_attention_rope_k_sizes");
  to.grid_numbers.own_why = "memory_attention_rope_feat_sizes";
}

void of_sam_2(const json& keys, model& to, provenance& sources) {
  of_memory_attention(keys, to, sources, {1, 64, 64});
}
void of_edgetam(const json& keys, model& to, provenance& sources) {
  of_sam_2(keys, to, sources);
  if (to.grid_numbers.own.size() == 1)
    to.grid_numbers.own.push_back({1, 16, 16});  // the grid of its memories
}
void of_sam_3_tracker(const json& keys, model& to, provenance& sources) {
  of_memory_attention(keys, to, sources, {1, 72, 72});
}

/// Layers with windows count inside a window; other layers scale the picture's indices to the window's size.
void of_sam_3(const json& keys, model& to, provenance& sources) {
  const std::int64_t window = integer_or(keys, "window_size", 24), patch = integer_or(keys, "patch_size", 14),
                     side = integer_or(keys, "image_size", 1008) / patch,
                     layers = integer_or(keys, "num_hidden_layers", 32);
  if (side < 1) throw bad_input("patch_size", std::to_string(patch), "at most image_size");
  const std::string& layer = to.as_read.layer;
  const auto number = number_from<std::int64_t>(layer);
  if (!layer.empty() && (!number || *number < 0 || *number >= layers))
    throw bad_input("layer", layer, "a layer's number, from 0 to " + std::to_string(layers - 1));
  const json& list = value_of(keys, "global_attn_indexes");
  const bool is_global = layer.empty() || std::find(list.begin(), list.end(), json(*number)) != list.end();
  if (is_global) to.grid_numbers.scale = {window, side};
  to.layer_type = is_global ? "global" : "windowed";
  sources.add("coordinates",
              is_global ? std::to_string(window) + "/" + std::to_string(side) + " of an index" : "indices",
              is_global ? "window_size over image_size / patch_size, in global layers" : "inside a window");
  const std::int64_t own_side = is_global ? side : window;
  to.grid_numbers.own = {{1, own_side, own_side}};
  to.grid_numbers.own_why = is_global ? "image_size / patch_size" : "window_size";
}

template <std::int64_t usual>
void of_blocks(const json& keys, model& to, provenance&) {
  to.grid_numbers.merge = integer_or(keys, "spatial_merge_size", usual);
}

/// Three axes with equal channels; the rest of the head passes through.
void turn_whole_thirds(model& to, provenance& sources) {
  const int each = to.layout.head_dim / 3 / 2;
  if (each == 0) throw bad_input("head_dim", std::to_string(to.layout.head_dim), "6 or more channels");
  to.encoding.rotary_dim = 6 * each;
  to.axes = detail::equal_thirds(3 * each);
  sources.add("rotary_dim", std::to_string(6 * each), "three axes of 2 floor(head_dim / 6) channels");
}

void of_minimax_m3(const json& keys, model& to, provenance& sources) {
  turn_whole_thirds(to, sources);
  to.grid_numbers.merge = integer_or(keys, "spatial_merge_size", 2);
}

void of_v_jepa_2(const json& keys, model& to, provenance& sources) {
  for (const char* const key : {"use_rope_interleave", "interpolate_rope"})
    if (flag_in(keys, key).value_or(false))
      throw bad_input(key, "true", "false, as in V-JEPA 2: another map is not read");
  turn_whole_thirds(to, sources);
  const std::int64_t crop = integer_or(keys, "crop_size", 256), patch = integer_or(keys, "patch_size", 16);
  if (patch > crop) throw bad_input("patch_size", std::to_string(patch), "at most crop_size");
  to.grid_numbers.base = {1, crop / patch, crop / patch};
  sources.add("tokens of a frame's side", std::to_string(crop / patch), "crop_size / patch_size");
}

/// A square of patches computed from image_size and patch_size, followed by a class token.
void of_llama_4(const json& keys, model& to, provenance&) {
  to.grid_numbers.unturned = 1;
  const std::int64_t patch = integer_or(keys, "patch_size", 14),
                     side = integer_or(keys, "image_size", 448) / patch;
  if (side < 1) throw bad_input("patch_size", std::to_string(patch), "at most image_size");
  to.grid_numbers.own = {{1, side, side}};
  to.grid_numbers.own_why = "image_size / patch_size";
}

/// Its frequencies are listed for each place of the largest picture.
void of_pixtral(const json& keys, model& to, provenance&) {
  const std::int64_t patch = integer_or(keys, "patch_size", 16);
  end_tables_at(to, std::max<std::int64_t>(1, integer_or(keys, "image_size", 1024) / patch),
                "image_size / patch_size");
}

void of_loftr(const json& keys, model& to, provenance& sources) {
  const std::int64_t channels = integer_or(keys, "hidden_size", 256);
  to.layout.head_dim = to.encoding.rotary_dim = static_cast<int>(channels);
  to.axes = detail::halves_in_turn(static_cast<int>(channels / 2));
  to.query_heads = 1;
  sources.add("channels", std::to_string(channels), "all heads turn as one");
}

/// HunyuanImage has two axes, or three in its refiner.
void of_hunyuan_image(const json&, model& to, provenance&) {
  to.grid = grid::family_named(to.axes.count == 2 ? "picture" : "video");
}

/// A class of diffusers with a list of channels per axis.
constexpr image_type by_widths(std::string_view name, std::string_view grid, std::string_view widths,
                               std::array<int, 4> own_widths, std::string_view base, double own_base,
                               std::string_view source) {
  image_type type;
  type.name = name, type.grid = grid, type.widths = widths, type.own_widths = own_widths, type.base = base;
  type.own_base = own_base, type.source = source;
  return type;
}

/// A class of diffusers whose axes follow from the head's width.
constexpr image_type by_head(std::string_view name, std::string_view grid, pairing layout,
                             rope_axes (*axes_of)(int), int own_head_dim, std::string_view source) {
  image_type type;
  type.name = name, type.grid = grid, type.layout = layout, type.axes_of = axes_of,
  type.own_head_dim = own_head_dim;
  type.source = source;
  return type;
}

/// A vision encoder of transformers.
constexpr image_type encoder(std::string_view name, std::string_view grid, pairing layout,
                             rope_axes (*axes_of)(int), std::string_view source) {
  image_type encoder = by_head(name, grid, layout, axes_of, 0, source);
  encoder.head_dim = "head_dim", encoder.base = "rope_theta";
  return encoder;
}

/// The same, with other names for heads and sizes, and the base in its code.
constexpr image_type qwen_encoder(std::string_view name, std::string_view hidden_size,
                                  std::string_view source) {
  image_type type = encoder(name, "blocks", hs, detail::halves, source);
  type.hidden_size = hidden_size, type.heads = "num_heads", type.base = "", type.finish = of_blocks<2>;
  return type;
}

constexpr image_type with(image_type type, void (*finish)(const json&, model&, provenance&)) {
  type.finish = finish;
  return type;
}
constexpr image_type skewed(image_type type, pairing angles, pairing partners) {
  type.map = position_map::skewed, type.angles = angles, type.layout = partners;
  return type;
}
constexpr image_type pooled(image_type type) {
  type.map = position_map::pooled;
  return type;
}
constexpr image_type with_layers(image_type type) {
  type.has_layers = true;
  return type;
}
constexpr image_type with_base(image_type type, std::string_view key, double own) {
  type.base = key, type.own_base = own;
  return type;
}
constexpr image_type with_heads(image_type type, std::string_view hidden_size, std::string_view heads) {
  type.head_dim = "", type.hidden_size = hidden_size, type.heads = heads;
  return type;
}
/// Sets the end of its tables: by a key, or by its code only.
constexpr image_type ends_at(std::string_view key, std::array<std::int64_t, 4> own, image_type type) {
  type.end = key, type.own_end = own;
  return type;
}
constexpr image_type ends_at(std::int64_t own, image_type type) {
  return ends_at("", {own, own, own, own}, type);
}
constexpr image_type ends_at_rows(image_type type) {
  constexpr std::int64_t own = 1024;
  return ends_at("rope_max_seq_len", {own, own, own, own}, type);
}
constexpr image_type ends_on_both_sides(std::int64_t own, image_type type) {
  type.ends_below_zero = true;
  return ends_at(own, type);
}
/// A class that counts tokens of sound or text.
constexpr image_type counted(std::string_view name, pairing layout, int own_head_dim,
                             std::string_view source) {
  return by_head(
      name, "", layout, [](int) { return rope_axes{}; }, own_head_dim, source);
}
constexpr image_type with_head_dim(image_type type, std::string_view key, int own) {
  type.head_dim = key, type.own_head_dim = own;
  return type;
}

const image_type types[] = {
    ends_at_rows(by_head("WanTransformer3DModel", "video", il, detail::thirds, 128, "transformer_wan.py")),
    ends_at_rows(
        by_head("WanVACETransformer3DModel", "video", il, detail::thirds, 128, "transformer_wan_vace.py")),
    ends_at_rows(by_head("WanAnimateTransformer3DModel", "video", il, detail::thirds, 128,
                         "transformer_wan_animate.py")),
    ends_at_rows(by_head("SkyReelsV2Transformer3DModel", "video", il, detail::thirds, 128,
                         "transformer_skyreels_v2.py")),
    ends_at_rows(
        by_head("AnyFlowTransformer3DModel", "video", il, detail::thirds, 128, "transformer_anyflow.py")),
    ends_at_rows(by_head("SanaVideoTransformer3DModel", "video", il, detail::thirds, 112,
                         "transformer_sana_video.py")),
    ends_at_rows(with(by_head("ChronoEditTransformer3DModel", "chrono-edit", il, detail::thirds, 128,
                              "transformer_chronoedit.py"),
                      of_chrono_edit)),
    by_widths("FluxTransformer2DModel", "flux", "axes_dims_rope", {16, 56, 56}, "", 10000,
              "transformer_flux.py"),
    by_widths("Flux2Transformer2DModel", "flux-2", "axes_dims_rope", {32, 32, 32, 32}, "rope_theta", 2000,
              "transformer_flux2.py"),
    by_widths("BriaTransformer2DModel", "flux", "axes_dims_rope", {16, 56, 56}, "rope_theta", 10000,
              "transformer_bria.py"),
    by_widths("BriaFiboTransformer2DModel", "flux", "axes_dims_rope", {16, 56, 56}, "rope_theta", 10000,
              "transformer_bria_fibo.py"),
    by_widths("ChromaTransformer2DModel", "flux", "axes_dims_rope", {16, 56, 56}, "", 10000,
              "transformer_chroma.py"),
    by_widths("Krea2Transformer2DModel", "flux", "axes_dims_rope", {32, 48, 48}, "rope_theta", 1000,
              "transformer_krea2.py"),
    by_widths("OvisImageTransformer2DModel", "ovis-image", "axes_dims_rope", {16, 56, 56}, "", 10000,
              "transformer_ovis_image.py"),
    by_widths("LongCatImageTransformer2DModel", "longcat-image", "axes_dims_rope", {16, 56, 56}, "", 10000,
              "transformer_longcat_image.py"),
    by_widths("HiDreamImageTransformer2DModel", "hidream", "axes_dims_rope", {32, 32}, "", 10000,
              "transformer_hidream_image.py"),
    ends_on_both_sides(4096, with(by_widths("QwenImageTransformer2DModel", "qwen-image", "axes_dims_rope",
                                            {16, 56, 56}, "", 10000, "transformer_qwenimage.py"),
                                  of_qwen_image)),
    ends_on_both_sides(4096, by_widths("NucleusMoEImageTransformer2DModel", "nucleus-image", "axes_dims_rope",
                                       {16, 56, 56}, "", 10000, "transformer_nucleusmoe_image.py")),
    by_widths("HunyuanVideoTransformer3DModel", "video", "rope_axes_dim", {16, 56, 56}, "rope_theta", 256,
              "transformer_hunyuan_video.py"),
    by_widths("HunyuanVideo15Transformer3DModel", "video", "rope_axes_dim", {16, 56, 56}, "rope_theta", 256,
              "transformer_hunyuan_video15.py"),
    with(by_widths("HunyuanImageTransformer2DModel", "picture", "rope_axes_dim", {64, 64}, "rope_theta", 256,
                   "transformer_hunyuanimage.py"),
         of_hunyuan_image),
    by_widths("MotifVideoTransformer3DModel", "video", "rope_axes_dim", {16, 56, 56}, "rope_theta", 256,
              "transformer_motif_video.py"),
    by_widths("PRXTransformer2DModel", "picture", "axes_dim", {32, 32}, "theta", 10000, "transformer_prx.py"),
    ends_at(128, by_widths("Kandinsky5Transformer3DModel", "kandinsky-5", "axes_dims", {16, 24, 24}, "",
                           10000, "transformer_kandinsky.py")),
    with(by_widths("JoyImageEditTransformer3DModel", "joy-image", "rope_dim_list", {16, 56, 56}, "theta", 256,
                   "transformer_joyimage.py"),
         of_joy_image),
    with(by_widths("JoyImageEditPlusTransformer3DModel", "joy-image", "rope_dim_list", {16, 56, 56}, "theta",
                   256, "transformer_joyimage_edit_plus.py"),
         of_joy_image),
    ends_at("axes_lens", {300, 512, 512, 0},
            by_widths("Lumina2Transformer2DModel", "lumina-2", "axes_dim_rope", {32, 32, 32}, "", 10000,
                      "transformer_lumina2.py")),
    ends_at("axes_lens", {1024, 512, 512, 0},
            by_widths("ZImageTransformer2DModel", "z-image", "axes_dims", {32, 48, 48}, "rope_theta", 256,
                      "transformer_z_image.py")),
    with(by_head("CogVideoXTransformer3DModel", "crop", il, detail::quarter_and_halves, 64,
                 "cogvideox_transformer_3d.py"),
         of_cogvideox),
    with(by_head("ConsisIDTransformer3DModel", "crop", il, detail::quarter_and_halves, 64,
                 "consisid_transformer_3d.py"),
         of_cogvideox),
    with(by_head("EasyAnimateTransformer3DModel", "crop", il, detail::quarter_and_halves, 64,
                 "transformer_easyanimate.py"),
         of_easy_animate),
    with(by_head("HunyuanDiT2DModel", "crop-columns-first", il, detail::halves, 88,
                 "hunyuan_transformer_2d.py"),
         of_hunyuan_dit),
    with(
        by_head("CogView4Transformer2DModel", "cogview-4", hs, detail::halves, 40, "transformer_cogview4.py"),
        of_cogview_4),
    by_head("GlmImageTransformer2DModel", "picture", hs, detail::halves, 40, "transformer_glm_image.py"),
    with(by_head("AllegroTransformer3DModel", "video", by_axis, detail::equal_thirds, 96,
                 "transformer_allegro.py"),
         of_allegro),
    with(by_head("CosmosTransformer3DModel", "cosmos", hs, detail::thirds, 128, "transformer_cosmos.py"),
         of_cosmos),
    with(by_head("LTXVideoTransformer3DModel", "ltx-video", il, detail::halves, 64, "transformer_ltx.py"),
         of_ltx),
    with(with_base(
             by_head("LTX2VideoTransformer3DModel", "ltx-2", il, detail::halves, 128, "transformer_ltx2.py"),
             "rope_theta", 10000),
         of_ltx_2),
    with(with_head_dim(with_base(by_head("LTX2VideoTransformer3DModel/audio", "ltx-2-audio", il,
                                         detail::halves, 64, "transformer_ltx2.py"),
                                 "rope_theta", 10000),
                       "audio_attention_head_dim", 64),
         of_ltx_2_audio),
    with(with_head_dim(with_base(by_head("LTX2TextConnectors", "ltx-2-connector", il, detail::halves, 128,
                                         "pipelines/ltx2/connectors.py"),
                                 "rope_theta", 10000),
                       "video_connector_attention_head_dim", 128),
         of_video_connector),
    with(with_head_dim(with_base(by_head("LTX2TextConnectors/audio", "ltx-2-connector", il, detail::halves,
                                         128, "pipelines/ltx2/connectors.py"),
                                 "rope_theta", 10000),
                       "audio_connector_attention_head_dim", 128),
         of_audio_connector),
    with(with_head_dim(by_head("LTX2VideoDiffusionDecoderModel", "video", il, detail::equal_thirds, 64,
                               "ltx2_diffusion_decoder.py"),
                       "decoder_head_dim", 64),
         of_ltx_2_decoder),
    with(with_head_dim(with_base(by_head("Cosmos3OmniTransformer", "cosmos-3", hs, detail::eighth_and_halves,
                                         128, "transformer_cosmos3.py"),
                                 "rope_theta", 5000000),
                       "head_dim", 128),
         of_cosmos_3),
    with(with_heads(by_head("WanAnimate2Transformer3DModel", "wan-animate-2", il, detail::thirds, 0,
                            "transformer_wan_animate_2.py"),
                    "dim", "num_heads"),
         of_wan_animate_2),
    with(by_head("AnyFlowFARTransformer3DModel", "anyflow-far", il, detail::thirds, 128,
                 "transformer_anyflow_far.py"),
         of_anyflow_far),
    with_head_dim(with_base(counted("AceStepTransformer1DModel", hs, 128, "ace_step_transformer.py"),
                            "rope_theta", 1000000),
                  "head_dim", 128),
    with(with_base(
             with_heads(counted("LongCatAudioDiTTransformer", hs, 64, "transformer_longcat_audio_dit.py"),
                        "dit_dim", "dit_heads"),
             "", 100000),
         of_longcat_audio),
    with(counted("MiniMaxMusic3Transformer1DModel", hs, 64, "transformer_minimax_music3.py"),
         of_minimax_music),
    with(counted("StableAudioDiTModel", hs, 64, "stable_audio_transformer.py"), of_stable_audio),
    with(with_heads(counted("StableAudio3DiTModel", hs, 64, "transformer_stable_audio3.py"), "embed_dim",
                    "num_heads"),
         of_half_a_head),
    with(with_head_dim(counted("AutoencoderSAME", hs, 64, "autoencoder_same.py"), "dim_heads", 64),
         of_half_a_head),
    with(by_widths("Kandinsky5Transformer3DModel/text", "", "axes_dims", {16, 24, 24}, "", 10000,
                   "transformer_kandinsky.py"),
         of_kandinsky_text),
    with(with_base(by_head("Ideogram4Transformer2DModel", "ideogram-4", hs, detail::eighth_and_halves, 256,
                           "transformer_ideogram4.py"),
                   "rope_theta", 5000000),
         of_ideogram),
    with(with_base(by_head("MiniMaxH3Transformer3DModel", "minimax-h3", hs, detail::equal_thirds, 128,
                           "transformer_minimax_h3.py"),
                   "rope_theta", 10000),
         of_h3),
    with(with_head_dim(with_base(by_head("AutoencoderKLMiniMaxH3", "centres-of-video", hs,
                                         detail::equal_thirds, 64, "autoencoder_kl_minimax_h3.py"),
                                 "decoder_rope_theta", 100),
                       "decoder_attention_head_dim", 64),
         of_h3_decoder),
    ends_at(384, with_heads(by_head("LuminaNextDiT2DModel", "picture", il, detail::halves_in_turn, 0,
                                    "lumina_nextdit2d.py"),
                            "hidden_size", "num_attention_heads")),
    with(with_base(encoder("dinov3_vit", "centres", hs, detail::halves, "dinov3_vit"), "rope_theta", 100),
         of_dinov3),
    with(with_base(encoder("sapiens2", "centres", hs, detail::halves, "sapiens2"), "rope_theta", 100),
         of_dinov3),
    with(with_base(encoder("eomt_dinov3", "centres", hs, detail::halves, "eomt_dinov3"), "rope_theta", 100),
         of_dinov3),
    with_base(encoder("gemma4_vision", "columns-first", by_axis, detail::halves, "gemma4"), "rope_theta",
              100),
    with(with_heads(with_base(encoder("sam2_video", "columns-first", il, detail::halves, "sam2_video"),
                              "memory_attention_rope_theta", 10000),
                    "memory_attention_hidden_size", "memory_attention_num_attention_heads"),
         of_sam_2),
    with(with_heads(with_base(encoder("edgetam_video", "columns-first", il, detail::halves, "edgetam_video"),
                              "memory_attention_rope_theta", 10000),
                    "memory_attention_hidden_size", "memory_attention_num_attention_heads"),
         of_edgetam),
    with(with_heads(with_base(encoder("sam3_tracker_video", "columns-first", il, detail::halves,
                                      "sam3_tracker_video"),
                              "memory_attention_rope_theta", 10000),
                    "memory_attention_hidden_size", "memory_attention_num_attention_heads"),
         of_sam_3_tracker),
    with(with_layers(encoder("sam3_vit_model", "columns-first", il, detail::halves, "sam3")), of_sam_3),
    qwen_encoder("qwen2_vl_vision", "embed_dim", "qwen2_vl"),
    qwen_encoder("qwen2_5_vl_vision", "hidden_size", "qwen2_5_vl"),
    qwen_encoder("qwen2_5_omni_vision_encoder", "hidden_size", "qwen2_5_omni"),
    qwen_encoder("qwen3_vl_vision", "hidden_size", "qwen3_vl"),
    qwen_encoder("qwen3_vl_moe_vision", "hidden_size", "qwen3_vl_moe"),
    qwen_encoder("qwen3_omni_moe_vision_encoder", "hidden_size", "qwen3_omni_moe"),
    qwen_encoder("qwen3_5_vision", "hidden_size", "qwen3_5"),
    qwen_encoder("qwen3_5_moe_vision", "hidden_size", "qwen3_5_moe"),
    qwen_encoder("glm4v_vision", "hidden_size", "glm4v"),
    qwen_encoder("glm4v_moe_vision", "hidden_size", "glm4v_moe"),
    qwen_encoder("glm_ocr_vision", "hidden_size", "glm_ocr"),
    qwen_encoder("cohere_compass_vision", "hidden_size", "cohere_compass"),
    qwen_encoder("ernie4_5_vl_moe_vision", "hidden_size", "ernie4_5_vl_moe"),
    qwen_encoder("exaone4_5_vision", "hidden_size", "exaone4_5"),
    with_base(encoder("paddleocr_vl_vision", "picture-of-frames", hs, detail::halves, "paddleocr_vl"), "",
              10000),
    encoder("step3p5_vision", "picture", hs, detail::halves, "step3p7"),
    encoder("muse_glimmer_vision", "columns-first-from-one", hs, detail::halves, "muse_glimmer"),
    encoder("kimi_k25_vision", "columns-first-of-frames", hs, detail::halves_in_turn, "kimi_k25"),
    with(encoder("minimax_m3_vl_vision", "blocks-of-video", hs, detail::equal_thirds, "minimax_m3_vl"),
         of_minimax_m3),
    skewed(by_widths("ErnieImageTransformer2DModel", "ernie-image", "rope_axes_dim", {32, 48, 48},
                     "rope_theta", 256, "transformer_ernie_image.py"),
           il, hs),
    skewed(with(with_heads(
                    with_base(encoder("vjepa2", "v-jepa-2", il, detail::equal_thirds, "vjepa2"), "", 10000),
                    "hidden_size", "num_attention_heads"),
                of_v_jepa_2),
           by_axis, il),
    skewed(with(with_head_dim(with_heads(with_base(encoder("vjepa2/predictor", "v-jepa-2", il,
                                                           detail::equal_thirds, "vjepa2"),
                                                   "", 10000),
                                         "pred_hidden_size", "pred_num_attention_heads"),
                              "", 32),
                of_v_jepa_2),
           by_axis, il),
    pooled(by_widths("HeliosTransformer3DModel", "helios", "rope_dim", {44, 42, 42}, "rope_theta", 10000,
                     "transformer_helios.py")),
    pooled(by_widths("HunyuanVideoFramepackTransformer3DModel", "framepack", "rope_axes_dim", {16, 56, 56},
                     "rope_theta", 256, "transformer_hunyuan_video_framepack.py")),
    with(encoder("llama4_vision_model", "columns-first-from-one", il, detail::halves, "llama4"), of_llama_4),
    with(encoder("pixtral", "picture", hs, pixtral, "pixtral"), of_pixtral),
    with(encoder("efficientloftr", "from-one", il, detail::halves_in_turn, "efficientloftr"), of_loftr),
};

struct other_class {
  std::string_view name, text;
};

constexpr map_text map_texts[] = {
    {"rotates", "cos-sin", "wan-2.1-14b, flux.1-dev"},
    {"puts two angles into one pair, so that no pair turns by one angle", "skewed-cos-sin",
     "ernie-image, v-jepa-2"},
    {"averages the cosines and sines of its history, which is then no rotation", "pooled-cos-sin",
     "helios, hunyuan-video-framepack"},
};

constexpr other_class other_classes[] = {
    {"SD3Transformer2DModel", "adds sinusoids of rows and columns to the tokens, cropped from a table"},
    {"PixArtTransformer2DModel", "adds sinusoids of rows and columns to the tokens"},
    {"SanaTransformer2DModel", "has no positions up to 1024 pixels, and adds sinusoids above"},
    {"DiTTransformer2DModel", "adds sinusoids of rows and columns to the tokens"},
    {"LatteTransformer3DModel", "adds sinusoids of rows, columns and frames to the tokens"},
    {"CogView3PlusTransformer2DModel", "adds sinusoids of rows and columns to the tokens, cut at the corner"},
    {"AuraFlowTransformer2DModel", "adds a learned table of patches, cut in the middle"},
    {"MochiTransformer3DModel",
     "turns by the sum over three axes, with learned frequencies: `ropewalk table mixed --frequencies FILE` "
     "makes its table"},
    {"MiniMaxMusic3RVQDepthDecoder", "adds a learned row for each of 16 codebooks"},
    {"DreamLiteTransformer2DModel", "turns nothing, and adds sinusoids of a token's number at most"},
    {"PriorTransformer", "adds a learned row for each position"},
    {"T5FilmDecoder", "adds a learned row for each position"},
    {"TransformerTemporalModel", "adds sinusoids of the frames at most"},
};

}  // namespace

const image_type* find_image_type(std::string_view name) {
  const auto type = std::find_if(std::begin(types), std::end(types),
                                 [&](const image_type& entry) { return entry.name == name; });
  return type == std::end(types) ? nullptr : type;
}

std::vector<std::string> image_type_names() {
  std::vector<std::string> names;
  for (const image_type& type : types)
    if (type.name.find('/') == type.name.npos) names.emplace_back(type.name);
  std::sort(names.begin(), names.end());
  return names;
}

const map_text& text_of(position_map map) { return map_texts[static_cast<int>(map)]; }

std::string_view other_encoding_of_class(std::string_view class_name) {
  for (const other_class& entry : other_classes)
    if (entry.name == class_name) return entry.text;
  return {};
}

}  // namespace ropewalk::model
