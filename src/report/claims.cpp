#include "report/claims.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "export/record.hpp"
#include "export/terminal.hpp"

namespace ropewalk::report {
namespace {

using claim::verdict;
using input::json;

std::string_view verdict_words(verdict decided) {
  switch (decided) {
    case verdict::holds: return "holds";
    case verdict::corrected: return "holds with a correction";
    case verdict::refuted: break;
  }
  return "false";
}

json record_of(const claim::claim& one) {
  return {{"claim", one.number},
          {"source", std::string(one.source)},
          {"statement", std::string(one.statement)},
          {"verdict", std::string(verdict_words(one.decided))},
          {"correction", std::string(one.correction)},
          {"witness", std::string(one.witness)}};
}

/// A cell of a table in Markdown: a bar is no border.
std::string cell(std::string_view text) {
  std::string r;
  for (const char c : text) {
    if (c == '|') r += '\\';
    r += c == '\n' ? ' ' : c;
  }
  return r;
}

}  // namespace

void print_claim(const claim::claim& one, const claim::evidence& seen, bool as_json) {
  if (as_json) {
    json record = record_of(one);
    record["shown"] = seen.shown;
    record["evidence"] = seen.text;
    std::cout << output::pretty(record);
  } else {
    std::cout << fmt::format("claim {} (documents {})\n  says     {}\n  verdict  {}\n", one.number,
                             one.source, one.statement, verdict_words(one.decided));
    if (!one.correction.empty()) std::cout << fmt::format("  instead  {}\n", one.correction);
    std::string text = seen.text;
    for (auto line = text.find('\n'); line != text.npos; line = text.find('\n', line + 1))
      text.insert(line + 1, "           ");
    std::cout << fmt::format("  witness  {}\n  run now  {}\n", one.witness, text);
    if (!seen.shown)
      std::cout << output::coloured("  the witness does not show this verdict\n", output::colour::red,
                                    output::stream::out);
  }
}

void print_claims(const std::vector<claim::claim>& all, bool as_json) {
  json list = json::array();
  if (!as_json)
    std::cout << "| # | source | claim | verdict | correction | witness |\n|---|---|---|---|---|---|\n";
  for (const claim::claim& one : all) {
    list.push_back(record_of(one));
    if (!as_json)
      std::cout << fmt::format("| {} | {} | {} | {} | {} | {} |\n", one.number, one.source,
                               cell(one.statement), verdict_words(one.decided), cell(one.correction),
                               cell(one.witness));
  }
  if (as_json) std::cout << output::pretty(list);
}

}  // namespace ropewalk::report
