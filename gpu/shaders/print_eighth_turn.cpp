// Prints the constants of eighth_turn.hpp as GLSL, for turn.glsl, real_turn.glsl and bias.comp.

#include <cinttypes>
#include <cstdio>

#include "gpu/eighth_turn.hpp"

namespace {

using namespace ropewalk::eighth_turn;

void print(const char* name, int index, std::uint64_t value, int places) {
  const auto low = static_cast<std::uint32_t>(value), high = static_cast<std::uint32_t>(value >> 32);
  if (places == 64 && high != 0)
    std::printf("const uvec2 %s%d = uvec2(0x%08" PRIx32 "u, 0x%08" PRIx32 "u);\n", name, index, low, high);
  else
    std::printf("const uint %s%d = 0x%08" PRIx32 "u;\n", name, index, low);
}

template <class Series>
void print_series(const char* name, const Series& terms) {
  std::printf("const int %s_terms = %zu;\nconst uvec4 %s_series[%zu] = uvec4[](", name, terms.size(), name,
              terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    std::printf("%s\n  uvec4(0x%08" PRIx32 "u, 0x%08" PRIx32 "u, 0x%08" PRIx32 "u, 0x%08" PRIx32 "u)",
                i == 0 ? "" : ",", terms[i][0], terms[i][1], terms[i][2], terms[i][3]);
  std::printf(");\n");
}

}  // namespace

int main() {
  std::printf("// Printed from eighth_turn.hpp.\n");
  for (int i = 0; i < 6; ++i) print("sine", i, sine[i], sine_places[i]);
  for (int i = 1; i < 7; ++i) print("cosine", i, cosine[i], i == 6 ? 0 : cosine_places[i]);
  print_series("sine", sine_series);
  print_series("cosine", cosine_series);
  std::printf("const uint fast_error = %" PRIu32 "u, slow_error = %" PRIu32 "u, slope_error = %" PRIu32
              "u;\n",
              fast_error, slow_error, slope_error);
  std::printf("const int fast_places = %d, slow_places = %d;\n", fast_places, slow_places);
  std::printf("const int position_bits = %d, real_places = %d, most_dropped = %d;\n", position_bits,
              real_places, most_dropped);
  return 0;
}
