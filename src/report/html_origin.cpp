// The page's last section: the commands that ran, the machine, and how to repeat them.

#include <fmt/format.h>

#include "report/html_sections.hpp"
#include "report/report.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report::html {
namespace {

void add_fact(node list, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  node group = add(list, "div");
  add(group, "dt", name);
  add(group, "dd", value);
}

void add_command(node to, std::string_view name, std::string_view command) {
  if (command.empty()) return;
  add(to, "p", name);
  add_literal(to, command);
}

}  // namespace

void add_origin(node to, const page& page) {
  node section = add(to, "section");
  section.append_attribute("id") = "origin";
  add(section, "h2", "Origin");
  node facts = add(section, "dl");
  const verify::results& judged = page.judged;
  add_fact(facts, "Program", fmt::format("ropewalk {}, built by {}", version, compiler()));
  add_fact(facts, "Date", page.date);
  add_fact(facts, "Processor", processor());
  add_fact(facts, "Vulkan", judged.device);
  add_fact(facts, "Verification",
           fmt::format("seed {}, {} thread{}, {:.1f} s", judged.seed, judged.threads,
                       judged.threads == 1 ? "" : "s", judged.seconds));
  for (const auto& [name, value] : page.measured.context) add_fact(facts, "Benchmarks: " + name, value);
  add_command(section, "This page again:", page.command_line);
  add_command(section, "The verdicts alone:", judged.command_line);
}

}  // namespace ropewalk::report::html
