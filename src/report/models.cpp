#include "report/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "export/record.hpp"
#include "model/record.hpp"

namespace ropewalk::report {
namespace {

using input::json;

std::string length_text(double length) { return length == 0 ? "-" : input::shown(length); }

void print_models_table(bool with_sources) {
  const std::vector<std::string> names = model::catalogue_names();
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  const auto print = [&](const std::string& name, std::string_view rule, const std::string& rotary_dim,
                         const std::string& base, const std::string& layout, const std::string& length,
                         const std::string& factor) {
    std::cout << fmt::format("{:<{}} {:<12} {:>6} {:>9} {:<11} {:>6} {:>6}\n", name, width, rule, rotary_dim,
                             base, layout, length, factor);
  };
  print("name", "rule", "rotary", "base", "pairing", "L", "factor");
  for (const std::string& name : names) {
    const model::model entry = model::catalogue_model(name);
    const rope_scaling& scaling = entry.encoding.scaling;
    const bool crosses = entry.layout.pairing_in != entry.layout.pairing_out;
    print(name, name_of(scaling), std::to_string(entry.encoding.rotary_dim),
          input::shown(entry.encoding.base), crosses ? "crossing" : name_of(entry.layout.pairing_in),
          length_text(original_length_of(scaling)), input::shown(factor_of(scaling)));
    if (with_sources) std::cout << "  " << entry.source << "\n";
  }
  std::cout << fmt::format(
      "{} models. rotary: rotated channels of a head; L: the original length that a rule starts from;\n"
      "crossing: interleaved pairs are read, half-split ones written. Sources: --verbose or --json\n",
      names.size());
}

void print_models_as_json() {
  json list = json::array();
  for (const std::string& name : model::catalogue_names())
    list.push_back(model::model_record(model::catalogue_model(name)));
  std::cout << output::pretty(list);
}

}  // namespace

void print_models(models_as how) {
  if (how == models_as::json)
    print_models_as_json();
  else
    print_models_table(how == models_as::table_with_sources);
}

}  // namespace ropewalk::report
