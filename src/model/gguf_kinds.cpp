#include "model/gguf_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

class kinds_reader : gguf_keys {
 public:
  explicit kinds_reader(const gguf_keys& keys) : gguf_keys(keys) {}

  /// The kinds of the layers; empty if all are alike.
  gguf_kinds found(std::int64_t count) {
    constexpr std::int64_t most_layers = 100'000;
    if (count > most_layers) throw bad_input(prefix + "block_count", std::to_string(count), "at most 100000");
    refuse_depth(count);
    const std::vector<bool> slide = sliding_layers(count);
    kinds_.do_slide = std::find(slide.begin(), slide.end(), true) != slide.end();
    const std::int64_t dense =
        of_code.dense_rotates ? integer("attention.leading_dense_block_count").value_or(0) : 0;
    for (std::int64_t layer = 0; layer < count; ++layer) {
      const auto at = static_cast<std::size_t>(layer);
      const bool slides = at < slide.size() && slide[at];
      std::string_view kind = slides || layer < dense ? usual_kind : full_kind;
      if (of_code.still_every > 0 && stands_still(layer, count)) kind = still_kind;
      if (has_no_attention(layer)) kind = other_kind;
      if (const json& ratios = value("attention.compress_ratios"); ratios.is_array() && at < ratios.size())
        kind = ratios[at] == 0 ? usual_kind : full_kind;
      kinds_.of_layers.emplace_back(kind);
    }
    return std::move(kinds_);
  }

 private:
  /// Refuses a model in which no layer rotates because of its depth or a flag.
  void refuse_depth(std::int64_t count) const {
    if (of_code.rotating_depth > 0 && count != of_code.rotating_depth)
      throw bad_input(prefix + "block_count", std::to_string(count),
                      fmt::format("{}: in a model of another depth, no layer of architecture {} rotates",
                                  of_code.rotating_depth, name));
    if (of_code.stands_without_finetuned && value("rope.scaling.finetuned") == false)
      throw bad_input(prefix + "rope.scaling.finetuned", "false", "true: without it, no layer rotates");
  }

  bool stands_still(std::int64_t layer, std::int64_t count) const {
    const given<std::int64_t> window = integer("attention.sliding_window");
    if (of_code.needs_window && window.value_or(0) == 0) return false;
    const bool is_whole = name == "llama4" && window && window.value == 0;  // one run of all layers
    const std::int64_t every = is_whole ? count : of_code.still_every;
    return of_code.begins_still ? layer % every == 0 : (layer + 1) % every == 0;
  }

  /// Whether a layer of a hybrid lacks attention: it has no key heads, or the interval skips it.
  bool has_no_attention(std::int64_t layer) const {
    const auto at = static_cast<std::size_t>(layer);
    for (const char* const key : {"attention.head_count_kv", "attention.head_count"}) {
      const json& heads = value(key);
      if (heads.is_array() && at < heads.size() && heads[at] == 0) return true;
    }
    if (of_code.recurrent_interval == 0) return false;
    if (const json& recurrent = value("attention.recurrent_layers"); recurrent.is_array())
      return at < recurrent.size() && (recurrent[at] == true || recurrent[at] == 1);
    const std::int64_t interval = integer("full_attention_interval").value_or(of_code.recurrent_interval);
    return interval > 0 && (layer + 1) % interval != 0;
  }

  std::vector<bool> sliding_layers(std::int64_t count) {
    const json& pattern = value("attention.sliding_window_pattern");
    const std::string pattern_key = prefix + "attention.sliding_window_pattern";
    const given<std::int64_t> window = integer("attention.sliding_window");
    const bool has_pattern = of_code.period > 0 || of_code.pattern != pattern_reader::period;
    if (!has_pattern || (of_code.needs_window && window.value_or(0) == 0)) return {};
    if (of_code.sliding_depth > 0 && count != of_code.sliding_depth) return {};
    const bool takes_list = of_code.pattern != pattern_reader::period;
    if (pattern.is_array() && takes_list) return listed_kinds(pattern, pattern_key, count);
    if (pattern.is_null() && of_code.period == 0)
      throw bad_input(pattern_key, "missing", "a flag for each layer");
    std::vector<bool> layers;
    const bool is_read = pattern.is_number() && of_code.pattern != pattern_reader::list;
    const std::int64_t period =
        is_read ? integer("attention.sliding_window_pattern").value_or(0) : of_code.period;
    if (!is_read && of_code.period == 0)
      throw bad_input(pattern_key, shown(pattern), "a flag for each layer");
    kinds_.origin = is_read ? pattern_key : by_architecture();
    for (std::int64_t layer = 0; layer < count; ++layer)
      layers.push_back(period == 0 || (of_code.begins_full ? layer : layer + 1) % period != 0);
    return layers;
  }

  std::vector<bool> listed_kinds(const json& pattern, const std::string& key, std::int64_t count) {
    if (static_cast<std::int64_t>(pattern.size()) < count)
      throw bad_input(key, fmt::format("a list of {}", pattern.size()),
                      fmt::format("one of {}block_count, {}", prefix, count));
    std::vector<bool> kinds;
    for (const json& value : pattern) {
      if (!value.is_boolean() && value != 0 && value != 1) throw bad_input(key, shown(value), "flags");
      kinds.push_back(value == true || value == 1);
    }
    kinds_.origin = key;
    return kinds;
  }

  gguf_kinds kinds_;
};

}  // namespace

gguf_kinds kinds_of_gguf(const gguf_keys& keys, std::int64_t layers) {
  return kinds_reader(keys).found(layers);
}

}  // namespace ropewalk::model
