// The table of options: each row is complete, is shown wherever options are, and is the only declaration.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command/option/command_table.hpp"
#include "command/option/option_table.hpp"
#include "command/program.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

namespace declarations {

/// Source text by its path below src/command.
using sources = std::map<std::string, std::string>;

sources committed_sources() {
  const std::filesystem::path folder = std::filesystem::path(ROPEWALK_SOURCE) / "src/command";
  sources files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      files[entry.path().lexically_relative(folder).generic_string()] = text_of(entry.path());
  return files;
}

/// The string literals of a text, adjacent ones joined.
std::vector<std::string> literals(const std::string& text) {
  static const std::regex include("#include[^\n]*"), between("\"\\s*\n\\s*\""),
      literal("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  const std::string joined = std::regex_replace(std::regex_replace(text, include, ""), between, "");
  std::vector<std::string> names;
  for (std::sregex_iterator match(joined.begin(), joined.end(), literal), end; match != end; ++match)
    names.push_back((*match)[1]);
  return names;
}

/// Registers options with the library that parses the line, other than by the table.
std::vector<std::string> registrations(const sources& files) {
  static const std::regex call("add_(option|flag)(_function|_callback)?\\(");
  std::vector<std::string> names;
  for (const auto& [path, text] : files)
    if (path != "parser.cpp" && std::regex_search(text, call)) names.push_back(path);
  return names;
}

/// Long texts of the rows that stand at a second place.
std::vector<std::string> repeated_texts(const sources& files) {
  constexpr std::size_t shortest = 28;
  std::set<std::string> texts;
  for (const auto& [path, text] : files)
    if (path.ends_with("_rows.cpp") || path == "option/domains.cpp")
      for (const std::string& literal : literals(text))
        if (literal.size() >= shortest) texts.insert(literal);
  std::map<std::string, int> places;
  for (const auto& [path, text] : files)
    for (const std::string& literal : literals(text))
      if (texts.contains(literal)) ++places[literal];
  std::vector<std::string> names;
  for (const auto& [text, count] : places)
    if (count > 1) names.push_back(text);
  return names;
}

}  // namespace declarations

std::string command_words(const option_use& use) {
  return use.command.empty() ? "" : std::string(use.command) + " ";
}

/// The bold name of an option in a manual page.
std::string in_roff(std::string_view name) {
  return "\\fB" + std::regex_replace(std::string(name), std::regex("-"), "\\-") + "\\fR";
}

TEST(Options, EachRowHasHelpAndCommandsAndValuesUnlessItIsAFlag) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const option_row& row : option_table()) {
    EXPECT_FALSE(row.uses.empty()) << row.name;
    EXPECT_EQ(row.value.empty(), row.is_flag()) << row.name;
    if (row.domain.range) {
      EXPECT_FALSE(row.domain.text.empty()) << row.name;
    }
    for (const option_use& use : row.uses) {
      EXPECT_FALSE(row.help_in(use.command).empty()) << use.command << " " << row.name;
      EXPECT_TRUE(known.emplace(use.command, row.name).second) << use.command << " " << row.name;
      if (!use.command.empty()) {
        EXPECT_NO_THROW(command_named(use.command)) << row.name;
      }
    }
  }
}

TEST(Options, EachIsInHelpCompletionAndManualOfItsCommands) {
  std::map<std::string, std::string> help, completion, manual;
  for (const option_row& row : option_table())
    for (const option_use& use : row.uses) {
      const std::string command = command_words(use);
      if (help.count(command) == 0) {
        help[command] = run(command + "--help").out;
        completion[command] = run("complete " + command + "--").out;
        manual[command] = run("man " + command).out;
      }
      const std::string name(row.name);
      EXPECT_NE(help[command].find(name), std::string::npos) << command << name;
      if (row.is_argument()) continue;
      EXPECT_NE(("\n" + completion[command]).find("\n" + name + "\t"), std::string::npos) << command << name;
      EXPECT_NE(manual[command].find(in_roff(name)), std::string::npos) << command << name;
    }
}

TEST(Options, NoOptionIsDeclaredOutsideTheTable) {
  declarations::sources files = declarations::committed_sources();
  EXPECT_EQ(declarations::registrations(files), std::vector<std::string>());
  EXPECT_EQ(declarations::repeated_texts(files), std::vector<std::string>());
  // The search finds what it looks for.
  files["planted.cpp"] =
      "app.add_option(\"--planted\", place, \"processor time beside the budget, \"\n"
      "    \"to find the causes of failures\");";
  EXPECT_EQ(declarations::registrations(files), std::vector<std::string>{"planted.cpp"});
  EXPECT_EQ(declarations::repeated_texts(files),
            std::vector<std::string>{"processor time beside the budget, to find the causes of failures"});
}

TEST(Options, ARefusalSaysTheDomainOfTheRow) {
  for (const option_row& row : option_table()) {
    if (!row.domain.range || row.name == "--tokens") continue;
    const std::string command(row.uses.front().command);
    const std::int64_t largest = row.domain.range->largest;
    EXPECT_EQ(whole_number_of(row.name, std::to_string(largest), command), largest);
    for (const std::string text : {"x", "", "9223372036854775808", "-9223372036854775808"}) {
      try {
        whole_number_of(row.name, text, command);
        ADD_FAILURE() << row.name << " takes " << text;
      } catch (const bad_input& refused) {
        const bad_input expected(field_name(row.name), text, row.domain.text);
        EXPECT_STREQ(refused.what(), expected.what());
      }
    }
  }
}

TEST(Options, OfWholeNumbersAreRefusedByEveryCommandAlike) {
  const std::string allowed = "threads is 0; allowed: a whole number from 1 to 1024";
  for (const std::string command :
       {"verify --kernel exact ", "table cos --model gpt-j-6b --output - ",
        "apply --kernel exact --model gpt-j-6b --input x --output y ", "sweep --output /tmp "})
    EXPECT_NE(run(command + "--threads 0").err.find(allowed), std::string::npos) << command;
}

TEST(Options, AManualIsPrintedForCommandsAlone) {
  EXPECT_EQ(run("man").out.substr(0, 14), ".TH ROPEWALK 1");
  EXPECT_EQ(run("man verify").out.substr(0, 22), ".TH ROPEWALK\\-VERIFY 1");
  EXPECT_EQ(run("man nonsense").code, 2);
  EXPECT_NE(run("man nonsense").err.find("no command named 'nonsense'"), std::string::npos);
  EXPECT_EQ(run("man verify table").code, 2);
}

}  // namespace
}  // namespace ropewalk::command
