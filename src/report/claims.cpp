#include "report/claims.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "output/record.hpp"
#include "output/terminal.hpp"

namespace ropewalk::report {
namespace {

using claim::verdict;
using input::json;

std::string_view verdict_words(verdict decided) {
  switch (decided) {
    case verdict::holds: return "holds";
    case verdict::corrected: return "holds with a correction";
    case verdict::refuted: return "false";
    case verdict::undecidable: break;
  }
  return "not decidable";
}

/// The short names of the documents that make a claim.
std::string names_of(const std::vector<claim::document>& documents) {
  std::string names;
  for (const claim::document document : documents)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", claim::citation_of(document).name);
  return names;
}

json record_of(const claim::citation& citation) {
  return {{"name", std::string(citation.name)}, {"title", std::string(citation.title)}};
}

json record_of(const claim::claim& stated) {
  json documents = json::array();
  for (const claim::document source : stated.documents)
    documents.push_back(record_of(claim::citation_of(source)));
  return {{"claim", stated.number},
          {"documents", documents},
          {"statement", std::string(stated.statement)},
          {"verdict", std::string(verdict_words(stated.decided))},
          {"correction", std::string(stated.correction)},
          {"witness", std::string(stated.witness)}};
}

/// Indents lines after the first to the text of the first.
std::string indented(std::string text) {
  for (auto line = text.find('\n'); line != text.npos; line = text.find('\n', line + 1))
    text.insert(line + 1, "           ");
  return text;
}

/// The documents with their titles, one per line.
std::string titles_of(const std::vector<claim::document>& documents) {
  std::string titles;
  for (const claim::document document : documents)
    titles += fmt::format("{}{}: {}", titles.empty() ? "" : "\n", claim::citation_of(document).name,
                          claim::citation_of(document).title);
  return titles;
}

/// A Markdown table cell: bars are escaped, line breaks become blanks.
std::string cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

}  // namespace

void print_claim(const claim::claim& stated, const claim::evidence& evidence, bool as_json) {
  if (as_json) {
    json record = record_of(stated);
    record["shown"] = evidence.shown;
    record["evidence"] = evidence.text;
    std::cout << output::pretty(record);
  } else {
    std::cout << fmt::format("claim {}\n  in       {}\n  says     {}\n  verdict  {}\n", stated.number,
                             indented(titles_of(stated.documents)), stated.statement,
                             verdict_words(stated.decided));
    if (!stated.correction.empty())
      std::cout << fmt::format("  {}  {}\n", stated.decided == verdict::undecidable ? "because" : "instead",
                               stated.correction);
    std::cout << fmt::format("  witness  {}\n  run now  {}\n", stated.witness, indented(evidence.text));
    if (!evidence.shown)
      std::cout << output::coloured("  the witness does not show this verdict\n", output::colour::red,
                                    output::stream::out);
  }
}

void print_claims(const std::vector<claim::claim>& all, bool as_json) {
  if (as_json) {
    json list = json::array();
    for (const claim::claim& claim : all) list.push_back(record_of(claim));
    std::cout << output::pretty(list);
    return;
  }
  for (const claim::citation& document : claim::documents)
    std::cout << fmt::format("- {}: {}\n", document.name, document.title);
  std::cout << "\n| # | documents | claim | verdict | correction | witness |\n|---|---|---|---|---|---|\n";
  for (const claim::claim& claim : all)
    std::cout << fmt::format("| {} | {} | {} | {} | {} | {} |\n", claim.number, names_of(claim.documents),
                             cell(claim.statement), verdict_words(claim.decided), cell(claim.correction),
                             cell(claim.witness));
}

}  // namespace ropewalk::report
