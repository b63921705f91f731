// ropewalk devices: lists the Vulkan devices and the guarantees of each.

#include "report/devices.hpp"

#include <memory>

#include "command/command.hpp"
#include "command/parser.hpp"
#include "gpu/vulkan/error.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

void add_devices(parser& program) {
  subcommand command = program.add("devices");
  const auto as_json = std::make_shared<bool>(false);
  command.take("--json", *as_json);
  command.run([as_json] {
    try {
      report::print_devices(*as_json);
    } catch (const vulkan::device_error& error) {
      throw missing_requirement(error.what());
    }
    return exit_code::holds;
  });
}

}  // namespace ropewalk::command
