// Annotations of GitHub Actions, in addition to the step summary: one per failure.

#include <fmt/format.h>

#include "output/plain_text.hpp"
#include "report/report.hpp"

namespace ropewalk::report {

using output::plain_text;

using namespace verify;

namespace {

/// The text of a workflow command. A property such as the title ends at a comma, and its name at a colon.
std::string command_text(const std::string& text, std::string_view besides = "") {
  std::string words;
  for (const char letter : plain_text(text)) {
    if (letter == '%' || letter == '\n' || besides.find(letter) != besides.npos)
      words += fmt::format("%{:02X}", int{letter});
    else
      words += letter;
  }
  return words;
}

/// An error annotation. Only files below the working directory belong to the repository.
std::string annotation(const std::string& title, const std::string& text, const std::string& file = "") {
  constexpr std::string_view ends = ":,";
  return fmt::format("::error {}title={}::{}\n",
                     file.empty() || file.front() == '/' ? "" : "file=" + command_text(file, ends) + ",",
                     command_text(title, ends), command_text(text));
}

}  // namespace

std::string as_annotations(const results& results) {
  std::string text;
  for (const result& line : results.lines)
    if (!line.outcome.holds() && is_reported(line))
      text += annotation(fmt::format("ropewalk {} {} {}", line.kernel, element_name(line), line.law.name),
                         line.model + ": " + cause_of(results, line) + "\n" + counterexample_of(line),
                         shown_file_of(results, line));
  for (const std::string& error : errors_of(results)) text += annotation("ropewalk", error);
  return text;
}

}  // namespace ropewalk::report
