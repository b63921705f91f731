#include "input/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "input/bad_input.hpp"

namespace ropewalk::input {
namespace {

constexpr std::size_t suggestions = 3, longest_name = 60;
constexpr std::size_t longest_text = longest_refusal - std::string_view("ropewalk: ").size() - 1;

/// The text in lower case and without separators: "llama3" is then the beginning of "llama-3.1-8b".
std::string bare(std::string_view text) {
  std::string r;
  for (const char letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      r += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return r;
}

/// The fewest insertions, deletions, replacements and swaps of neighbours that make `b` of `a`.
std::size_t edits_between(std::string_view a, std::string_view b) {
  // Rows of the table of distances between prefixes: the last but one, the last, and the one being made.
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

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == names.size() ? "' or '" : "', '") + names[i];
  return text + "'";
}

std::string text_of(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                    std::string_view listed) {
  const std::string begin = fmt::format("no {} named '{}'; ", kind, printable(name, longest_name));
  const std::string all = fmt::format("{}{}s: {}", begin, kind, fmt::join(names, ", "));
  if (all.size() <= longest_text) return all;
  return fmt::format("{}did you mean {}? ({} lists all {})", begin,
                     quoted_list(nearest_names(name, names, suggestions)), listed, names.size());
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string>& names,
                                       std::size_t count) {
  const std::string wanted = bare(typed);
  std::vector<std::tuple<bool, bool, std::size_t, std::size_t>> ranked;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = bare(names[i]);
    const std::size_t at = wanted.empty() ? std::string::npos : name.find(wanted);
    ranked.emplace_back(at != 0, at == std::string::npos, edits_between(wanted, name), i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> r;
  for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) r.push_back(names[std::get<3>(ranked[i])]);
  return r;
}

unknown_name::unknown_name(std::string_view kind, std::string_view name,
                           const std::vector<std::string>& names, std::string_view listed)
    : std::invalid_argument(text_of(kind, name, names, listed)) {}

}  // namespace ropewalk::input
