#include "report/guarantees.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "catalogue.hpp"
#include "output/record.hpp"
#include "report/certified.hpp"

namespace ropewalk::report {
namespace {

using input::json;

std::string bound_text(const guarantee& guarantee) {
  if (guarantee.carried) return "carried with the value";
  if (guarantee.correctly_rounded) return guarantee.exact ? "exact" : "correctly rounded";
  return fmt::format("{:.5g} {} + {:.3g}", guarantee.bound.relative, guarantee.size,
                     guarantee.bound.absolute);
}

/// Visits every row: visit(encoding name, guarantee).
template <class Visit>
void for_each_row(Visit visit) {
  for_each_encoding([&](const auto& encoding) {
    for (const guarantee& guarantee : encoding.guarantees) visit(encoding.name, guarantee);
  });
}

void print_guarantees_text() {
  std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", "encoding", "quantity", "format", "bound",
                           "proof");
  for_each_row([](std::string_view encoding, const guarantee& guarantee) {
    std::cout << fmt::format("{:<14} {:<20} {:<19} {:<35} {}\n", encoding, guarantee.quantity,
                             guarantee.format, bound_text(guarantee), guarantee.proof);
  });
  std::cout << fmt::format(
      "\n{} have every entry checked: --certified lists them, and the commands that check the others\n",
      certified_share());
}

/// Prints the README's table.
void print_guarantees_markdown() {
  std::cout << "| encoding | quantity | format | bound | proof |\n|---|---|---|---|---|\n";
  for_each_row([](std::string_view encoding, const guarantee& guarantee) {
    std::string bound = bound_text(guarantee);
    for (auto bar = bound.find('|'); bar != std::string::npos; bar = bound.find('|', bar + 2))
      bound.insert(bar, "\\");
    std::cout << fmt::format("| {} | {} | {} | {} | {} |\n", encoding, guarantee.quantity, guarantee.format,
                             bound, guarantee.proof);
  });
}

void print_guarantees_json() {
  json list = json::array();
  for_each_row([&](std::string_view encoding, const guarantee& guarantee) {
    json row = {{"encoding", encoding}, {"quantity", guarantee.quantity}, {"format", guarantee.format}};
    row["correctly_rounded"] = guarantee.correctly_rounded;
    row["exact"] = guarantee.exact;
    row["carried"] = guarantee.carried;
    if (!guarantee.correctly_rounded && !guarantee.carried) {
      row["relative"] = guarantee.bound.relative;
      row["absolute"] = guarantee.bound.absolute;
      row["relative_to"] = guarantee.size;
    }
    row["proof"] = guarantee.proof;
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
