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
    if (json && markdown) throw bad_input("markdown", "given", "only without --json");
    return json       ? report::guarantees_as::json
           : markdown ? report::guarantees_as::markdown
                      : report::guarantees_as::text;
  }
};

void print(const guarantees_options& options) {
  const report::guarantees_as form = options.form();
  const named_option named = first_named(options.which);
  if (options.certified && !named.name.empty())
    throw bad_input(named.name, named.value, "none: --certified is of all certificates");
  if (options.certified) return report::print_certificates(form);
  if (named.name.empty()) return report::print_guarantees(form);
  const model::model read = chosen_model(options.which);
  const std::int64_t length = std::max<std::int64_t>(1, read.max_position_embeddings);
  report::print_certified(at_seq_len(read, options.which.seq_len, {length, "max_position_embeddings"}), form);
}

}  // namespace

void add_guarantees(parser& program) {
  subcommand command =
      program.add("guarantees", "encoding | quantity | format | bound | proof, from the code");
  const auto options = std::make_shared<guarantees_options>();
  add_which_options(command, options->which, how_many::one);
  command.heading("What is printed");
  command.flag("--certified", options->certified,
               "the certificates of all tables, a line each, and how to make those that are missing");
  command.flag("--json", options->json, "the same as JSON");
  command.flag("--markdown", options->markdown, "the same as a Markdown table");
  command.footer(
      "A rotated pair's bound is relative to a|x|, a the attention factor and |x| the pair's Euclidean "
      "norm; "
      "that of a sum to |x| + |t|, x the element and t the exact number that is added to it.\n"
      "With an encoding: what is certified of every entry of its table. The sequence's length is "
      "max_position_embeddings unless --seq-len is given.\n"
      "Example:\n  ropewalk guarantees --markdown\n  ropewalk guarantees --model llama-3.1-8b");
  command.run([options] {
    print(*options);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
