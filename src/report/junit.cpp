// The report as JUnit XML: a test suite for each kernel and model, a test case for each dtype and law.

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "export/plain_text.hpp"
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

void add_properties(pugi::xml_node& suite, const results& of) {
  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "version", version);
  add_property(properties, "command", of.command_line);
  add_property(properties, "compiler", compiler());
  add_property(properties, "cpu", processor());
  add_property(properties, "seed", std::to_string(of.seed));
  if (!of.device.empty()) add_property(properties, "vulkan_device", of.device);
  if (!of.left_out.empty()) add_property(properties, "left_out", of.left_out);
  for (const std::string& one : of.limits) add_property(properties, "limits", one);
  if (!of.cut.empty()) add_property(properties, "cut", of.cut);
  for (const std::string& one : accepted(of)) add_property(properties, "accepted", one);
  if (of.interrupted) add_property(properties, "interrupted", "true");
}

std::string why_skipped(const result& one) {
  if (finding_of(one) == finding::not_served) return "not served: " + one.beyond;
  if (finding_of(one) == finding::not_judged) return "not judged: " + why_not_judged(one);
  return verdict_of(one) + (one.no_bound.empty() ? "" : ": " + one.no_bound);
}

/// A failure, an error or a skipped test: its kind, one line and, of a failure, its text.
void add_finding(pugi::xml_node& test, const char* element, const std::string& type,
                 const std::string& message, const std::string& text = "") {
  pugi::xml_node node = test.append_child(element);
  set(node, "type", type);
  set(node, "message", message);
  if (!text.empty()) node.text() = plain_text(text).c_str();
}

void add_case(pugi::xml_node& suite, const results& of, const result& one) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", fmt::format("{}.{}.{}", one.kernel, one.model, element_name(one)));
  set(test, "name", std::string(one.law.name));
  if (const std::string file = shown_file_of(of, one); !file.empty()) set(test, "file", file);
  const std::string verdict = verdict_of(one);
  if (!one.found.holds()) {
    const std::string cause = cause_of(of, one);
    add_finding(test, "failure", verdict, cause.empty() ? verdict : cause, counterexample_of(one));
  } else if (is_error(one, of)) {
    add_finding(test, "error", verdict, why_skipped(one));
  } else if (!is_judged(one)) {
    add_finding(test, "skipped", verdict, why_skipped(one));
  }
  test.append_child("system-out").text() =
      plain_text(fmt::format("{} cases of {} wanted, observed {}, bound {}", one.found.cases,
                             one.found.wanted, observed_of(one), bound_of(one)))
          .c_str();
}

/// Numbers of test cases, as suites and the whole report state them.
struct counts {
  std::int64_t tests = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::int64_t skipped = 0;

  void add(const result& one, const results& of) {
    ++tests;
    if (!one.found.holds())
      ++failures;
    else if (is_error(one, of))
      ++errors;
    else if (!is_judged(one))
      ++skipped;
  }

  void put(pugi::xml_node& to) const {
    set(to, "tests", tests);
    set(to, "failures", failures);
    set(to, "errors", errors);
    set(to, "skipped", skipped);
  }
};

/// A suite of the errors that belong to no single result.
void add_errors_of_all(pugi::xml_node& all, const std::vector<std::string>& errors) {
  if (errors.empty()) return;
  const auto count = static_cast<std::int64_t>(errors.size());
  pugi::xml_node suite = all.append_child("testsuite");
  set(suite, "name", "requests");
  counts{.tests = count, .errors = count}.put(suite);
  for (const std::string& one : errors) {
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "classname", "ropewalk verify");
    set(test, "name", one);
    add_finding(test, "error", "request", one);
  }
}

void add_suite(pugi::xml_node& all, const results& of, const std::string& name,
               const std::vector<const result*>& lines) {
  pugi::xml_node suite = all.append_child("testsuite");
  set(suite, "name", name);
  counts here;
  for (const result* one : lines) here.add(*one, of);
  here.put(suite);
  add_properties(suite, of);
  for (const result* one : lines) add_case(suite, of, *one);
}

}  // namespace

std::string as_junit(const results& of) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node all = document.append_child("testsuites");
  set(all, "name", "ropewalk verify");
  const std::vector<std::string> of_all = errors_of(of);
  counts sum{.tests = static_cast<std::int64_t>(of_all.size()),
             .errors = static_cast<std::int64_t>(of_all.size())};
  std::map<std::string, std::vector<const result*>> suites;
  for (const result& one : of.lines) {
    sum.add(one, of);
    suites[one.kernel + " " + one.model].push_back(&one);
  }
  sum.put(all);
  set(all, "time", fmt::format("{:.3f}", of.seconds));
  for (const auto& [name, lines] : suites) add_suite(all, of, name, lines);
  add_errors_of_all(all, of_all);
  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

}  // namespace ropewalk::report
