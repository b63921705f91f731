#include "array/engine_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::array {
namespace {

using enum recipe::table_arithmetic;
using grid::request;

constexpr ratio frames(std::int64_t a_second) { return {a_second, 1}; }

/// A picture of `height` x `width` tokens.
request picture(std::int64_t height, std::int64_t width) { return {.picture = {1, height, width}}; }
request with_text(std::int64_t text, std::int64_t height, std::int64_t width) {
  return {.picture = {1, height, width}, .text = text};
}
request video(std::int64_t time, std::int64_t height, std::int64_t width) {
  return {.picture = {time, height, width}};
}
request at_fps(std::int64_t fps, const request& pictures) {
  request result = pictures;
  result.fps = frames(fps);
  return result;
}

/// Sizes are the largest that a pipeline or its documentation names, in tokens. Arithmetic is the class's.
///
/// source  huggingface/diffusers 58eb52c0803e, transformers decba1d: the class's file, or what is named here
std::vector<engine_in_use> listed_engines() {
  return {
      {"allegro", binary32, video(22, 45, 80), "sample sizes of the class"},
      {"bria-3.2", binary64, with_text(128, 64, 64), "default of the pipeline"},
      {"bria-fibo", binary64, with_text(3000, 64, 64), "default of the pipeline"},
      {"chroma", binary64, with_text(512, 64, 64), "default of the pipeline"},
      {"chrono-edit", binary64, video(21, 45, 80), "its documentation: 720p"},
      {"cogvideox-5b", binary32, video(13, 30, 45), "default of the pipeline"},
      {"cogview-4", binary32, picture(64, 64), "default of the pipeline"},
      {"cosmos-predict-2.5-2b", binary32, video(24, 44, 80), "default of the pipeline"},
      {"dinov3-vitl16", binary32, picture(14, 14), "image_size of the configuration"},
      {"easyanimate", binary32, video(13, 64, 64), "its documentation: 1024"},
      {"efficientloftr", binary32, picture(15, 20), "default of the image processor"},
      {"flux.1-dev", binary64, with_text(512, 102, 77), "its documentation: 1632 x 1232"},
      {"flux.2-dev", binary64, with_text(512, 64, 64), "default of the pipeline"},
      {"gemma-4-e4b-vision", binary32, picture(99, 99), "10080 patches of max_soft_tokens"},
      {"glm-4v-vision", binary32, picture(240, 250), "longest_edge of the image processor"},
      {"glm-image", binary32, picture(64, 72), "its documentation: 1024 x 1152"},
      {"hidream-i1", binary64, with_text(128, 64, 64), "default of the pipeline"},
      {"hunyuan-dit", binary32, picture(80, 80), "largest supported shape: 1280 x 1280"},
      {"hunyuan-image-2.1", binary32, picture(64, 64), "default of the pipeline: 2048 x 2048"},
      {"hunyuan-video", binary32, video(33, 45, 80), "default of the pipeline"},
      {"hunyuan-video-1.5", binary32, video(31, 45, 80), "default of the pipeline, 720p"},
      {"ideogram-4", binary32, with_text(2048, 128, 128), "default of the pipeline: 2048 x 2048"},
      {"joyimage-edit", binary32, video(2, 32, 128), "longest bucket of its image processor"},
      {"kandinsky-5-lite", binary32, video(61, 32, 48), "its documentation: 10 seconds"},
      {"kimi-k2.5-vision", binary32, picture(128, 128), "16384 patches of max_patches"},
      {"krea-2", binary64, with_text(512, 64, 64), "default of the pipeline"},
      {"llama-4-vision", binary32, picture(24, 24), "336 of the image processor"},
      {"longcat-image", binary64, with_text(512, 48, 84), "its documentation: 768 x 1344"},
      {"ltx-video", binary32, at_fps(25, video(21, 24, 36)), "its documentation: 768 x 1152, 161 frames"},
      {"ltx-2", binary64_frequency, at_fps(24, video(16, 32, 48)),
       "its documentation: 1024 x 1536, 121 frames"},
      {"lumina-2", binary64, with_text(256, 64, 64), "default of the pipeline"},
      {"lumina-next", binary32, picture(64, 64), "sample_size of the class"},
      {"minimax-h3",
       binary32,
       {.picture = {102, 24, 42}, .text = 512},
       "its documentation: 15 seconds of 768 x 1344; 512 of text are assumed"},
      {"minimax-m3-vision", binary32, picture(144, 144), "image_size, 2016"},
      {"motif-video", binary64, video(31, 46, 80), "default of the pipeline"},
      {"nucleus-image", binary32, with_text(1024, 64, 64), "default of the pipeline"},
      {"omnigen-v1", binary32, with_text(300, 64, 64), "default of the pipeline; 300 of text are assumed"},
      {"ovis-image", binary64, with_text(256, 64, 64), "default of the pipeline"},
      {"pixtral-vision", binary32, picture(64, 64), "image_size, 1024"},
      {"prx-pixel-7b", binary64, picture(64, 64), "largest bin of the pipeline"},
      {"qwen-image", binary32, with_text(1024, 64, 64), "default of the pipeline, its longest text"},
      {"qwen2.5-vl-vision", binary32, picture(70, 72), "longest_edge of the image processor"},
      {"qwen3-vl-vision", binary32, picture(62, 62), "longest_edge of the image processor"},
      {"sam-2.1-memory", binary32, picture(64, 64), "memory_attention_rope_feat_sizes"},
      {"sam-3-vit", binary32, picture(72, 72), "image_size, 1008"},
      {"sana-video-2b", binary64, video(21, 30, 52), "default of the pipeline"},
      {"skyreels-v2", binary64, video(25, 45, 80), "its documentation: 720p"},
      {"step-3.7-vision", binary32, picture(52, 52), "image_size, 728"},
      {"wan-2.1-14b", binary64, video(21, 45, 80), "its documentation: 720p"},
      {"wan-vace", binary64, video(21, 45, 80), "its documentation: 720p"},
      {"z-image", binary64_angle, with_text(512, 64, 64), "default of the pipeline"},
  };
}

void take(largest_error& so_far, const enclosure<2>& exact, float formed, const largest_error& at) {
  const double error = upper_binary64(exact - enclosure<2>::of(static_cast<double>(formed)));
  if (error <= so_far.error) return;
  so_far = at;
  so_far.error = error;
}

}  // namespace

