#include "kernel/recipe/element.hpp"

#include <array>
#include <cstddef>

#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::recipe {

const float* numbers_of_binary16() {
  static const auto& table = *[] {
    constexpr std::size_t count = std::size_t{1} << format<binary16>::total_bits;
    auto* made = new std::array<float, count>;  // never freed
    for (std::size_t bits = 0; bits < count; ++bits)
      (*made)[bits] = from_bits<float>(convert<float, binary16>(static_cast<std::uint16_t>(bits)));
    return made;
  }();
  return table.data();
}

#ifdef __x86_64__
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#endif

}  // namespace ropewalk::recipe
