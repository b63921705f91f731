#pragma once
// One row of the table of options: its name, its values, the commands that take it, and its help.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/option/kind_set.hpp"

namespace ropewalk::command {

/// How many words an option takes, and how often it may be given.
enum class option_words {
  flag,      // no word
  once,      // one word, once
  repeated,  // one word each time, any number of times
  several    // all words up to the next option, any number of times
};

/// Returns names that a value may have, for shell completion. `before` holds the command and the arguments
/// before the completed word, without options and their values.
using value_names = std::function<std::vector<std::string>(const std::vector<std::string>& before)>;

/// Whole numbers, both ends included.
struct whole_range {
  std::int64_t smallest;
  std::int64_t largest;
};

/// The values that an option allows.
struct option_domain {
  std::string text{};                                 // as a refusal says it
  std::optional<whole_range> range{};                 // of whole numbers
  value_names names{};                                // offered by shells
  std::function<std::vector<std::string>()> parts{};  // joined by commas in a value, such as "angle=f32"
  std::function<std::string(std::string)> usual{};    // the usual spelling of a value
};

/// A heading of --help and of the manual, with options that show the use of those below it.
struct option_heading {
  std::string_view title{};  // empty: the first options, without a heading of their own
  std::string_view example{};

  /// "Which laws, as in --law accuracy".
  std::string text() const;
};

/// A command that takes an option. Texts that are not empty replace those of the row.
struct option_use {
  std::string_view command;  // empty: the program itself
  option_heading heading{};
  std::string help{};
  std::string default_text{};
};

/// An option, or an argument if its name has no dashes. Where commands give one name different values, each
/// meaning has a row.
struct option_row {
  std::string_view name;
  std::string_view short_name{};
  std::string_view value{};  // placeholder; empty for a flag
  option_words words = option_words::once;
  option_domain domain{};
  std::string default_text{};
  std::string help{};
  kind_set kinds{};  // of `ropewalk table`, if only some kinds of table take it
  std::vector<option_use> uses{};

  bool is_flag() const { return words == option_words::flag; }
  bool is_argument() const { return !name.starts_with("-"); }
  bool takes_one_word() const { return words == option_words::once || words == option_words::repeated; }

  /// The use by a command; null if it does not take the option.
  const option_use* use_of(std::string_view command) const;

  /// The help of a command's option, with the default behind it.
  std::string help_in(std::string_view command) const;
};

}  // namespace ropewalk::command
