// ropewalk models: prints the catalogue of model configurations.

#include "report/models.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"

namespace ropewalk::command {

void add_models(parser& program, session& session) {
  subcommand command = program.add("models", "the catalogue of model configurations");
  const auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "the same as JSON, with what was taken and why");
  command.footer("Examples:\n  ropewalk models\n  ropewalk models --verbose\n  ropewalk models --json");
  command.run([as_json, &session] {
    using enum report::models_as;
    report::print_models(*as_json ? json : session.verbose ? table_with_sources : table);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
