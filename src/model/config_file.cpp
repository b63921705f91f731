#include "model/config_file.hpp"

#include <sys/stat.h>

#include "input/input_file.hpp"
#include "input/json_text.hpp"

namespace ropewalk::model {
namespace {

std::string config_path(const std::string& path) {
  struct stat status {};
  const bool is_directory = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_directory ? path + (path.ends_with('/') ? "" : "/") + "config.json" : path;
}

}  // namespace

std::string config_text(const std::string& path) {
  const auto read = [&] { return input::read_text("config", config_path(path), input::largest_config); };
  if (path != "-") return read();
  static const std::string standard_input = read();  // it can be read once
  return standard_input;
}

}  // namespace ropewalk::model
