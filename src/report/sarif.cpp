// Writes the report in the Static Analysis Results Interchange Format, SARIF 2.1.0. GitHub's code scanning
// accepts a file only if every rule has a short description, a full description and a help text, and every
// result has a location in a file. It matches results of earlier runs by primaryLocationLineHash.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "output/plain_text.hpp"
#include "report/report.hpp"
#include "ropewalk/version.hpp"
#include "transport/message.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {

using output::plain_line;
using output::plain_text;

using namespace verify;

namespace {

using json = nlohmann::ordered_json;

/// A message. Braces are doubled, since a single one begins a placeholder.
json message(const std::string& text) {
  std::string words;
  for (const char letter : plain_text(text))
    words += letter == '{' || letter == '}' ? std::string(2, letter) : std::string(1, letter);
  return {{"text", words}};
}

/// The id of a rule. A law's name alone is not unique.
std::string rule_of(const law_text& law) {
  const auto is_law_of = [&](ropewalk_operation operation) {
    const std::vector<law_text> own = laws_of(operation);
    return std::any_of(own.begin(), own.end(), [&](const law_text& named_law) {
      return named_law.name == law.name && named_law.statement == law.statement;
    });
  };
  const std::string name(law.name);
  if (is_law_of(ROPEWALK_ROTATE)) return "rotation/" + name;
  return (is_law_of(ROPEWALK_ADD_ROW) ? "addition/" : "table/") + name;
}

std::string help_of(const law_text& law) {
  std::string text = fmt::format("{}.", law.statement);
  if (!law.norm.empty()) text += fmt::format(" Its bound is relative to {}.", law.norm);
  if (!law.equality.empty()) text += fmt::format(" Compared: {}.", law.equality);
  if (!law.proof.empty()) text += fmt::format(" Proof: {}.", law.proof);
  return text + fmt::format(" `ropewalk explain law {}` prints its bounds.", law.name);
}

json rule(const std::string& id, const law_text& law) {
  const json statement = message(std::string(law.statement)), help = message(help_of(law));
  return {{"id", id},
          {"name", law.name},
          {"shortDescription", statement},
          {"fullDescription", help},
          {"help", help},
          {"defaultConfiguration", {{"level", "error"}}}};
}

/// A path in a URI, with special and non-URI bytes escaped.
std::string escaped_path(const std::string& path) {
  constexpr std::string_view plain = "/-._~";
  std::string text;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = byte < 0x80 && (std::isalnum(byte) != 0 || plain.find(letter) != plain.npos);
    text += is_plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return text;
}

/// The file of a result. A subject without a file uses its name, since code scanning shows no result without
/// a file.
json artifact(const results& results, const result& result) {
  const std::string file = shown_file_of(results, result);
  if (file.starts_with('/')) return {{"uri", "file://" + escaped_path(file)}};
  return {{"uri", escaped_path(file.empty() ? result.kernel : file)}, {"uriBaseId", "%SRCROOT%"}};
}

/// An id of the subject and law that is the same in every run.
std::string fingerprint(const result& result) {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", result.kernel, result.model, element_name(result), rule_of(result.law));
  return fmt::format("{:016x}:1", transport::hash_of(std::as_bytes(std::span(text))));
}

json location(const results& results, const result& result) {
  const std::string name =
      plain_line(fmt::format("{}/{}/{}", result.kernel, result.model, element_name(result)));
  return {{"physicalLocation",
           {{"artifactLocation", artifact(results, result)},
            {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 1}}}}},
          {"logicalLocations",
           json::array(
               {{{"name", plain_line(result.kernel)}, {"fullyQualifiedName", name}, {"kind", "module"}}})}};
}

json sarif_result(const results& results, const result& result, const std::string& id, std::size_t index) {
  const std::string cause = cause_of(results, result), verdict = verdict_of(result);
  const std::string text = fmt::format(
      "{} on {} in {}: {} {}{}.\n{}: {}\n{}", plain_line(result.kernel), plain_line(result.model),
      element_name(result), result.law.name, verdict == "FAILS" ? "fails" : "is " + verdict,
      cause.empty() ? "" : "; " + cause, result.law.name, result.law.statement, counterexample_of(result));
  return {{"ruleId", id},
          {"ruleIndex", index},
          {"level", "error"},
          {"message", message(text)},
          {"locations", json::array({location(results, result)})},
          {"partialFingerprints", {{"primaryLocationLineHash", fingerprint(result)}}}};
}

json invocation(const results& results) {
  json notifications = json::array();
  for (const std::string& error : errors_of(results))
    notifications.push_back({{"level", "error"}, {"message", message(error)}});
  return {{"commandLine", plain_line(results.command_line)},
          {"executionSuccessful", !results.interrupted},
          {"exitCode", all_hold(results) ? 0 : 1},
          {"toolExecutionNotifications", notifications}};
}

}  // namespace

std::string as_sarif(const results& results) {
  json rules = json::array(), value = json::array();
  std::map<std::string, std::size_t> places;  // of rules, by id
  for (const result& line : results.lines) {
    const std::string id = rule_of(line.law);
    const auto [place, is_new] = places.try_emplace(id, rules.size());
    if (is_new) rules.push_back(rule(id, line.law));
    if (!line.outcome.holds()) value.push_back(sarif_result(results, line, id, place->second));
  }
  const json driver = {
      {"name", "ropewalk"}, {"version", version}, {"semanticVersion", version}, {"rules", rules}};
  const json run = {{"tool", {{"driver", driver}}},
                    {"invocations", json::array({invocation(results)})},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", value},
                    {"properties", {{"seed", results.seed}, {"cases", totals_of(results).cases}}}};
  const json object = {
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::array({run})}};
  return object.dump(1, ' ', true) + "\n";
}

}  // namespace ropewalk::report
