#include "report/guarantees.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "catalogue.hpp"
#include "export/record.hpp"
#include "report/certified.hpp"

namespace ropewalk::report {
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

void print_guarantees_text() {
  std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", "encoding", "quantity", "format", "bound",
                           "proof");
  for_each_row([](std::string_view encoding, const guarantee& given) {
    std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", encoding, given.quantity, given.format,
                             bound_text(given), given.proof);
  });
  std::cout << fmt::format(
      "\n{} have every entry checked: --certified lists them, and the commands that check the others\n",
      certified_share());
}

/// The README's table.
void print_guarantees_markdown() {
  std::cout << "| encoding | quantity | format | bound | proof |\n|---|---|---|---|---|\n";
  for_each_row([](std::string_view encoding, const guarantee& given) {
    std::string bound = bound_text(given);
    for (auto bar = bound.find('|'); bar != std::string::npos; bar = bound.find('|', bar + 2))
      bound.insert(bar, "\\");
    std::cout << fmt::format("| {} | {} | {} | {} | {} |\n", encoding, given.quantity, given.format, bound,
                             given.proof);
  });
}

void print_guarantees_json() {
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

}  // namespace

void print_guarantees(guarantees_as as) {
  switch (as) {
    case guarantees_as::text: return print_guarantees_text();
    case guarantees_as::markdown: return print_guarantees_markdown();
    case guarantees_as::json: return print_guarantees_json();
  }
}

}  // namespace ropewalk::report
