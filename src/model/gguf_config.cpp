#include "model/gguf_config.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "model/gguf_keys.hpp"
#include "model/gguf_translation.hpp"
#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

bool is_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

/// Whether a key at a place is not part of a longer key.
bool stands_alone(const std::string& text, std::size_t at, std::size_t length) {
  if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) return false;
  const std::size_t end = at + length;
  if (end == text.size()) return true;
  if (text[end] == '.') return end + 1 == text.size() || !is_word(text[end + 1]);
  return !is_word(text[end]);
}

}  // namespace

bool is_gguf(const json& root) { return root.contains(architecture_key); }

json config_of_gguf(const json& metadata) { return translated(metadata); }

void refuse_unread_of_gguf(const json& config, const std::map<std::string, std::string>& ignored) {
  for (const auto& [key, value] : value_of(config, unread_key).items())
    if (!ignored.contains(key))
      throw bad_input(
          printable(key), printable(shown(value)),
          "keys that are read of a GGUF file; --ignore-key " + printable(key) + "=REASON leaves it out");
}

bool is_of_gguf(const json& config) { return value_of(config, origins_key).is_object(); }

std::vector<std::string> gguf_warnings_of(const json& config) {
  std::vector<std::string> warnings;
  for (const auto& [at, line] : value_of(config, warnings_key).items())
    if (line.is_string()) warnings.push_back(line.get<std::string>());
  return warnings;
}

std::vector<int> fourth_row_of(const json& config) {
  std::vector<int> row;
  for (const auto& [at, pair] : value_of(config, fourth_row_key).items())
    if (pair.is_number_integer() && pair >= 0 && pair <= largest_head_dim) row.push_back(pair.get<int>());
  return row;
}

std::string in_words_of_gguf(const json& config, std::string text) {
  const json& origins = value_of(config, origins_key);
  if (!origins.is_object()) return text;
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [key, origin] : origins.items())
    if (origin.is_string()) words.emplace_back(key, origin.get<std::string>());
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  std::string name;
  for (std::size_t at = 0; at < text.size();) {
    const auto match = std::find_if(words.begin(), words.end(), [&](const auto& item) {
      return text.compare(at, item.first.size(), item.first) == 0 &&
             stands_alone(text, at, item.first.size());
    });
    if (match == words.end()) {
      name += text[at++];
      continue;
    }
    name += match->second;
    at += match->first.size();
  }
  return name;
}

fact in_words_of_gguf(const json& config, fact sources) {
  if (!is_of_gguf(config)) return sources;
  if (sources.name == "model_type")
    return {"architecture", sources.value.substr(gguf_type_prefix.size()), architecture_key};
  const bool is_of_type =
      sources.origin.starts_with("model_type ") && sources.origin.find(',') == std::string::npos;
  sources.origin = (is_of_type ? "by " : "") + in_words_of_gguf(config, std::move(sources.origin));
  return sources;
}

}  // namespace ropewalk::model
