// The report as JUnit XML: a test suite for each kernel and model, a test case for each dtype and law.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "report/report.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

/// Replaces by ? what XML 1.0 cannot hold even as a reference: control
/// characters other than tab and line feed.
std::string xml_text(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ' && letter != '\t' && letter != '\n') letter = '?';
  return text;
}

void add_property(pugi::xml_node& properties, const char* name, const std::string& value) {
  pugi::xml_node property = properties.append_child("property");
  property.append_attribute("name") = name;
  property.append_attribute("value") = xml_text(value).c_str();
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
  if (of.interrupted) add_property(properties, "interrupted", "true");
}

std::string why_skipped(const result& one) {
  if (finding_of(one) == finding::not_served) return "not served: " + one.beyond;
  if (finding_of(one) == finding::not_judged) return "not judged: " + why_not_judged(one);
  return verdict_of(one) + (one.no_bound.empty() ? "" : ": " + one.no_bound);
}

/// Whether a result without a failure still makes the exit code 1.
bool is_error(const result& one, const results& of) {
  return finding_of(one) == finding::not_judged && !of.allows_declined;
}

void add_case(pugi::xml_node& suite, const results& of, const result& one) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") =
      xml_text(fmt::format("{}.{}.{}", one.kernel, one.model, ropewalk::name_of(one.dtype))).c_str();
  test.append_attribute("name") = std::string(one.law.name).c_str();
  if (!one.found.holds()) {
    pugi::xml_node failure = test.append_child("failure");
    const std::string cause = cause_of(of, one);
    failure.append_attribute("message") = xml_text(cause.empty() ? verdict_of(one) : cause).c_str();
    failure.text() = xml_text(counterexample_of(one)).c_str();
  } else if (is_error(one, of)) {
    test.append_child("error").append_attribute("message") = why_skipped(one).c_str();
  } else if (!is_judged(one)) {
    test.append_child("skipped").append_attribute("message") = why_skipped(one).c_str();
  }
  test.append_child("system-out").text() =
      fmt::format("{} cases, worst observed {}, bound {}", one.found.cases, observed_of(one), bound_of(one))
          .c_str();
}

/// Errors that belong to no single result: libraries that ended their process, conditions of --fail-on, and
/// requests without a verdict.
std::vector<std::string> errors_of_all(const results& of) {
  std::vector<std::string> r = of.ended;
  r.insert(r.end(), of.failed_on.begin(), of.failed_on.end());
  if (!of.allows_declined) r.insert(r.end(), of.not_judged.begin(), of.not_judged.end());
  return r;
}

void add_what_was_asked_for(pugi::xml_node& all, const std::vector<std::string>& errors) {
  if (errors.empty()) return;
  pugi::xml_node suite = all.append_child("testsuite");
  suite.append_attribute("name") = "requests";
  suite.append_attribute("tests") = static_cast<long long>(errors.size());
  suite.append_attribute("failures") = 0;
  suite.append_attribute("errors") = static_cast<long long>(errors.size());
  suite.append_attribute("skipped") = 0;
  for (const std::string& one : errors) {
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = "ropewalk verify";
    test.append_attribute("name") = xml_text(one).c_str();
    test.append_child("error").append_attribute("message") = xml_text(one).c_str();
  }
}

}  // namespace

std::string as_junit(const results& of) {
  pugi::xml_document document;
  pugi::xml_node all = document.append_child("testsuites");
  const totals sum = totals_of(of);
  all.append_attribute("name") = "ropewalk verify";
  const std::vector<std::string> of_all = errors_of_all(of);
  const auto errors =
      std::count_if(of.lines.begin(), of.lines.end(), [&](const result& one) { return is_error(one, of); });
  const auto further = static_cast<std::int64_t>(of_all.size());
  all.append_attribute("tests") = static_cast<long long>(sum.lines + further);
  all.append_attribute("failures") = static_cast<long long>(sum.failed);
  all.append_attribute("errors") = static_cast<long long>(errors + further);
  all.append_attribute("time") = fmt::format("{:.3f}", of.seconds).c_str();
  std::map<std::string, std::vector<const result*>> suites;
  for (const result& one : of.lines) suites[one.kernel + " " + one.model].push_back(&one);
  for (const auto& [name, lines] : suites) {
    pugi::xml_node suite = all.append_child("testsuite");
    results part;
    for (const result* one : lines) part.lines.push_back(*one);
    const totals of_suite = totals_of(part);
    suite.append_attribute("name") = xml_text(name).c_str();
    suite.append_attribute("tests") = static_cast<long long>(of_suite.lines);
    suite.append_attribute("failures") = static_cast<long long>(of_suite.failed);
    const auto errors_here =
        std::count_if(lines.begin(), lines.end(), [&](const result* one) { return is_error(*one, of); });
    suite.append_attribute("errors") = static_cast<long long>(errors_here);
    suite.append_attribute("skipped") =
        static_cast<long long>(of_suite.lines - of_suite.held - of_suite.failed - errors_here);
    add_properties(suite, of);
    for (const result* one : lines) add_case(suite, of, *one);
  }
  add_what_was_asked_for(all, of_all);
  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

}  // namespace ropewalk::report
