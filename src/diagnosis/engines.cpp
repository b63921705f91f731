#include "diagnosis/engines.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "diagnosis/rotary_suspect.hpp"
#include "model/engine_readings.hpp"

namespace ropewalk::diagnosis {
namespace {

bool is_named(const std::vector<named_fault>& faults, std::string_view fault) {
  constexpr std::string_view prefix = "fault-";
  return std::any_of(faults.begin(), faults.end(), [&](const named_fault& first) {
    const std::string_view name = first.name;
    return (name.starts_with(prefix) ? name.substr(prefix.size()) : name) == fault;
  });
}

/// Whether an engine's reading changes the table of a model at its length.
bool changes(const model::engine_reading& reading, const model::model& read_model) {
  model::layer_plan plan{{read_model}, {}};
  if (!reading.change(plan)) return false;
  const model::model& other = plan.tables.front();
  return other.fourth_row != read_model.fourth_row ||
         !is_same_table(suspect_of(other.encoding), suspect_of(read_model.encoding));
}

}  // namespace

std::string as_engines_do(const model::model& read_model, const std::vector<named_fault>& faults) {
  std::string text;
  try {
    for (const model::engine_reading& reading : model::engine_readings())
      if (is_named(faults, reading.fault) && changes(reading, read_model))
        text += (text.empty() ? "" : " and ") + std::string(reading.engine);
  } catch (const std::invalid_argument&) {
    return {};  // options changed the configuration
  }
  return text.empty() ? text : ", as " + text + (text.find(" and ") == text.npos ? " does" : " do");
}

}  // namespace ropewalk::diagnosis
