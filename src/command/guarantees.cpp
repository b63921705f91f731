// ropewalk guarantees: prints encoding | quantity | format | bound | proof, from the constants that laws and
// tests use; or what is certified of a model's table.

#include "report/guarantees.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "report/certified.hpp"

namespace ropewalk::command {
namespace {

struct guarantees_options {
  which_options which;
  bool certified = false;
  bool json = false;
  bool markdown = false;

  report::guarantees_as form() const {
    if (json && markdown) throw bad_input("markdown", flag_is_given, "only without --json");
    return json       ? report::guarantees_as::json
           : markdown ? report::guarantees_as::markdown
                      : report::guarantees_as::text;
  }
};

void print(const guarantees_options& options) {
  const report::guarantees_as form = options.form();
  const named_option encoding = first_named(options.which);
  if (options.certified && encoding.is_given())
    throw bad_input(encoding.name, encoding.value, "none: --certified is of all certificates");
  if (options.certified) return report::print_certificates(form);
  if (!encoding.is_given()) return report::print_guarantees(form);
  const model::model model = chosen_model(options.which);
  const std::int64_t length = std::max<std::int64_t>(1, model.max_position_embeddings);
  report::print_certified(at_seq_len(model, options.which.seq_len, {length, "max_position_embeddings"}),
                          form);
}

}  // namespace

void add_guarantees(parser& program) {
  subcommand command = program.add("guarantees");
  const auto options = std::make_shared<guarantees_options>();
  take_all(command, options->which);
  command.take("--certified", options->certified);
  command.take("--json", options->json);
  command.take("--markdown", options->markdown);
  command.run([options] {
    print(*options);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
