#include "report/configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "model/derived.hpp"
#include "model/record.hpp"
#include "output/record.hpp"
#include "output/terminal.hpp"

namespace ropewalk::report {
namespace {

using input::json;
using model::fact;

std::vector<fact> all_facts(const model::model& model) {
  std::vector<fact> facts = model.facts;
  for (fact& fact : model::derived_facts(model)) facts.push_back(std::move(fact));
  return facts;
}

void print_facts(const std::string& name, const std::vector<fact>& facts,
                 const std::vector<std::string>& warnings) {
  std::size_t name_width = 0, value_width = 0;
  for (const fact& fact : facts) {
    name_width = std::max(name_width, fact.name.size());
    value_width = std::max(value_width, std::min<std::size_t>(printable(fact.value).size(), 24));
  }
  std::cout << printable(name) << "\n";
  for (const fact& fact : facts)
    std::cout << fmt::format("  {:<{}}  {:<{}}  {}\n", fact.name, name_width, printable(fact.value),
                             value_width, printable(fact.origin));
  for (const std::string& line : warnings)
    std::cout << output::coloured("warning: ", output::colour::yellow, output::stream::out) << line << "\n";
}

void print_facts(const model::model& model) { print_facts(model.name, all_facts(model), model.warnings); }

constexpr const char* explained_schema = "urn:ropewalk:explained-config:1";

json quantities_of(const std::vector<fact>& facts) {
  json quantities = json::array();
  for (const fact& fact : facts)
    quantities.push_back({{"name", fact.name}, {"value", fact.value}, {"origin", fact.origin}});
  return quantities;
}

json facts_record(const model::model& model) {
  json record = {
      {"name", model.name}, {"quantities", quantities_of(all_facts(model))}, {"warnings", model.warnings}};
  record["model"] = model::model_record(model);
  return record;
}

/// Prints a record, with its schema first.
void print_record(const json& record) {
  json named = {{"schema", explained_schema}};
  named.update(record);
  std::cout << output::pretty(named);
}

/// Layers of the same kind with the same table.
struct alike_layers {
  model::layer what;
  std::vector<int> numbers;
};

std::vector<alike_layers> groups_of(const model::layer_plan& plan) {
  std::vector<alike_layers> groups;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const model::layer& layer = plan.layers[i];
    auto same = std::find_if(groups.begin(), groups.end(), [&](const alike_layers& known) {
      return known.what.kind == layer.kind && known.what.table == layer.table;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {layer, {}});
    same->numbers.push_back(static_cast<int>(i));
  }
  return groups;
}

/// A, B, ..., Z; then 26, 27, ...
std::string letter_of(int table) {
  return table < 26 ? std::string(1, static_cast<char>('A' + table)) : std::to_string(table);
}

}  // namespace

void print_configuration(const model::model& model, bool as_json) {
  if (as_json)
    print_record(facts_record(model));
  else
    print_facts(model);
}

void print_own_encoding(const model::own_encoding& encoding, bool as_json) {
  if (as_json) {
    return print_record({{"name", encoding.name},
                         {"encoding", encoding.encoding},
                         {"quantities", quantities_of(encoding.facts)},
                         {"tables", encoding.kinds},
                         {"remarks", encoding.remarks},
                         {"warnings", json::array()}});
  }
  print_facts(encoding.name, encoding.facts, {});
  for (const std::string& line : encoding.remarks) std::cout << "  " << line << "\n";
  std::cout << fmt::format("  tables: {}\n", fmt::join(encoding.kinds, ", "));
}

void print_plan(const model::layer_plan& plan, bool as_json) {
  const bool has_kinds = plan.tables.size() > 1 || !plan.tables.front().layer_type.empty();
  if (as_json) {
    json record = facts_record(plan.tables.front());
    record["plan"] = {{"layers", json::array()}, {"tables", json::array()}};
    for (const alike_layers& group : groups_of(plan))
      record["plan"]["layers"].push_back({{"layers", model::runs_of(group.numbers)},
                                          {"kind", group.what.kind},
                                          {"table", group.what.table < 0 ? json() : json(group.what.table)}});
    for (const model::model& table : plan.tables) record["plan"]["tables"].push_back(facts_record(table));
    return print_record(record);
  }
  if (!has_kinds) return print_facts(plan.tables.front());
  std::cout << printable(plan.tables.front().name) << "\n";
  for (const alike_layers& group : groups_of(plan)) {
    const std::string table = group.what.table < 0 ? "no rotation" : "table " + letter_of(group.what.table);
    std::cout << fmt::format("  {:<11}  layers {} ({})\n", table, model::runs_of(group.numbers),
                             printable(group.what.kind));
  }
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    std::cout << "\ntable " << letter_of(static_cast<int>(i)) << ", " << printable(plan.tables[i].layer_type)
              << " layers of ";
    print_facts(plan.tables[i]);
  }
}

}  // namespace ropewalk::report
