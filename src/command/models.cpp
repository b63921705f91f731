// ropewalk models: prints the catalogue of model configurations.

#include "report/models.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"

namespace ropewalk::command {

void add_models(parser& program, session& session) {
  subcommand command = program.add("models");
  const auto as_json = std::make_shared<bool>(false);
  command.take("--json", *as_json);
  command.run([as_json, &session] {
    using enum report::models_as;
    report::print_models(*as_json ? json : session.verbose ? table_with_sources : table);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
