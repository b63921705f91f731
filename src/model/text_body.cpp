#include "model/text_body.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "model/model_type.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::string_view wrapping_keys[] = {"text_config",    "llm_config", "language_config",
                                              "thinker_config", "vlm_config", "text_cfg"};

/// The type of a text model whose own object does not state it.
struct wrapper {
  std::string_view model_type;
  std::string_view of_text;
};

constexpr wrapper wrappers[] = {
    {"aya_vision", "cohere2"},
    {"cohere2_vision", "cohere2"},
    {"deepseek_vl", "llama"},
    {"deepseek_vl_hybrid", "llama"},
    {"fast_vlm", "qwen2"},
    {"fuyu", "persimmon"},
    {"glm46v", "glm4v_text"},
    {"exaone4_5", "exaone4"},
    {"got_ocr2", "qwen2"},
    {"granite_speech", "granite"},
    {"granite_speech_plus", "granite"},
    {"idefics2", "mistral"},
    {"idefics3", "llama"},
    {"internvl", "qwen2"},
    {"janus", "llama"},
    {"kimi_k25", "deepseek_v3"},
    {"lfm2_vl", "lfm2"},
    {"lighton_ocr", "qwen3"},
    {"llava", "llama"},
    {"llava_next", "llama"},
    {"llava_next_video", "llama"},
    {"llava_onevision", "qwen2"},
    {"minicpmv4_6", "qwen3_5_text"},
    {"mistral3", "mistral"},
    {"modernvbert", "modernbert"},
    {"ovis2", "qwen2"},
    {"paligemma", "gemma"},
    {"perception_lm", "llama"},
    {"qianfan_ocr", "qwen3"},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {"qwen2_audio", "qwen2"},
    {"qwen3_asr", "qwen3"},
    {"smolvlm", "llama"},
    {"vibevoice_asr", "qwen2"},
    {"video_llava", "llama"},
    {"vipllava", "llama"},
    {"voxtral", "llama"},
};

/// A wrapper whose defaults for its text model differ from that model's class.
struct wrapper_defaults {
  std::string_view model_type;
  double base;
  int head_dim;
};

// source  _default_text_config_kwargs in the wrappers' configuration classes
constexpr wrapper_defaults own_defaults[] = {{"voxtral", 100000000, 128}, {"voxtral_realtime", 1000000, 128}};

/// Adds the wrapper's defaults for keys that the text model's object lacks.
void fill(text_body& body, const std::string& type_of_wrapper) {
  const auto defaults =
      std::find_if(std::begin(own_defaults), std::end(own_defaults),
                   [&](const wrapper_defaults& first) { return first.model_type == type_of_wrapper; });
  if (defaults == std::end(own_defaults)) return;
  auto filled = std::make_shared<json>(*body.keys);
  const auto fill_in = [&](const char* key, const json& value) {
    if (filled->contains(key)) return;
    (*filled)[key] = value;
    body.defaults += (body.defaults.empty() ? "" : ", ") + std::string(key) + " " + shown(value);
  };
  fill_in("head_dim", defaults->head_dim);
  if (const json& block = value_of(*filled, "rope_parameters");
      !block.is_object() || !block.contains("rope_theta"))
    fill_in("rope_theta", defaults->base);
  body.filled = std::move(filled);
  body.keys = body.filled.get();
}

/// The type of the text model in a wrapper of this type; empty if unknown.
std::string text_type_in(const std::string& type) {
  const auto match = std::find_if(std::begin(wrappers), std::end(wrappers),
                                  [&](const wrapper& wrapper) { return wrapper.model_type == type; });
  if (match != std::end(wrappers)) return std::string(match->of_text);
  for (const char* const ending : {"_text", "_text_model"})
    if (find_model_type(type + ending) != nullptr) return type + ending;
  return {};
}

}  // namespace

text_body text_body_of(const json& root) {
  text_body body{&root, "", text_in(root, "model_type"), "model_type"};
  for (bool is_deeper = true; is_deeper;) {
    is_deeper = false;
    for (const std::string_view key : wrapping_keys) {
      const json& nested = value_of(*body.keys, key);
      if (nested.is_null()) continue;
      const std::string path = body.path + (body.path.empty() ? "" : ".") + std::string(key);
      if (!nested.is_object()) throw bad_input(path, shown(nested), "a JSON object");
      const std::string own = text_in(nested, "model_type"), by_wrapper = text_type_in(body.model_type);
      if (!own.empty())
        body.type_origin = path + ".model_type";
      else if (!by_wrapper.empty())
        body.type_origin = "the text model of model_type " + body.model_type;
      const std::string outer_type = body.model_type;
      if (!own.empty() || !by_wrapper.empty()) body.model_type = own.empty() ? by_wrapper : own;
      body.keys = &nested;
      body.path = path;
      fill(body, outer_type);
      is_deeper = true;
      break;
    }
  }
  if (body.model_type.empty() && root.contains("dim") && root.contains("n_heads")) {
    body.model_type = "mistral_params";
    body.type_origin = "dim and n_heads, as in Mistral's params.json";
  }
  // Files saved before these types had a text_config have the text model's keys at the top level.
  if (body.path.empty() && (body.model_type == "paddleocr_vl" || body.model_type == "hunyuan_vl")) {
    body.type_origin = "the text model of model_type " + body.model_type;
    body.model_type = text_type_in(body.model_type);
  }
  return body;
}

}  // namespace ropewalk::model
