#include "model/config_file.hpp"

#include <sys/stat.h>

#include <map>

#include "input/input_file.hpp"
#include "input/json_text.hpp"

namespace ropewalk::model {
namespace {

std::string config_path(const std::string& path) {
  struct stat status {};
  const bool is_directory = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (!is_directory) return path;
  const std::string folder = path + (path.ends_with('/') ? "" : "/"), usual = folder + "config.json";
  const std::string mistral = folder + "params.json";  // as Mistral publishes its weights
  return ::stat(usual.c_str(), &status) != 0 && ::stat(mistral.c_str(), &status) == 0 ? mistral : usual;
}

}  // namespace

std::string config_text(const std::string& path) {
  const std::string file = config_path(path);
  const auto read = [&] { return input::read_text("config", file, input::largest_config); };
  struct stat status {};
  const bool is_read_again = file != "-" && ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_read_again) return read();
  static std::map<std::string, std::string> once;  // of pipes and standard input
  const auto known = once.find(file);
  return known != once.end() ? known->second : once.emplace(file, read()).first->second;
}

}  // namespace ropewalk::model
