// ropewalk models: the catalogue of model configurations.

#include "report/models.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"

namespace ropewalk::command {

void add_models(parser& program) {
  subcommand command = program.add("models", "the catalogue of model configurations");
  const auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "the same as JSON, with what was taken and why");
  command.footer("Example:\n  ropewalk models --json");
  command.run([as_json] {
    report::print_models(*as_json);
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
