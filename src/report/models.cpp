#include "report/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/record.hpp"
#include "output/record.hpp"

namespace ropewalk::report {
namespace {

using input::json;

const model::reading any_map{.map = std::nullopt};

std::string length_text(double length) { return length == 0 ? "-" : input::shown(length); }

void print_models_table(bool with_sources) {
  const std::vector<std::string> names = model::catalogue_names();
  std::size_t width = 0;
  for (const std::string& name : model::all_catalogue_names()) width = std::max(width, name.size());
  const auto print = [&](const std::string& name, std::string_view rule, const std::string& rotary_dim,
                         const std::string& base, const std::string& layout, const std::string& length,
                         const std::string& factor) {
    std::cout << fmt::format("{:<{}} {:<12} {:>6} {:>9} {:<11} {:>6} {:>6}\n", name, width, rule, rotary_dim,
                             base, layout, length, factor);
  };
  const auto print_entry = [&](const model::model& entry) {
    const rope_scaling& scaling = entry.encoding.scaling;
    const bool is_skewed = entry.map == model::position_map::skewed;
    const bool crosses = entry.layout.pairing_in != entry.layout.pairing_out;
    print(entry.name, name_of(scaling), std::to_string(entry.encoding.rotary_dim),
          input::shown(entry.encoding.base),
          is_skewed ? "skewed"
          : crosses ? "crossing"
                    : name_of(entry.layout.pairing_in),
          length_text(original_length_of(scaling)), input::shown(factor_of(scaling)));
    if (with_sources) std::cout << "  " << entry.source << "\n";
  };
  print("name", "rule", "rotary", "base", "pairing", "L", "factor");
  std::vector<model::model> of_classes;
  for (const std::string& name : names) {
    model::model entry = model::catalogue_model(name);
    if (entry.name == entry.model_type)
      of_classes.push_back(std::move(entry));
    else
      print_entry(entry);
  }
  std::cout << "\nmodel types, by the defaults of their classes in transformers\n";
  for (const model::model& entry : of_classes) print_entry(entry);
  const std::vector<std::string> images = model::image_catalogue_names();
  std::cout << "\nmodels of images and videos, whose tokens --grid places\n";
  for (const std::string& name : images) print_entry(model::catalogue_model(name));
  const std::vector<std::string> maps = model::map_catalogue_names();
  std::cout << "\nmodels that turn no pair by one angle: `table skewed-cos-sin` and `table pooled-cos-sin`\n";
  for (const std::string& name : maps) print_entry(model::catalogue_model(name, any_map));
  std::cout << fmt::format(
      "\n{} models and {} types; {} models of images and videos. rotary: rotated channels of a head; L: the "
      "original\nlength that a rule starts from; crossing: interleaved pairs are read, half-split ones "
      "written; "
      "skewed: angles of\none pairing, partners of another. Where layers differ, those with full attention, "
      "or "
      "those that rotate:\n`ropewalk explain config --model NAME` has all.\nSources: --verbose or --json\n",
      names.size() - of_classes.size(), of_classes.size(), images.size() + maps.size());
}

void print_models_as_json() {
  json list = json::array();
  for (const std::string& name : model::all_catalogue_names())
    list.push_back(model::model_record(model::catalogue_model(name, any_map)));
  std::cout << output::pretty(list);
}

}  // namespace

void print_models(models_as as) {
  if (as == models_as::json)
    print_models_as_json();
  else
    print_models_table(as == models_as::table_with_sources);
}

}  // namespace ropewalk::report
