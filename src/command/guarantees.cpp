// ropewalk guarantees: encoding | quantity | format | bound | proof, from the constants that laws and tests use.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "catalogue.hpp"
#include "command/command.hpp"
#include "command/parser.hpp"
#include "export/record.hpp"

namespace ropewalk::command {
namespace {

using input::json;

std::string bound_text(const guarantee& given) {
  if (given.carried) return "carried with the value";
  if (given.correctly_rounded) return given.exact ? "exact" : "correctly rounded";
  return fmt::format("{:.5g} {} + {:.3g}", given.bound.relative, given.size, given.bound.absolute);
}

/// Visits every row: visit(encoding name, guarantee).
template <class Visit>
void for_each_row(Visit visit) {
  for_each_encoding([&](const auto& encoding) {
    for (const guarantee& given : encoding.guarantees) visit(encoding.name, given);
  });
}

void print_text() {
  std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", "encoding", "quantity", "format", "bound",
                           "proof");
  for_each_row([](std::string_view encoding, const guarantee& given) {
    std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", encoding, given.quantity, given.format,
                             bound_text(given), given.proof);
  });
}

/// The README's table.
void print_markdown() {
  std::cout << "| encoding | quantity | format | bound | proof |\n|---|---|---|---|---|\n";
  for_each_row([](std::string_view encoding, const guarantee& given) {
    std::string bound = bound_text(given);
    for (auto bar = bound.find('|'); bar != std::string::npos; bar = bound.find('|', bar + 2))
      bound.insert(bar, "\\");
    std::cout << fmt::format("| {} | {} | {} | {} | {} |\n", encoding, given.quantity, given.format, bound,
                             given.proof);
  });
}

void print_json() {
  json list = json::array();
  for_each_row([&](std::string_view encoding, const guarantee& given) {
    json row = {{"encoding", encoding}, {"quantity", given.quantity}, {"format", given.format}};
    row["correctly_rounded"] = given.correctly_rounded;
    row["exact"] = given.exact;
    row["carried"] = given.carried;
    if (!given.correctly_rounded && !given.carried) {
      row["relative"] = given.bound.relative;
      row["absolute"] = given.bound.absolute;
      row["relative_to"] = given.size;
    }
    row["proof"] = given.proof;
    list.push_back(row);
  });
  std::cout << output::pretty(list);
}

enum class shape { text, markdown, as_json };

}  // namespace

void add_guarantees(parser& program) {
  subcommand command =
      program.add("guarantees", "encoding | quantity | format | bound | proof, from the code");
  const auto as = std::make_shared<shape>(shape::text);
  command.flag(
      "--json", [as] { *as = shape::as_json; }, "the same as JSON");
  command.flag(
      "--markdown", [as] { *as = shape::markdown; }, "the same as a Markdown table");
  command.footer(
      "A rotated pair's bound is relative to a|x|, a the attention factor and |x| the pair's Euclidean "
      "norm; "
      "that of a sum to |x| + |t|, x the element and t the exact number that is added to it.\n"
      "Example:\n  ropewalk guarantees --markdown");
  command.run([as] {
    switch (*as) {
      case shape::text: print_text(); break;
      case shape::markdown: print_markdown(); break;
      case shape::as_json: print_json(); break;
    }
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
