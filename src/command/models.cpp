// ropewalk models: the catalogue of model configurations.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "command/command.hpp"
#include "command/record.hpp"

namespace ropewalk::command {
namespace {

using model::json;

std::string length_text(double length) { return length == 0 ? "-" : model::shown(length); }

void print_row(std::string_view name, std::string_view rule, std::string_view rotary_dim,
               std::string_view base, std::string_view layout, std::string_view length,
               std::string_view factor, std::string_view source) {
  std::cout << fmt::format("{:<17} {:<8} {:>10} {:>8} {:<12} {:>6} {:>6}  {}\n", name, rule, rotary_dim, base,
                           layout, length, factor, source);
}

void print_table() {
  print_row("name", "rule", "rotary_dim", "base", "pairing", "L", "factor", "source");
  for (const std::string& name : model::catalogue_names()) {
    const model::model entry = model::catalogue_model(name);
    const rope_scaling& scaling = entry.encoding.scaling;
    print_row(name, name_of(scaling.rule), std::to_string(entry.encoding.rotary_dim),
              model::shown(entry.encoding.base), name_of(entry.layout.pairing_in),
              length_text(model::original_length_of(scaling)), model::shown(model::factor_of(scaling)),
              entry.source);
  }
}

void print_json() {
  json list = json::array();
  for (const std::string& name : model::catalogue_names())
    list.push_back(model_record(model::catalogue_model(name)));
  std::cout << pretty(list);
}

}  // namespace

void add_models(CLI::App& app, session& session) {
  auto* command = app.add_subcommand("models", "the catalogue of model configurations");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "the same as JSON, with what was taken and why");
  command->footer("Example:\n  ropewalk models --json");
  command->callback([as_json, &session] {
    session.run = [as_json] {
      *as_json ? print_json() : print_table();
      return exit_code::holds;
    };
  });
}

}  // namespace ropewalk::command
