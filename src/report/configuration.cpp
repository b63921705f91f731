#include "report/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "export/record.hpp"
#include "export/terminal.hpp"
#include "input/bad_input.hpp"
#include "model/derived.hpp"
#include "model/record.hpp"

namespace ropewalk::report {
namespace {

using input::json;
using model::fact;

std::vector<fact> all_facts(const model::model& model) {
  std::vector<fact> facts = model.facts;
  for (fact& one : model::derived_facts(model)) facts.push_back(std::move(one));
  return facts;
}

void print_facts(const model::model& model) {
  const std::vector<fact> facts = all_facts(model);
  std::size_t name_width = 0, value_width = 0;
  for (const fact& one : facts) {
    name_width = std::max(name_width, one.name.size());
    value_width = std::max(value_width, std::min<std::size_t>(printable(one.value).size(), 24));
  }
  std::cout << printable(model.name) << "\n";
  for (const fact& one : facts)
    std::cout << fmt::format("  {:<{}}  {:<{}}  {}\n", one.name, name_width, printable(one.value),
                             value_width, printable(one.origin));
  for (const std::string& line : model.warnings)
    std::cout << output::coloured("warning: ", output::colour::yellow, output::stream::out) << line << "\n";
}

void print_facts_json(const model::model& model) {
  json record = {{"name", model.name}, {"quantities", json::array()}, {"warnings", model.warnings}};
  for (const fact& one : all_facts(model))
    record["quantities"].push_back({{"name", one.name}, {"value", one.value}, {"origin", one.origin}});
  record["model"] = model::model_record(model);
  std::cout << output::pretty(record);
}

}  // namespace

void print_configuration(const model::model& model, bool as_json) {
  as_json ? print_facts_json(model) : print_facts(model);
}

}  // namespace ropewalk::report
