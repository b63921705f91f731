// Prints the numbers of eighth_turn.hpp and of its budget as definitions that Sollya reads, so that the
// certificate has no numbers of its own.

#include <cinttypes>
#include <cstdio>

#include "eighth_turn_budget.hpp"
#include "gpu/eighth_turn.hpp"

int main() {
  using namespace ropewalk::eighth_turn;
  for (int i = 0; i < 6; ++i) std::printf("sine_%d = %" PRIu64 " * 2^(-%d);\n", i, sine[i], sine_places[i]);
  for (int i = 1; i < 7; ++i)
    std::printf("cosine_%d = %" PRIu64 " * 2^(-%d);\n", i, cosine[i], cosine_places[i]);
  std::printf("sine_approximation = %a;\ncosine_approximation = %a;\n", sine_approximation,
              cosine_approximation);
  return 0;
}
