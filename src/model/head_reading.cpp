#include "model/head_reading.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/class_widths.hpp"
#include "model/key_words.hpp"
#include "model/layers.hpp"
#include "model/rotary_dim_reading.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::int64_t largest_head_count = 1024;  // no model has more; larger counts are ignored

class head_reader {
 public:
  explicit head_reader(open_config& config) : config_(config) {}

  void find_head();

 private:
  /// Reads the head counts, which test cases use and tables do not. Latent attention rotates one key head.
  void find_head_counts();
  std::int64_t head_dim_beside();
  std::int64_t find_head_dim();
  /// The width of a head in per_layer_config, which must be equal in all layers of the kind. In a type with
  /// two widths, a kind without one takes the usual width, and the key for the other width is ignored.
  /// source  HeterogeneousConfigMixin and Gemma4TextConfig in Hugging Face transformers 5
  given<std::int64_t> head_dim_by_layer(const input::json& by_layer);
  /// Refuses a share of a latent head that contradicts the widths; a right one adds no information.
  void require_part_of_all(std::int64_t head_dim, std::int64_t others);
  void find_latent_channels(std::int64_t head_dim);

  open_config& config_;
};

void head_reader::find_head() {
  const std::int64_t head_dim = find_head_dim();
  if (head_dim > largest_head_dim)
    throw bad_input("head_dim", number_text(head_dim), "a number from 1 to 65536");
  config_.result.layout.head_dim = static_cast<int>(head_dim);
  config_.lengths.head_dim = config_.result.layout.head_dim;
  const auto [rotary_dim, formula] = rotary_dim_in(config_, head_dim);
  if (rotary_dim > head_dim || rotary_dim < 2 || rotary_dim % 2 != 0)
    throw bad_input("rotary_dim", number_text(rotary_dim) + formula,
                    "an even number from 2 to head_dim " + number_text(head_dim));
  config_.result.encoding.rotary_dim = static_cast<int>(rotary_dim);
  config_.lengths.pairs = config_.result.encoding.rotary_dim / 2;
  if (config_.type->rotates_last && rotary_dim < head_dim) {
    config_.result.layout.rotary_begin = static_cast<int>(head_dim - rotary_dim);
    config_.sources.add("rotary_begin", number_text(config_.result.layout.rotary_begin),
                        "model_type " + config_.result.model_type + " rotates the last channels of a head");
  }
  find_latent_channels(head_dim);
  find_head_counts();
}

void head_reader::find_head_counts() {
  const auto count = [&](std::string_view key) {
    const std::int64_t number = integer_in(config_.body, std::string(key), 1).value_or(0);
    return number <= largest_head_count ? static_cast<int>(number) : 0;
  };
  config_.result.query_heads = count(config_.type->heads);
  config_.result.key_heads = config_.is_latent() ? 1 : count(config_.type->key_heads);
  if (config_.result.key_heads == 0) config_.result.key_heads = config_.result.query_heads;
}

std::int64_t head_reader::head_dim_beside() {
  config_.sources.add("head_dim", number_text(config_.how.beside.head_dim.value),
                      "--head-dim, as the file has none");
  return config_.how.beside.head_dim.value;
}

std::int64_t head_reader::find_head_dim() {
  const bool is_other = config_.is_second && !config_.type->sliding_head_dim.empty();
  const std::string own_key(is_other ? config_.type->sliding_head_dim : config_.type->head_dim);
  const int own_default = is_other ? config_.type->default_sliding_head_dim : config_.type->default_head_dim;
  const std::string width_key(config_.type->hidden_size);
  const std::string heads_key(config_.type->heads);
  given<std::int64_t> own = own_key.empty() ? given<std::int64_t>{} : integer_in(config_.body, own_key, 1);
  if (const json& layers = value_of(config_.body, "per_layer_config"); !layers.is_null())
    if (const given<std::int64_t> by_layer = head_dim_by_layer(layers)) return by_layer.value;
  if (!own && !config_.type->other_head_dim.empty())
    own = integer_in(config_.body, std::string(config_.type->other_head_dim), 1);
  given<std::int64_t> width = integer_in(config_.body, width_key, 1);
  given<std::int64_t> heads = integer_in(config_.body, heads_key, 1);
  const given<std::int64_t> beside =
      config_.beside_of_this_kind("head-dim", config_.how.beside.head_dim, is_other);
  if (own && config_.type->divides_hidden_size && width && heads && width.value % heads.value == 0 &&
      own.value != width.value / heads.value)
    throw bad_input(own_key, number_text(own.value),
                    number_text(width.value / heads.value) + ", " + width_key + " / " + heads_key +
                        ", which the code of model_type " + config_.result.model_type + " takes for heads");
  if (own) {
    config_.require_alike("head-dim", beside, own.value, own_key);
    config_.sources.add("head_dim", number_text(own.value),
                        own_key + (config_.is_latent() ? ", the part of query and key that rotates" : ""));
    return own.value;
  }
  if (beside && (own_default > 0 || !width || !heads)) return head_dim_beside();
  if (own_default > 0) {
    config_.sources.add("head_dim", number_text(own_default),
                        "no " + own_key + " is given: model_type " + config_.result.model_type + "'s own");
    return own_default;
  }
  std::string of_class;  // origin of numbers that are the class's defaults
  const class_widths by_class = widths_of_class(config_.result.model_type);
  for (const auto& [number, key, own_number] : {std::tuple(&width, &width_key, by_class.hidden_size),
                                                std::tuple(&heads, &heads_key, by_class.heads)}) {
    if (*number || own_number == 0) continue;
    *number = {own_number};
    of_class += (of_class.empty() ? ": no " : ", no ") + *key;
  }
  if (!of_class.empty())
    of_class += " is given, and model_type " + config_.result.model_type + " has its own";
  if (!width) throw bad_input(width_key, "missing", "a whole number above 0, or " + own_key);
  if (!heads) throw bad_input(heads_key, "missing", "a whole number above 0, or " + own_key);
  const std::int64_t channels = config_.type->width_multiple * width.value;
  if (channels % heads.value != 0)
    throw bad_input(width_key, number_text(width.value),
                    "a multiple of " + heads_key + " " + number_text(heads.value));
  const std::string times =
      config_.type->width_multiple == 1 ? "" : number_text(config_.type->width_multiple) + " ";
  config_.require_alike("head-dim", beside, channels / heads.value, times + width_key + " / " + heads_key);
  config_.sources.add("head_dim", number_text(channels / heads.value),
                      times + width_key + " " + number_text(width.value) + " / " + heads_key + " " +
                          number_text(heads.value) + of_class);
  return channels / heads.value;
}

