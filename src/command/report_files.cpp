#include "command/report_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <system_error>

#include "command/option/option_table.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

/// The canonical path, with links, . and .. resolved, so that two names of one file are recognised; "-" for
/// standard output.
std::string place_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return "-";
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, error);
  return error ? path : std::filesystem::absolute(place, error).string();
}

}  // namespace

report_files::report_files(const std::vector<std::string>& names) {
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const std::size_t mark = name.find('=');
    const report::report_kind* const kind = report::report_kind_named(name.substr(0, mark));
    if (kind == nullptr || mark == std::string::npos || mark + 1 == name.size())
      throw refusal("--report", name);
    const std::string path = name.substr(mark + 1), place = place_of(path);
    if (!taken.insert(place).second)
      throw bad_input("report", name,
                      place == "-" ? "one report to standard output" : "a file of its own for each report");
    takes_standard_output_ = takes_standard_output_ || place == "-";
    files_.push_back({kind, std::make_unique<output::output_file>(path)});
  }
}

void report_files::write(const verify::results& results) const {
  for (const report_file& report : files_) {
    report.file->write(report.kind->text(results));
    report.file->finish();
  }
  for (const report_file& report : files_) report.file->commit();
}

void report_github(const verify::results& results, std::ostream& stream) {
  if (std::getenv("GITHUB_ACTIONS") == nullptr) return;
  stream << report::as_annotations(results);
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::ofstream file(summary, std::ios::app);
  file << report::as_markdown(results);
}

}  // namespace ropewalk::command
