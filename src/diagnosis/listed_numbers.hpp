#pragma once
// Tables with one number per entry, as slopes, biases and buckets are.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::diagnosis {

/// The table of `count` exact numbers, number_at(place), each formed with a relative error and then rounded
/// to the array's dtype; integers are exact.
std::shared_ptr<const suspected_table> table_of_numbers(
    std::int64_t count, std::function<fault::own_number(std::int64_t place)> number_at, double error);

/// The same of a list.
std::shared_ptr<const suspected_table> table_of_numbers(std::vector<fault::own_number> exact, double error);

}  // namespace ropewalk::diagnosis
