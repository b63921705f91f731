#include "command/manual.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "command/option/command_table.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

/// A text without special meaning to roff. Every - is one that can be copied into a shell.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char letter : text) switch (letter) {
      case '\\': roff += "\\e"; break;
      case '-': roff += "\\-"; break;
      case '\'': roff += "\\(aq"; break;
      case '`': roff += "\\(ga"; break;
      case '^': roff += "\\(ha"; break;
      case '~': roff += "\\(ti"; break;
      case '\n': roff += ' '; break;
      default: roff += letter;
    }
  return roff;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// The end of the option that begins at `begin`, such as --rotary-dim; `begin` if none does.
std::size_t option_end(std::string_view text, std::size_t begin) {
  const bool follows_word =
      begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '-');
  if (follows_word || text.substr(begin, 2) != "--") return begin;
  std::size_t end = begin + 2;
  while (end < text.size() &&
         (std::islower(static_cast<unsigned char>(text[end])) != 0 ||
          std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-' || text[end] == '_'))
    ++end;
  return end == begin + 2 ? begin : end;
}

/// The words of a text in lines, none of which begins as a request does.
std::string filled(const std::string& text) {
  constexpr std::size_t longest = 79;
  std::istringstream words(text);
  std::string lines, line;
  const auto end_line = [&] {
    if (!line.empty()) lines += (line.front() == '.' ? "\\&" : "") + line + "\n";
    line.clear();
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > longest) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return lines;
}

/// A line of prose: options, and what stands between backticks, are bold.
std::string prose(std::string_view text) {
  std::string roff;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '`' ? text.find('`', at + 1) : option_end(text, at);
    if (text[at] == '`' && end != text.npos) {
      roff += bold(text.substr(at + 1, end - at - 1));
      at = end + 1;
    } else if (text[at] != '`' && end != at) {
      roff += bold(text.substr(at, end - at));
      at = end;
    } else {
      roff += escaped(text.substr(at++, 1));
    }
  }
  return filled(roff);
}

/// Paragraphs below a heading, or below what stands before.
std::string paragraphs(const std::vector<std::string_view>& texts, bool is_below_heading = false) {
  std::string roff;
  for (const std::string_view text : texts) {
    if (!std::exchange(is_below_heading, false)) roff += ".PP\n";
    roff += prose(text);
  }
  return roff;
}

std::string section(std::string_view title) { return ".SH " + std::string(title) + "\n"; }

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

/// "ropewalk-verify", or "ropewalk" for the program.
std::string page_name(std::string_view command) {
  return "ropewalk" + (command.empty() ? "" : "-" + std::string(command));
}

/// The placeholder of a value, as often as it may be given.
std::string value_text(const option_row& row) {
  return italic(row.value) + (row.words == option_words::several ? " ..." : "");
}

/// Whether the help says the domain already: as it is, or each name of a list.
bool says_domain(const std::string& help, const std::string& domain) {
  if (help.find(domain) != help.npos || domain.find(help) != domain.npos) return true;
  for (std::size_t begin = 0; begin < domain.size();) {
    const std::size_t end = std::min(domain.find(", ", begin), domain.size());
    if (help.find(domain.substr(begin, end - begin)) == help.npos) return false;
    begin = end + 2;
  }
  return true;
}

/// How often the option may be given, and what is allowed.
std::string limits_text(const option_row& row, const std::string& help) {
  std::string text;
  if (row.words == option_words::repeated) text += "It may be given several times.";
  if (!says_domain(help, row.domain.text))
    text += (text.empty() ? "" : " ") + std::string("Allowed: ") + row.domain.text + ".";
  return text.empty() ? "" : ".br\n" + prose(text);
}

std::string entry(const option_row& row, std::string_view command) {
  std::string term = row.is_argument() ? value_text(row) : bold(row.name);
  if (!row.short_name.empty()) term = bold(row.short_name) + ", " + term;
  if (!row.is_argument() && !row.is_flag()) term += " " + value_text(row);
  const std::string help = row.help_in(command);
  return ".TP\n" + term + "\n" + prose(help) + limits_text(row, help);
}

