// ropewalk guarantees: encoding | quantity | format | bound | proof, from the constants that laws and tests use.

#include "report/guarantees.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"

namespace ropewalk::command {

void add_guarantees(parser& program) {
  subcommand command =
      program.add("guarantees", "encoding | quantity | format | bound | proof, from the code");
  const auto as = std::make_shared<report::guarantees_as>(report::guarantees_as::text);
  command.flag(
      "--json", [as] { *as = report::guarantees_as::json; }, "the same as JSON");
  command.flag(
      "--markdown", [as] { *as = report::guarantees_as::markdown; }, "the same as a Markdown table");
  command.footer(
      "A rotated pair's bound is relative to a|x|, a the attention factor and |x| the pair's Euclidean "
      "norm; "
      "that of a sum to |x| + |t|, x the element and t the exact number that is added to it.\n"
      "Example:\n  ropewalk guarantees --markdown");
  command.run([as] {
    report::print_guarantees(*as);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
