#pragma once
// Tables with one number per entry, such as slopes, biases and buckets.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::diagnosis {

/// A table of `count` exact numbers, number_at(place). An engine forms each with a relative error and then
/// rounds it to the array's dtype. Integers are exact.
std::shared_ptr<const suspected_table> table_of_numbers(
    std::int64_t count, std::function<fault::own_number(std::int64_t place)> number_at, double error);

/// The same table from a list.
std::shared_ptr<const suspected_table> table_of_numbers(std::vector<fault::own_number> exact, double error);

}  // namespace ropewalk::diagnosis
