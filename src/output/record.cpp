#include "output/record.hpp"

#include <nlohmann/json.hpp>

#include "ropewalk/version.hpp"

namespace ropewalk::output {

input::json origin_record(const std::string& command_line) {
  return {{"written_by", std::string("ropewalk ") + version}, {"command", command_line}};
}

std::string pretty(const input::json& value) {
  return value.dump(1, ' ', true, input::json::error_handler_t::replace) + "\n";
}

std::string one_line(const input::json& value) {
  return value.dump(-1, ' ', true, input::json::error_handler_t::replace);
}

std::string entry_text(const input::json& value) {
  const std::string text = one_line(value);
  return value.is_string() ? input::any_value_of(text).get<std::string>() : text;
}

}  // namespace ropewalk::output
