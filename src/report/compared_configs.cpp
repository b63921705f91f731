#include "report/compared_configs.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "output/record.hpp"

namespace ropewalk::report {
namespace {

using input::json;

constexpr const char* compared_schema = "urn:ropewalk:compared-configs:1";
constexpr const char* engines_schema = "urn:ropewalk:explained-engines:1";

/// The two sides of a comparison.
struct two_names {
  std::string first, second;
};

json record_of(const model::fact& fact) { return {{"value", fact.value}, {"origin", fact.origin}}; }

json record_of(const model::comparison& comparison) {
  json differences = json::array(), separations = json::array();
  for (const model::difference& difference : comparison.differences)
    differences.push_back({{"layers", difference.layers},
                           {"name", difference.name},
                           {"first", record_of(difference.first)},
                           {"second", record_of(difference.second)}});
  for (const model::separation& separation : comparison.separations)
    separations.push_back(
        {{"layers", separation.layers},
         {"largest", separation.largest},
         {"pair", separation.pair},
         {"position", separation.position},
         {"noticeable", separation.noticeable ? json(separation.noticeable.value) : json()}});
  return {{"differences", std::move(differences)},
          {"separations", std::move(separations)},
          {"compared", comparison.compared},
          {"positions", comparison.positions},
          {"in_binary32", comparison.is_in_binary32}};
}

std::string named(const std::string& layers, std::string_view name) {
  return (layers.empty() ? "" : "layers " + layers + ": ") + std::string(name);
}

void print_differences(const two_names& names, const model::comparison& comparison, std::string_view indent) {
  for (const model::difference& difference : comparison.differences) {
    std::cout << indent << named(difference.layers, difference.name) << "\n";
    for (const auto& [name, fact] :
         {std::pair(names.first, difference.first), std::pair(names.second, difference.second)})
      std::cout << indent
                << fmt::format("  {:<24}  {}  ({})\n", printable(fact.value), printable(fact.origin),
                               printable(name));
  }
  for (const model::separation& separation : comparison.separations)
    std::cout << indent << named(separation.layers, "size")
              << fmt::format(
                     "\n{}  up to {:.4g} of a pair's length: pair {} at position {}, of {} positions\n",
                     indent, separation.largest, separation.pair, separation.position, comparison.positions)
              << (separation.noticeable
                      ? fmt::format("{}  more than 2^-8, as bfloat16 resolves, first at position {}\n",
                                    indent, separation.noticeable.value)
                      : fmt::format("{}  never more than 2^-8, as bfloat16 resolves\n", indent));
}

}  // namespace

void print_comparison(const std::string& first, const std::string& second,
                      const model::comparison& comparison, bool as_json) {
  if (as_json) {
    json record = record_of(comparison);
    record["schema"] = compared_schema;
    record["first"] = first;
    record["second"] = second;
    std::cout << output::pretty(record);
    return;
  }
  print_differences({first, second}, comparison, "");
  std::cout << fmt::format(
      "{} difference{}; {} quantities compared{}\n", comparison.differences.size(),
      comparison.differences.size() == 1 ? "" : "s", comparison.compared,
      comparison.is_in_binary32 ? ", divisors and attention factors as binary32 holds them" : "");
}

void print_engine_readings(const std::string& name, std::int64_t positions,
                           const std::vector<model::other_reading>& readings, bool as_json) {
  if (as_json) {
    json record = {{"schema", engines_schema}, {"name", name}, {"positions", positions}};
    record["known"] = model::engine_readings().size();
    record["readings"] = json::array();
    for (const model::other_reading& other : readings)
      record["readings"].push_back({{"name", other.reading->name},
                                    {"engine", other.reading->engine},
                                    {"says", other.reading->says},
                                    {"source", other.reading->source},
                                    {"comparison", record_of(other.compared)}});
    std::cout << output::pretty(record);
    return;
  }
  for (const model::other_reading& other : readings) {
    std::cout << fmt::format("{}: {}\n  {}\n  source: {}\n", other.reading->name, other.reading->engine,
                             other.reading->says, other.reading->source);
    print_differences({name, std::string(other.reading->engine)}, other.compared, "  ");
  }
  std::cout << fmt::format("{}: {} of {} known readings of engines change a number\n", printable(name),
                           readings.size(), model::engine_readings().size());
}

}  // namespace ropewalk::report
