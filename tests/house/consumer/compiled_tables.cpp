// A table that three translation units make at compile time, against the same rows at run time.

#include "code.hpp"
#include "ropewalk/ropewalk.hpp"

int main() {
  const auto rows = ropewalk::sinusoidal_encoding(code::end, 8);
  for (std::int64_t position = code::begin; position < code::end; ++position)
    for (std::size_t channel = 0; channel < 8; ++channel)
      if (code::row(position)[channel] != rows[static_cast<std::size_t>(position) * 8 + channel]) return 1;
  try {
    code::row(code::end);
  } catch (const std::out_of_range&) {
    return 0;
  }
  return 1;
}