/// The options below their headings, in the order of --help.
std::string options_text(const command_options& options) {
  const auto heading_of = [&](const option_row* row) { return row->use_of(options.name)->heading; };
  std::vector<option_heading> headings{option_heading{}};
  for (const option_row* row : options.rows) {
    const std::string text = heading_of(row).text();
    const bool is_known = std::any_of(headings.begin(), headings.end(),
                                      [&](const option_heading& heading) { return heading.text() == text; });
    if (!is_known) headings.push_back(heading_of(row));
  }
  std::string roff;
  for (const option_heading& heading : headings) {
    if (!heading.title.empty()) roff += ".SS " + escaped(heading.title) + "\n";
    if (!heading.example.empty()) roff += prose("As in `" + std::string(heading.example) + "`:");
    for (const option_row* row : options.rows)
      if (heading_of(row).text() == heading.text()) roff += entry(*row, options.name);
  }
  return roff;
}

std::string synopsis(const command_options& options) {
  std::string line =
      bold("ropewalk" + (options.name.empty() ? "" : " " + options.name)) + " [" + italic("OPTIONS") + "]";
  if (options.name.empty()) return line + " " + italic("COMMAND") + " [" + italic("ARGUMENTS") + "]\n";
  for (const option_row* row : options.arguments()) line += " [" + value_text(*row) + "]";
  return line + "\n";
}

std::string entries_text(const std::vector<manual_entry>& entries, const std::string& command) {
  std::string roff;
  for (const manual_entry& entry : entries) {
    const bool concerns =
        entry.commands.empty() || command.empty() ||
        std::find(entry.commands.begin(), entry.commands.end(), command) != entry.commands.end();
    if (concerns) roff += ".TP\n" + bold(entry.name) + "\n" + prose(entry.text);
  }
  return roff;
}

std::string examples_text(const command_row& row) {
  std::string roff = ".nf\n.RS 4\n";
  for (const std::string& example : row.typed_examples()) roff += escaped(example) + "\n";
  return roff + ".RE\n.fi\n";
}

/// The pages of the program and the other commands.
std::string see_also(const std::string& command, const program_options& program) {
  std::string pages;
  const auto add = [&](const std::string& name) {
    if (name != command) pages += (pages.empty() ? "" : ",\n") + bold(page_name(name)) + "(1)";
  };
  add("");
  for (const std::string& name : program.command_names()) add(name);
  return pages + "\n";
}

}  // namespace

std::string manual_page(const std::string& command, const program_options& program) {
  const bool is_program = command.empty();
  const command_row& row = is_program ? program_row() : command_named(command);
  const command_options& options = is_program ? program.own : *program.find(command);
  std::string roff = ".TH " + escaped(in_capitals(page_name(command))) + " 1 \"\" \"ropewalk " +
                     escaped(version) + "\" \"User Commands\"\n";
  roff += ".nh\n.ad l\n";  // names of options and files stay whole
  roff += section("NAME") + escaped(page_name(command)) + " \\- " + escaped(row.summary) + "\n";
  roff += section("SYNOPSIS") + synopsis(options);
  roff += section("DESCRIPTION") + paragraphs(row.description, true) + paragraphs(row.notes);
  if (is_program) {
    roff += section("COMMANDS");
    for (const command_row& other : command_table())
      roff += ".TP\n" + bold(page_name(other.name)) + "(1)\n" + prose(other.summary);
  }
  roff += section("OPTIONS") + options_text(options);
  if (!is_program)
    roff += ".PP\nThe options of " + bold("ropewalk") +
            "(1) may stand before or behind the command: " + prose("--verbose, --quiet, --version.");
  roff += section("EXAMPLES") + examples_text(row);
  roff += section("\"EXIT STATUS\"") + entries_text(exit_codes(), command);
  roff += section("ENVIRONMENT") + entries_text(environment_variables(), command);
  return roff + section("\"SEE ALSO\"") + see_also(command, program);
}

}  // namespace ropewalk::command
