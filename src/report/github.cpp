// What GitHub Actions shows beside the step summary: an annotation for each failure.

#include <fmt/format.h>

#include "export/plain_text.hpp"
#include "report/report.hpp"

namespace ropewalk::report {

using output::plain_text;

using namespace verify;

namespace {

/// The text of a workflow command. A property, such as its title, ends at a comma, its name at a colon.
std::string command_text(const std::string& text, std::string_view besides = "") {
  std::string r;
  for (const char letter : plain_text(text)) {
    if (letter == '%' || letter == '\n' || besides.find(letter) != besides.npos)
      r += fmt::format("%{:02X}", int{letter});
    else
      r += letter;
  }
  return r;
}

/// A file elsewhere than below the working directory is none of the repository's.
std::string annotation(const std::string& title, const std::string& text, const std::string& file = "") {
  constexpr std::string_view ends = ":,";
  return fmt::format("::error {}title={}::{}\n",
                     file.empty() || file.front() == '/' ? "" : "file=" + command_text(file, ends) + ",",
                     command_text(title, ends), command_text(text));
}

}  // namespace

std::string as_annotations(const results& of) {
  std::string text;
  for (const result& one : of.lines)
    if (!one.found.holds() && is_reported(one))
      text += annotation(fmt::format("ropewalk {} {} {}", one.kernel, element_name(one), one.law.name),
                         one.model + ": " + cause_of(of, one) + "\n" + counterexample_of(one),
                         shown_file_of(of, one));
  for (const std::string& one : errors_of(of)) text += annotation("ropewalk", one);
  return text;
}

}  // namespace ropewalk::report
