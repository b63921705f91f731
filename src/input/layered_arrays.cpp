#include "input/layered_arrays.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "input/bad_input.hpp"
#include "input/number.hpp"

namespace ropewalk::input {
namespace {

/// The number in `text` at the place of {layer} in the pattern.
std::optional<std::int64_t> layer_in(const std::string& text, const std::string& pattern) {
  const std::size_t at = pattern.find(layer_word);
  const std::string after = pattern.substr(at + layer_word.size());
  if (text.size() <= at + after.size() || !text.starts_with(pattern.substr(0, at)) || !text.ends_with(after))
    return std::nullopt;
  const std::string digits = text.substr(at, text.size() - at - after.size());
  const bool are_digits =
      std::all_of(digits.begin(), digits.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
  return are_digits ? number_from<std::int64_t>(digits) : std::nullopt;
}

/// The text with fnmatch's special characters escaped.
std::string literal(const std::string& text) {
  std::string literal;
  for (const char letter : text) {
    if (std::string_view("*?[]\\").find(letter) != std::string_view::npos) literal += '\\';
    literal += letter;
  }
  return literal;
}

/// The arrays of one file whose names contain a layer's number.
std::vector<layered_array> in_file(const std::string& field, const std::string& path,
                                   const std::string& name) {
  const std::size_t at = name.find(layer_word);
  const std::string matched =
      literal(name.substr(0, at)) + "*" + literal(name.substr(at + layer_word.size()));
  std::vector<layered_array> arrays;
  for (const array_location& location : array_locations(field, path + "#" + matched))
    if (const auto layer = layer_in(location.name.value_or(""), name)) arrays.push_back({*layer, location});
  return arrays;
}

/// The arrays of files whose paths contain a layer's number; `name` is "#NAME", or empty.
std::vector<layered_array> in_folder(const std::string& field, const std::string& path,
                                     const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path pattern(path);
  const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
  std::vector<layered_array> arrays;
  std::error_code error;
  for (fs::directory_iterator iterator(folder, error), end; !error && iterator != end;
       iterator.increment(error)) {
    const std::string file = iterator->path().filename().string();
    const auto layer = layer_in(file, pattern.filename().string());
    if (!layer) continue;
    const std::string text = (pattern.has_parent_path() ? (folder / file).string() : file) + name;
    const std::vector<array_location> places = array_locations(field, text);
    if (places.size() > 1) throw bad_input(field, text, "the name of one array");
    arrays.push_back({*layer, places.front()});
  }
  return arrays;
}

}  // namespace

bool names_layers(const std::string& text) { return text.find(layer_word) != std::string::npos; }

std::vector<layered_array> layered_arrays(const std::string& field, const std::string& text) {
  const std::size_t word = text.find(layer_word);
  if (text.find(layer_word, word + 1) != std::string::npos)
    throw bad_input(field, text, "one {layer} in a path or a name");
  const std::size_t mark = text.find('#');
  const bool is_in_name = mark != std::string::npos && mark < word;
  std::vector<layered_array> arrays;
  if (is_in_name) {
    const std::size_t last = text.rfind('#', word);
    arrays = in_file(field, text.substr(0, last), text.substr(last + 1));
  } else {
    const std::string path = text.substr(0, text.find('#', word));
    if (std::filesystem::path(path).filename().string().find(layer_word) == std::string::npos)
      throw bad_input(field, text, "{layer} in the name of a file, or of an array");
    arrays = in_folder(field, path, text.substr(path.size()));
  }
  if (arrays.empty()) throw bad_input(field, text, "existing arrays with a number for {layer}");
  std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.layer < b.layer; });
  for (std::size_t i = 1; i < arrays.size(); ++i)
    if (arrays[i].layer == arrays[i - 1].layer)
      throw bad_input(field, text,
                      "one array for each layer; " + arrays[i - 1].place.text() + " and " +
                          arrays[i].place.text() + " are of the same");
  return arrays;
}

}  // namespace ropewalk::input
