#pragma once
// Figures of encodings, and their numbers.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "model/model.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"

namespace ropewalk::plot {

inline constexpr std::int64_t trained_on = 32768, asked_for = 131072;

// Two entries within 2^-54 of exact ones, whose squares sum to 1, and three roundings within 2^-53 each.
inline constexpr double norm_error = 0x1p-51;

inline subject qwen() {
  subject qwen;
  qwen.model = model::catalogue_model("qwen2.5-7b-yarn4");
  qwen.which_options = " --model qwen2.5-7b-yarn4";
  qwen.trained = trained_on;
  qwen.target = asked_for;
  return qwen;
}

/// The series of a panel with the tag or, without one, the name.
inline series series_named(const panel& panel, const std::string& name) {
  const auto match = std::find_if(panel.series.begin(), panel.series.end(), [&](const series& series) {
    const auto tag = series.tags.find("rule");
    return series.name == name || (tag != series.tags.end() && tag->second == name);
  });
  if (match == panel.series.end()) throw std::invalid_argument("no series " + name);
  return *match;
}

}  // namespace ropewalk::plot
