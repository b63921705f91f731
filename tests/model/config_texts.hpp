#pragma once
// Configurations as text, and the warnings and refusals from reading them.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/layers.hpp"
#include "model/model.hpp"

namespace ropewalk::model::model_test {

inline constexpr auto split = pairing::half_split;
inline constexpr auto interleaved = pairing::interleaved;

/// A Llama configuration with `keys` added.
inline std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "head_dim": 128, "rope_theta": 500000)" +
         (keys.empty() ? "" : ", " + keys) + "}";
}

inline model parse(const std::string& text, given<pairing> layout = {}) {
  return parse_model(text, "config.json", {.layout = layout, .layer = {}});
}

inline bool mentions(const std::vector<std::string>& lines, const std::string& a, const std::string& b) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(a) != std::string::npos && line.find(b) != std::string::npos;
  });
}

inline std::string refusal(const std::string& text, const reading& how = {}) {
  try {
    parse_model(text, "config.json", how);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace ropewalk::model::model_test
