#include "input/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "input/bad_input.hpp"

namespace ropewalk::input {
namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_text = longest_refusal - std::string_view("ropewalk: ").size() - 1;

/// The text in lower case without separators, so that "llama3" is the beginning of "llama-3.1-8b".
std::string bare(std::string_view text) {
  std::string bare;
  for (const char letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      bare += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return bare;
}

/// The smallest number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edits_between(std::string_view a, std::string_view b) {
  // Rows of the table of distances between prefixes: the last but one, the last, and the new one.
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool differ = a[i - 1] != b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (differ ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::string text_of(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                    std::string_view listed) {
  const std::string begin = fmt::format("no {} named '{}'; ", kind, printable(name, longest_name));
  const std::optional<std::string> nearest = nearest_name(name, names);
  const std::string question = nearest ? fmt::format("did you mean '{}'? ", *nearest) : "";
  const std::string all = fmt::format("{}{}{}s: {}", begin, question, kind, fmt::join(names, ", "));
  if (all.size() <= longest_text) return all;
  const std::string count = fmt::format("{} lists all {}", listed, names.size());
  return begin + (nearest ? question + "(" + count + ")" : count);
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  const std::string wanted = bare(typed);
  const auto is_begun = [&](const std::string& name) {
    return wanted.size() >= 3 && bare(name).starts_with(wanted);
  };
  const auto edits = [&](const std::string& name) { return edits_between(wanted, bare(name)); };
  const auto is_nearer = [&](const std::string& a, const std::string& b) {
    return is_begun(a) != is_begun(b) ? is_begun(a) : edits(a) < edits(b);
  };
  const auto nearest = std::min_element(names.begin(), names.end(), is_nearer);
  if (nearest == names.end() || !(is_begun(*nearest) || 3 * edits(*nearest) <= wanted.size()))
    return std::nullopt;
  return *nearest;
}

unknown_name::unknown_name(std::string_view kind, std::string_view name,
                           const std::vector<std::string>& names, std::string_view listed)
    : std::invalid_argument(text_of(kind, name, names, listed)) {}

}  // namespace ropewalk::input
