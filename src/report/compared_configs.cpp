#include "report/compared_configs.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "export/record.hpp"
#include "input/bad_input.hpp"
#include "input/json_text.hpp"

namespace ropewalk::report {
namespace {

using input::json;

constexpr const char* compared_schema = "urn:ropewalk:compared-configs:1";
constexpr const char* engines_schema = "urn:ropewalk:explained-engines:1";

/// The two sides of a comparison.
struct two_names {
  std::string first, second;
};

json record_of(const model::fact& one) { return {{"value", one.value}, {"origin", one.origin}}; }

json record_of(const model::comparison& found) {
  json differences = json::array(), separations = json::array();
  for (const model::difference& one : found.differences)
    differences.push_back({{"layers", one.layers},
                           {"name", one.name},
                           {"first", record_of(one.first)},
                           {"second", record_of(one.second)}});
  for (const model::separation& one : found.separations)
    separations.push_back({{"layers", one.layers},
                           {"largest", one.largest},
                           {"pair", one.pair},
                           {"position", one.position},
                           {"noticeable", one.noticeable ? json(one.noticeable.value) : json()}});
  return {{"differences", std::move(differences)},
          {"separations", std::move(separations)},
          {"compared", found.compared},
          {"positions", found.positions},
          {"in_binary32", found.is_in_binary32}};
}

std::string named(const std::string& layers, std::string_view what) {
  return (layers.empty() ? "" : "layers " + layers + ": ") + std::string(what);
}

void print_differences(const two_names& names, const model::comparison& found, std::string_view indent) {
  for (const model::difference& one : found.differences) {
    std::cout << indent << named(one.layers, one.name) << "\n";
    for (const auto& [name, told] : {std::pair(names.first, one.first), std::pair(names.second, one.second)})
      std::cout << indent
                << fmt::format("  {:<24}  {}  ({})\n", printable(told.value), printable(told.origin),
                               printable(name));
  }
  for (const model::separation& one : found.separations)
    std::cout << indent << named(one.layers, "size")
              << fmt::format(
                     "\n{}  up to {:.4g} of a pair's length: pair {} at position {}, of {} positions\n",
                     indent, one.largest, one.pair, one.position, found.positions)
              << (one.noticeable
                      ? fmt::format("{}  more than 2^-8, as bfloat16 resolves, first at position {}\n",
                                    indent, one.noticeable.value)
                      : fmt::format("{}  never more than 2^-8, as bfloat16 resolves\n", indent));
}

}  // namespace

void print_comparison(const std::string& first, const std::string& second, const model::comparison& found,
                      bool as_json) {
  if (as_json) {
    json record = record_of(found);
    record["schema"] = compared_schema;
    record["first"] = first;
    record["second"] = second;
    std::cout << output::pretty(record);
    return;
  }
  print_differences({first, second}, found, "");
  std::cout << fmt::format(
      "{} difference{}; {} quantities compared{}\n", found.differences.size(),
      found.differences.size() == 1 ? "" : "s", found.compared,
      found.is_in_binary32 ? ", divisors and attention factors as binary32 holds them" : "");
}

void print_engine_readings(const std::string& name, std::int64_t positions,
                           const std::vector<model::other_reading>& readings, bool as_json) {
  if (as_json) {
    json record = {{"schema", engines_schema}, {"name", name}, {"positions", positions}};
    record["known"] = model::engine_readings().size();
    record["readings"] = json::array();
    for (const model::other_reading& one : readings)
      record["readings"].push_back({{"name", one.reading->name},
                                    {"engine", one.reading->engine},
                                    {"says", one.reading->says},
                                    {"source", one.reading->source},
                                    {"comparison", record_of(one.found)}});
    std::cout << output::pretty(record);
    return;
  }
  for (const model::other_reading& one : readings) {
    std::cout << fmt::format("{}: {}\n  {}\n  source: {}\n", one.reading->name, one.reading->engine,
                             one.reading->says, one.reading->source);
    print_differences({name, std::string(one.reading->engine)}, one.found, "  ");
  }
  std::cout << fmt::format("{}: {} of {} known readings of engines change a number\n", printable(name),
                           readings.size(), model::engine_readings().size());
}

}  // namespace ropewalk::report
