// Prints the numbers of quarter_turn.hpp and of its budget as definitions that Gappa and Sollya both read, so
// that no certificate has numbers of its own.

#include <cstdio>

#include "kernel/quarter_turn.hpp"
#include "quarter_turn_budget.hpp"

namespace {

void print(const char* name, double value) { std::printf("%s = %a;\n", name, value); }

template <int Count>
void print(const char* name, const double (&coefficients)[Count]) {
  for (int i = 0; i < Count; ++i) std::printf("%s_%d = %a;\n", name, i, coefficients[i]);
}

}  // namespace

int main() {
  using namespace ropewalk::quarter_turn;
  print("sine", sine);
  print("cosine", cosine);
  print("smallest_factor", smallest_factor);
  print("largest_factor", largest_factor);
  print("unit_roundoff", unit_roundoff);
  print("smallest_rest", smallest_rest);
  print("approximation", approximation);
  print("evaluation", evaluation);
}
