#include "model/exact_numbers.hpp"

#include <fmt/format.h>

namespace ropewalk::model {

std::string digits_15(double value) { return fmt::format("{:.15g}", value); }

}  // namespace ropewalk::model
