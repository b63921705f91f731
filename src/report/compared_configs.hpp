#pragma once
// Prints how two configurations differ, and by how much; and how engines read one configuration differently.

#include <cstdint>
#include <string>
#include <vector>

#include "model/comparison.hpp"
#include "model/engine_readings.hpp"

namespace ropewalk::report {

/// Prints each number that differs between two configurations, with both values and both origins, and the
/// distance between pairs that both configurations turn.
void print_comparison(const std::string& first, const std::string& second,
                      const model::comparison& comparison, bool as_json);

/// Prints the readings of engines that change a model's numbers, each with its differences and their size.
void print_engine_readings(const std::string& name, std::int64_t positions,
                           const std::vector<model::other_reading>& readings, bool as_json);

}  // namespace ropewalk::report
