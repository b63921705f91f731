#include "report/image_engines.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "input/json_text.hpp"
#include "output/record.hpp"

namespace ropewalk::report {
namespace {

constexpr const char* schema = "urn:ropewalk:image-engines:1";

input::json record_of(const array::largest_error& error) {
  return {
      {"error", error.error}, {"axis", error.axis}, {"coordinate", error.coordinate}, {"pair", error.pair}};
}

}  // namespace

void print_image_engines(const std::vector<array::engine_error>& errors, bool as_json) {
  if (as_json) {
    input::json record = {{"schema", schema}, {"engines", input::json::array()}};
    for (const array::engine_error& error : errors)
      record["engines"].push_back({{"family", error.family},
                                   {"model", error.engine->model},
                                   {"grid", array::text_of(error.engine->request)},
                                   {"grid_source", error.engine->grid_source},
                                   {"tokens", error.tokens},
                                   {"arithmetic", name_of(error.engine->arithmetic)},
                                   {"cos", record_of(error.cos)},
                                   {"sin", record_of(error.sin)}});
    std::cout << output::pretty(record);
    return;
  }
  std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8} {:>8}  {}\n", "family", "largest grid in use",
                           "formed in", "cos", "sin", "larger one at");
  for (const array::engine_error& error : errors) {
    const array::largest_error& at = error.larger();
    std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8.2g} {:>8.2g}  axis {}, {:.7g}, pair {}\n",
                             error.family, array::text_of(error.engine->request),
                             name_of(error.engine->arithmetic), error.cos.error, error.sin.error, at.axis,
                             at.coordinate, at.pair);
  }
}

}  // namespace ropewalk::report
