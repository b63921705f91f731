#pragma once
// Laws of sinusoidal tables, run by name: what several claims are decided by.

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "ropewalk/law/sinusoidal_laws.hpp"

namespace ropewalk::claim {

/// A law of the tables in binary32, run on the correctly rounded ones or on another source's.
inline measurement run_sinusoidal_law(std::string_view name, const sinusoidal& config, std::int64_t length,
                                      const sinusoidal_source<float>& source = sinusoidal_encodings<float>) {
  for (const auto& law : sinusoidal_laws<float>)
    if (law.name == name) return law.measure(source, config, length);
  throw std::logic_error("no such law");
}

}  // namespace ropewalk::claim