given<std::int64_t> head_reader::head_dim_by_layer(const json& by_layer) {
  const std::string path = "per_layer_config.";
  if (!by_layer.is_object())
    throw bad_input("per_layer_config", shown(by_layer), "a JSON object, layers by number");
  const std::vector<std::string> kind_of_layer = kinds_in(config_.body, *config_.type);
  const std::int64_t count =
      kind_of_layer.empty() ? layers_in(config_.body) : static_cast<std::int64_t>(kind_of_layer.size());
  std::map<std::int64_t, std::int64_t> width_of_layer;
  for (const auto& [key, overrides] : by_layer.items()) {
    const auto layer = number_from<std::int64_t>(key);
    if (!layer || *layer < 0 || *layer >= count)
      throw bad_input(path + printable(key), shown(overrides),
                      "a layer's number below " + number_text(count));
    if (!overrides.is_object()) throw bad_input(path + key, shown(overrides), "a JSON object");
    for (const auto& [name, value] : overrides.items())
      if (name != "head_dim" && is_about_positions(name))
        throw bad_input(path + key + "." + printable(name), printable(shown(value)), "head_dim alone");
    if (const given<std::int64_t> width = integer_in(overrides, "head_dim", 1, path + key + "."))
      width_of_layer[*layer] = width.value;
  }
  const std::int64_t usual = !config_.type->sliding_head_dim.empty()
                                 ? integer_in(config_.body, config_.type->sliding_head_dim, 1)
                                       .value_or(config_.type->default_sliding_head_dim)
                                 : 0;
  given<std::int64_t> dim;
  for (std::int64_t layer = 0; layer < count; ++layer) {
    if (!kind_of_layer.empty() && kind_of_layer[static_cast<std::size_t>(layer)] != config_.result.layer_type)
      continue;
    const auto match = width_of_layer.find(layer);
    const std::int64_t width = match == width_of_layer.end() ? usual : match->second;
    if (dim && dim.value != width)
      throw bad_input(path + number_text(layer) + ".head_dim", width == 0 ? "missing" : number_text(width),
                      (dim.value == 0 ? std::string("none") : number_text(dim.value)) +
                          ", as in the other layers of its table");
    dim = {width};
  }
  if (!dim || dim.value == 0) return {};
  config_.sources.add("head_dim", number_text(dim.value), "per_layer_config");
  return dim;
}

void head_reader::require_part_of_all(std::int64_t head_dim, std::int64_t others) {
  if (!config_.type->has_part_of_all) return;
  const given<double> part = number_in(config_.block, "partial_rotary_factor", config_.prefix);
  config_.is_block_part_read = true;
  const double own = static_cast<double>(head_dim) / static_cast<double>(head_dim + others);
  if (part && part.value != own)
    throw bad_input(config_.prefix + "partial_rotary_factor", shown(part.value),
                    fmt::format("{}, {} of {} channels", shown(own), head_dim, head_dim + others));
}

void head_reader::find_latent_channels(std::int64_t head_dim) {
  if (!config_.is_latent()) return;
  const std::string key(config_.type->unrotated_dim);
  const given<std::int64_t> others = integer_in(config_.body, key, 0);
  if (others) require_part_of_all(head_dim, others.value);
  if (!others) return;
  if (others.value > largest_head_dim)
    throw bad_input(key, number_text(others.value), "a number up to 65536");
  config_.result.latent_channels = static_cast<int>(head_dim + others.value);
  config_.sources.add("query channels", number_text(config_.result.latent_channels),
                      key + " " + number_text(others.value) + " + " + std::string(config_.type->head_dim) +
                          " " + number_text(head_dim));
}

}  // namespace

void read_head(open_config& config) { head_reader(config).find_head(); }

}  // namespace ropewalk::model
