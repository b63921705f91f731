#include "sweep/whole_number.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace ropewalk::sweep {

std::int64_t whole_number(const nlohmann::json& from, std::int64_t least, std::int64_t most) {
  const bool is_beyond =
      from.is_number_unsigned() && from.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (from.is_number_integer() && !is_beyond) {
    const auto result = from.get<std::int64_t>();
    if (result >= least && result <= most) return result;
  }
  throw std::invalid_argument(from.dump() + " is not a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most));
}

std::int64_t count_in(const nlohmann::json& from) { return whole_number(from, 0, std::int64_t{1} << 62); }

std::uint64_t bits_in(const nlohmann::json& from) {
  if (!from.is_number_unsigned()) throw std::invalid_argument(from.dump() + " is not a bit pattern");
  return from.get<std::uint64_t>();
}

}  // namespace ropewalk::sweep
