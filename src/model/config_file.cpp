#include "model/config_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/gguf.hpp"
#include "input/input_file.hpp"
#include "input/json_text.hpp"
#include "model/gguf_config.hpp"
#include "model/gguf_file.hpp"

namespace ropewalk::model {
namespace {

std::string config_path(const std::string& path) {
  struct stat status {};
  const bool is_directory = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (!is_directory) return path;
  const std::string folder = path + (path.ends_with('/') ? "" : "/"), usual = folder + "config.json";
  const std::string mistral = folder + "params.json";  // as Mistral publishes its weights
  return ::stat(usual.c_str(), &status) != 0 && ::stat(mistral.c_str(), &status) == 0 ? mistral : usual;
}

/// Whether an object is a bare rope_parameters object instead of a configuration.
bool is_bare_block(const input::json& root) {
  for (const char* const key : {"model_type", "rope_parameters", "rope_scaling", "hidden_size", "head_dim",
                                "dim", "text_config", "_class_name"})
    if (root.contains(key)) return false;
  const auto is_block = [](const input::json& block) {
    return block.is_object() &&
           (block.contains("rope_type") || block.contains("type") || block.contains("factor"));
  };
  return is_block(root) || std::any_of(root.begin(), root.end(), is_block);
}

/// Python's json writes some numbers as words that JSON lacks. Each becomes a text, which no number's key
/// accepts.
std::string without_python_words(std::string_view text) {
  std::string words;
  bool is_in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_in_text && text[at] == '\\' && at + 1 < text.size()) {
      words += text.substr(at++, 2);
      continue;
    }
    is_in_text = is_in_text != (text[at] == '"');
    std::string_view word;
    for (const std::string_view name : {"-Infinity", "Infinity", "NaN"})
      if (!is_in_text && word.empty() && text.substr(at).starts_with(name)) word = name;
    if (word.empty()) {
      words += text[at];
      continue;
    }
    words += '"' + std::string(word) + '"';
    at += word.size() - 1;
  }
  return words;
}

bool is_gguf_file(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return input::input_file("config", path).first_bytes(input::gguf_magic.size()) == input::gguf_magic;
}

}  // namespace

std::string config_text(const std::string& path) {
  const std::string file = config_path(path);
  const auto read = [&] {
    if (is_gguf_file(file)) {
      input::input_file gguf("config", file);
      return gguf_text(gguf);
    }
    std::string text = input::read_text("config", file, input::largest_config);
    if (text.starts_with(input::gguf_magic))
      throw bad_input("config", file,
                      "a GGUF file by its path: it is not read from standard input or a pipe");
    return text;
  };
  struct stat status {};
  const bool is_read_again = file != "-" && ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_read_again) return read();
  static std::map<std::string, std::string> once;  // the text of pipes and standard input
  const auto known = once.find(file);
  return known != once.end() ? known->second : once.emplace(file, read()).first->second;
}

input::json config_of(std::string_view text, const std::string& name) {
  input::json root = input::parse_object(without_python_words(text), "config", name);
  if (is_gguf(root)) return config_of_gguf(root);
  if (is_bare_block(root)) return {{"rope_parameters", std::move(root)}};
  return root;
}

}  // namespace ropewalk::model
