#include <cstdio>

#include "ropewalk/table/rope_rows.hpp"

int main() {
  constexpr ropewalk::rope model{.base = 10000, .rotary_dim = 128};
  for (const unsigned bits : ropewalk::inv_freqs<float>(model)) std::printf("%08x\n", bits);
  const auto entry = ropewalk::rope_rows(model).entry<float>(17, std::int64_t{131071}, false);
  std::printf("%08x %08x\n", entry.cos, entry.sin);
}
