#include "report/image_engines.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "export/record.hpp"
#include "input/json_text.hpp"

namespace ropewalk::report {
namespace {

constexpr const char* schema = "urn:ropewalk:image-engines:1";

input::json record_of(const output::largest_error& error) {
  return {
      {"error", error.error}, {"axis", error.axis}, {"coordinate", error.coordinate}, {"pair", error.pair}};
}

}  // namespace

void print_image_engines(const std::vector<output::engine_error>& errors, bool as_json) {
  if (as_json) {
    input::json record = {{"schema", schema}, {"engines", input::json::array()}};
    for (const output::engine_error& error : errors)
      record["engines"].push_back({{"family", error.family},
                                   {"model", error.engine->model},
                                   {"grid", output::text_of(error.engine->request)},
                                   {"grid_source", error.engine->grid_source},
                                   {"tokens", error.tokens},
                                   {"arithmetic", name_of(error.engine->arithmetic)},
                                   {"cos", record_of(error.cos)},
                                   {"sin", record_of(error.sin)}});
    std::cout << output::pretty(record);
    return;
  }
  std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8} {:>8}  {}\n", "family", "largest grid in use",
                           "formed in", "cos", "sin", "the larger at");
  for (const output::engine_error& error : errors) {
    const output::largest_error& at = error.larger();
    std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8.2g} {:>8.2g}  axis {}, {:.7g}, pair {}\n",
                             error.family, output::text_of(error.engine->request),
                             name_of(error.engine->arithmetic), error.cos.error, error.sin.error, at.axis,
                             at.coordinate, at.pair);
  }
}

}  // namespace ropewalk::report