std::span<const engine_in_use> engines_in_use() {
  static const std::vector<engine_in_use>& all = *new auto(listed_engines());  // never freed
  return all;
}

engine_error error_of(const engine_in_use& used) {
  const model::model placed = model::with_grid(model::catalogue_model(used.model), used.request);
  const placed_rope config = model::placed(placed);
  const recipe::axes_entries engine(config, used.arithmetic);
  const rope_rows rows(config);
  const input::axis_positions& positions = *placed.placed_tokens;
  engine_error error{.engine = &used, .family = placed.model_type, .tokens = positions.tokens()};
  std::vector<std::set<double>> numbers(static_cast<std::size_t>(positions.axes));  // of each axis, once
  for (std::int64_t token = 0; token < error.tokens; ++token) {
    const std::vector<double> at = positions.numbers_at(token);
    for (std::size_t axis = 0; axis < at.size(); ++axis) numbers[axis].insert(at[axis]);
  }
  for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
    const pair_axis of_pair = axis_of(pair, config.axes, config.encoding);
    if (of_pair.is_still()) continue;
    const auto axis = static_cast<std::size_t>(of_pair.axis);
    const ropewalk::coordinate& map = config.coordinates[axis];
    for (const double number : numbers[axis]) {
      const auto index = static_cast<std::int64_t>(number);
      const bool is_real = positions.is_real();
      const auto formed = is_real ? engine.at_real(pair, number) : engine.at(pair, index);
      const cos_sin<2> exact = is_real ? rows.exact<2>(pair, number, true)
                                       : rows.exact<2>(pair, position_of_index(index, map), true);
      const largest_error where{0, pair, of_pair.axis, is_real ? number : engine.coordinate_of(pair, index)};
      take(error.cos, exact.cos, formed.cos, where);
      take(error.sin, exact.sin, formed.sin, where);
    }
  }
  return error;
}

std::vector<engine_error> errors_of_engines(const std::function<void(double)>& progress) {
  std::vector<engine_error> errors;
  for (const engine_in_use& engine : engines_in_use()) {
    errors.push_back(error_of(engine));
    if (progress) progress(static_cast<double>(errors.size()) / static_cast<double>(engines_in_use().size()));
  }
  std::stable_sort(errors.begin(), errors.end(), [](const engine_error& a, const engine_error& b) {
    return a.larger().error > b.larger().error;
  });
  return errors;
}

std::string text_of(const grid::request& request) {
  const grid::sizes& sizes = request.picture;
  std::string text = sizes.time == 1 ? fmt::format("{}x{}", sizes.height, sizes.width)
                                     : fmt::format("{}x{}x{}", sizes.time, sizes.height, sizes.width);
  if (request.text) text += fmt::format(", {} of text", request.text.value);
  if (request.fps)
    text += fmt::format(", {} fps", request.fps.value.numerator / request.fps.value.denominator);
  return text;
}

}  // namespace ropewalk::array
