#include "model/exact_numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ropewalk::model {

std::string digits_15(double value) {
  return std::isinf(value) ? "above the largest binary64" : fmt::format("{:.15g}", value);
}

}  // namespace ropewalk::model
