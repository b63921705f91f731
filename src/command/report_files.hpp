#pragma once
// The report files of `ropewalk verify`.

#include <memory>
#include <string>
#include <vector>

#include "output/output_file.hpp"
#include "report/report.hpp"

namespace ropewalk::command {

/// Report files, opened before a verification, so that an unwritable path is refused at once.
class report_files {
 public:
  /// names   KIND=FILE each; - is standard output
  ///
  /// throws  bad_input naming the option `report`, or the output
  explicit report_files(const std::vector<std::string>& names);

  bool takes_standard_output() const { return takes_standard_output_; }

  /// Writes all reports, and only then renames them to their names. Without this call there are no files.
  void write(const verify::results& results) const;

 private:
  struct report_file {
    const report::report_kind* kind;
    std::unique_ptr<output::output_file> file;
  };
  std::vector<report_file> files_;
  bool takes_standard_output_ = false;
};

/// Under GitHub Actions, prints annotations and appends the step summary.
void report_github(const verify::results& results, std::ostream& stream);

}  // namespace ropewalk::command
