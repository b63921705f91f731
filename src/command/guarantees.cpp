// ropewalk guarantees: prints encoding | quantity | format | bound | proof, from the constants that laws and
// tests use.

#include "report/guarantees.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

void add_guarantees(parser& program) {
  subcommand command =
      program.add("guarantees", "encoding | quantity | format | bound | proof, from the code");
  struct chosen_form {
    bool json = false;
    bool markdown = false;
  };
  const auto form = std::make_shared<chosen_form>();
  command.flag("--json", form->json, "the same as JSON");
  command.flag("--markdown", form->markdown, "the same as a Markdown table");
  command.footer(
      "A rotated pair's bound is relative to a|x|, a the attention factor and |x| the pair's Euclidean "
      "norm; "
      "that of a sum to |x| + |t|, x the element and t the exact number that is added to it.\n"
      "Example:\n  ropewalk guarantees --markdown");
  command.run([form] {
    if (form->json && form->markdown) throw bad_input("markdown", "given", "only without --json");
    report::print_guarantees(form->json       ? report::guarantees_as::json
                             : form->markdown ? report::guarantees_as::markdown
                                              : report::guarantees_as::text);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
