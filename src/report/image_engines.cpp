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

input::json record_of(const output::largest_error& of) {
  return {{"error", of.error}, {"axis", of.axis}, {"coordinate", of.coordinate}, {"pair", of.pair}};
}

}  // namespace

void print_image_engines(const std::vector<output::engine_error>& found, bool as_json) {
  if (as_json) {
    input::json record = {{"schema", schema}, {"engines", input::json::array()}};
    for (const output::engine_error& one : found)
      record["engines"].push_back({{"family", one.family},
                                   {"model", one.of->model},
                                   {"grid", output::text_of(one.of->asked)},
                                   {"grid_source", one.of->grid_source},
                                   {"tokens", one.tokens},
                                   {"arithmetic", name_of(one.of->how)},
                                   {"cos", record_of(one.cos)},
                                   {"sin", record_of(one.sin)}});
    std::cout << output::pretty(record);
    return;
  }
  std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8} {:>8}  {}\n", "family", "largest grid in use",
                           "formed in", "cos", "sin", "the larger at");
  for (const output::engine_error& one : found) {
    const output::largest_error& at = one.larger();
    std::cout << fmt::format("{:<34} {:<30} {:<39} {:>8.2g} {:>8.2g}  axis {}, {:.7g}, pair {}\n", one.family,
                             output::text_of(one.of->asked), name_of(one.of->how), one.cos.error,
                             one.sin.error, at.axis, at.coordinate, at.pair);
  }
}

}  // namespace ropewalk::report
