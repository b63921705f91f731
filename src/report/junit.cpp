// Writes the report as JUnit XML: one test suite per kernel and model, one test case per dtype and law.

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "output/plain_text.hpp"
#include "report/report.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report {

using output::plain_text;

using namespace verify;

namespace {

void set(pugi::xml_node& node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute) = plain_text(value).c_str();
}

void set(pugi::xml_node& node, const char* attribute, std::int64_t value) {
  node.append_attribute(attribute) = static_cast<long long>(value);
}

void add_property(pugi::xml_node& properties, const char* name, const std::string& value) {
  pugi::xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

void add_properties(pugi::xml_node& suite, const results& results) {
  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "version", version);
  add_property(properties, "command", results.command_line);
  add_property(properties, "compiler", compiler());
  add_property(properties, "cpu", processor());
  add_property(properties, "seed", std::to_string(results.seed));
  if (!results.device.empty()) add_property(properties, "vulkan_device", results.device);
  if (!results.left_out.empty()) add_property(properties, "left_out", results.left_out);
  for (const std::string& limit : results.limits) add_property(properties, "limits", limit);
  if (!results.cut.empty()) add_property(properties, "cut", results.cut);
  for (const std::string& name : accepted(results)) add_property(properties, "accepted", name);
  if (results.interrupted) add_property(properties, "interrupted", "true");
}

std::string why_skipped(const result& result) {
  if (finding_of(result) == finding::not_served) return "not served: " + result.beyond;
  if (finding_of(result) == finding::not_judged) return "not judged: " + why_not_judged(result);
  return verdict_of(result) + (result.no_bound.empty() ? "" : ": " + result.no_bound);
}

/// Adds a failure, an error or a skipped test: its kind, one line and, for a failure, its text.
void add_finding(pugi::xml_node& test, const char* element, const std::string& type,
                 const std::string& message, const std::string& text = "") {
  pugi::xml_node node = test.append_child(element);
  set(node, "type", type);
  set(node, "message", message);
  if (!text.empty()) node.text() = plain_text(text).c_str();
}

void add_case(pugi::xml_node& suite, const results& results, const result& result) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", fmt::format("{}.{}.{}", result.kernel, result.model, element_name(result)));
  set(test, "name", std::string(result.law.name));
  if (const std::string file = shown_file_of(results, result); !file.empty()) set(test, "file", file);
  const std::string verdict = verdict_of(result);
  if (!result.outcome.holds()) {
    const std::string cause = cause_of(results, result);
    add_finding(test, "failure", verdict, cause.empty() ? verdict : cause, counterexample_of(result));
  } else if (is_error(result, results)) {
    add_finding(test, "error", verdict, why_skipped(result));
  } else if (!is_judged(result)) {
    add_finding(test, "skipped", verdict, why_skipped(result));
  }
  test.append_child("system-out").text() =
      plain_text(fmt::format("{} cases of {} wanted, observed {}, bound {}", result.outcome.cases,
                             result.outcome.count, observed_of(result), bound_of(result)))
          .c_str();
}

/// Numbers of test cases, for suites and for the whole report.
struct counts {
  std::int64_t tests = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::int64_t skipped = 0;

  void add(const result& result, const results& results) {
    ++tests;
    if (!result.outcome.holds())
      ++failures;
    else if (is_error(result, results))
      ++errors;
    else if (!is_judged(result))
      ++skipped;
  }

  void put(pugi::xml_node& to) const {
    set(to, "tests", tests);
    set(to, "failures", failures);
    set(to, "errors", errors);
    set(to, "skipped", skipped);
  }
};

/// Adds a suite of errors that belong to no single result.
void add_errors_of_all(pugi::xml_node& all, const std::vector<std::string>& errors) {
  if (errors.empty()) return;
  const auto count = static_cast<std::int64_t>(errors.size());
  pugi::xml_node suite = all.append_child("testsuite");
  set(suite, "name", "requests");
  counts{.tests = count, .errors = count}.put(suite);
  for (const std::string& error : errors) {
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "classname", "ropewalk verify");
    set(test, "name", error);
    add_finding(test, "error", "request", error);
  }
}

void add_suite(pugi::xml_node& all, const results& results, const std::string& name,
               const std::vector<const result*>& lines) {
  pugi::xml_node suite = all.append_child("testsuite");
  set(suite, "name", name);
  counts here;
  for (const result* line : lines) here.add(*line, results);
  here.put(suite);
  add_properties(suite, results);
  for (const result* line : lines) add_case(suite, results, *line);
}

}  // namespace

std::string as_junit(const results& results) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node all = document.append_child("testsuites");
  set(all, "name", "ropewalk verify");
  const std::vector<std::string> of_all = errors_of(results);
  counts sum{.tests = static_cast<std::int64_t>(of_all.size()),
             .errors = static_cast<std::int64_t>(of_all.size())};
  std::map<std::string, std::vector<const result*>> suites;
  for (const result& line : results.lines) {
    sum.add(line, results);
    suites[line.kernel + " " + line.model].push_back(&line);
  }
  sum.put(all);
  set(all, "time", fmt::format("{:.3f}", results.seconds));
  for (const auto& [name, lines] : suites) add_suite(all, results, name, lines);
  add_errors_of_all(all, of_all);
  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

}  // namespace ropewalk::report
