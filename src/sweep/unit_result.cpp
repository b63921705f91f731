#include "sweep/unit_result.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "input/json_text.hpp"
#include "sweep/digest.hpp"

namespace ropewalk::sweep {
namespace {

constexpr const char* checksum = "checksum";

}  // namespace

std::string line_of(const std::string& unit, const tally& counts) {
  nlohmann::json json = {{"unit", unit}, {"formats", nlohmann::json::array()}};
  for (const format_tally& counted : counts) json["formats"].push_back(to_json(counted));
  json[checksum] = digest_of(json.dump());
  return json.dump();
}

std::optional<unit_result> read_line(std::string_view line) {
  try {
    nlohmann::json json = input::sorted_object_of(line);
    unit_result result{json.at("unit").get<std::string>(), {}, json.at(checksum).get<std::string>()};
    json.erase(checksum);
    if (digest_of(json.dump()) != result.checksum) return std::nullopt;
    for (const nlohmann::json& object : json.at("formats"))
      result.counts.push_back(format_tally_from_json(object));
    return result;
  } catch (const std::exception&) {  // for any error, the unit is done again
    return std::nullopt;
  }
}

}  // namespace ropewalk::sweep
