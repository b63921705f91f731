#include "command/explain_claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "claim/claim.hpp"
#include "export/record.hpp"
#include "export/terminal.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

using claim::verdict;
using input::json;

std::string_view words_of(verdict decided) {
  switch (decided) {
    case verdict::holds: return "holds";
    case verdict::corrected: return "holds with a correction";
    case verdict::refuted: break;
  }
  return "false";
}

const claim::claim& claim_of(const std::string& number, const std::vector<claim::claim>& all) {
  int wanted = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (read.ec == std::errc() && read.ptr == number.data() + number.size())
    for (const claim::claim& one : all)
      if (one.number == wanted) return one;
  throw bad_input("claim", number.empty() ? "missing" : number,
                  "a number that `ropewalk explain claims` lists");
}

json record_of(const claim::claim& one) {
  return {{"claim", one.number},
          {"source", std::string(one.source)},
          {"statement", std::string(one.statement)},
          {"verdict", std::string(words_of(one.decided))},
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

exit_code explain_claim(const std::string& number, bool as_json) {
  const std::vector<claim::claim> all = claim::all_claims();
  const claim::claim& one = claim_of(number, all);
  const claim::evidence seen = one.run();
  if (as_json) {
    json record = record_of(one);
    record["shown"] = seen.shown;
    record["evidence"] = seen.text;
    std::cout << output::pretty(record);
  } else {
    std::cout << fmt::format("claim {} (documents {})\n  says     {}\n  verdict  {}\n", one.number,
                             one.source, one.statement, words_of(one.decided));
    if (!one.correction.empty()) std::cout << fmt::format("  instead  {}\n", one.correction);
    std::string text = seen.text;
    for (auto line = text.find('\n'); line != text.npos; line = text.find('\n', line + 1))
      text.insert(line + 1, "           ");
    std::cout << fmt::format("  witness  {}\n  run now  {}\n", one.witness, text);
    if (!seen.shown)
      std::cout << output::coloured("  the witness does not show this verdict\n", output::colour::red,
                                    output::stream::out);
  }
  return seen.shown ? exit_code::holds : exit_code::fails;
}

exit_code explain_claims(bool as_json) {
  json list = json::array();
  if (!as_json)
    std::cout << "| # | source | claim | verdict | correction | witness |\n|---|---|---|---|---|---|\n";
  for (const claim::claim& one : claim::all_claims()) {
    list.push_back(record_of(one));
    if (!as_json)
      std::cout << fmt::format("| {} | {} | {} | {} | {} | {} |\n", one.number, one.source,
                               cell(one.statement), words_of(one.decided), cell(one.correction),
                               cell(one.witness));
  }
  if (as_json) std::cout << output::pretty(list);
  return exit_code::holds;
}

}  // namespace ropewalk::command
