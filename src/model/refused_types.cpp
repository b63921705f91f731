#include "model/refused_types.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "model/gguf_architectures.hpp"
#include "model/model_type.hpp"
#include "model/other_types.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// Refuses a missing model type, or one that is not listed.
[[noreturn]] void refuse_unlisted(const std::string& model_type) {
  if (model_type.starts_with(gguf_type_prefix))
    throw bad_input(
        "general.architecture", model_type.substr(gguf_type_prefix.size()),
        "an architecture that is known here; --pairing reads the file's keys of any, as if all layers were "
        "alike");
  const std::vector<std::string> names = model_type_names();
  const std::string all = fmt::format("one of {} types", names.size());
  const std::string otherwise =
      "--pairing reads any configuration that has rope_theta and the width of a head";
  if (model_type.empty()) throw bad_input("model_type", "missing", all + ", as \"llama\"; " + otherwise);
  const std::optional<std::string> nearest = nearest_name(model_type, names);
  throw bad_input("model_type", model_type,
                  all + (nearest ? ", the nearest " + *nearest : "") + "; " + otherwise);
}

/// Refuses a configuration whose flag turns rotation off: `needs` is "key=value".
void refuse_unless(std::string_view needs, std::string_view otherwise, const json& body,
                   const std::string& model_type) {
  const std::string_view key = needs.substr(0, needs.find('='));
  if (key.empty()) return;
  const json& value = value_of(body, key);
  const std::string wanted(needs.substr(key.size() + 1));
  const bool holds = wanted == "false"  ? value.is_null() || value == false
                     : wanted == "true" ? value == true
                                        : value == wanted;
  if (!holds)
    throw bad_input(std::string(key), shown(value),
                    wanted + ": with another value, model_type " + model_type + " " + std::string(otherwise));
}

}  // namespace

void refuse_what_does_not_rotate(const json& root, const json& body, const std::string& model_type,
                                 bool needs_type) {
  const ropewalk::model::model_type* type = find_model_type(model_type);
  if (const std::string_view name = other_encoding_of(model_type); !name.empty())
    throw bad_input("model_type", model_type, "a type that rotates: this one " + std::string(name));
  if (type == nullptr && is_wrapper(model_type))
    throw bad_input(
        "model_type", model_type,
        "the type of a text model: this type keeps its keys in text_config, and the file lacks it or its "
        "model_type");
  if (const std::string diffuser = text_in(root, "_class_name"); model_type.empty() && !diffuser.empty())
    throw bad_input("_class_name", diffuser,
                    "a model_type of transformers: a model of images, video or sound is not built");
  if (type == nullptr && needs_type) refuse_unlisted(model_type);
  if (type != nullptr && !type->not_built.empty())
    throw bad_input("model_type", model_type, std::string(type->not_built));
  for (const json* value : {&body, &root})
    if (flag_in(*value, "alibi").value_or(false))
      throw bad_input("alibi", "true", "false: with it the model adds ALiBi's biases and does not rotate");
  if (type != nullptr) refuse_unless(type->needs, type->otherwise, body, model_type);
  if (text_in(body, "position_embedding_type") == "alibi")
    throw bad_input("position_embedding_type", "alibi", "rope, rotary: ALiBi does not rotate");
  if (flag_in(body, "position_encoding_2d").value_or(false))
    throw bad_input("position_encoding_2d", "true",
                    "false: two parts of a head with positions of their own are not built");
}

}  // namespace ropewalk::model
