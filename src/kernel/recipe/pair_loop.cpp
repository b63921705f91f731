#include "kernel/recipe/pair_loop.hpp"

#include "kernel/recipe/element.hpp"
#include "ropewalk/kernel/tensor.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ropewalk::recipe {
namespace {

/// The loop, with round(number) as the conversion of results. Inlined, so that the compiler may use the
/// instructions of the containing function: it vectorises binary32 and bfloat16; binary16 stays scalar
/// because of its table of numbers.
template <floating_format Float, pairing Pairs, class Round>
[[gnu::always_inline]] inline void turn_pairs(const std::byte* from, std::byte* to, int pairs,
                                              const float* row, Round round) {
  constexpr std::size_t size = sizeof(bits_of<Float>);
  constexpr std::size_t step = Pairs == pairing::interleaved ? 2 * size : size;
  const std::size_t apart = Pairs == pairing::interleaved ? size : static_cast<std::size_t>(pairs) * size;
  const float* const numbers = numbers_of_binary16();
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(pairs); ++pair) {
    const rotation_format<Float> cos = row[2 * pair], sin = row[2 * pair + 1];
    const auto x = widened<Float>(load<Float>(from + pair * step), numbers);
    const auto y = widened<Float>(load<Float>(from + pair * step + apart), numbers);
    store<Float>(to + pair * step, round(x * cos - y * sin));
    store<Float>(to + pair * step + apart, round(x * sin + y * cos));
  }
}

template <floating_format Float, pairing Pairs>
void turn_portably(const std::byte* from, std::byte* to, int pairs, const float* row) {
  turn_pairs<Float, Pairs>(from, to, pairs, row, rounded<Float>);
}

#ifdef __x86_64__

struct rounded_by_f16c {
  [[gnu::target("f16c")]] std::uint16_t operator()(float value) const {
    const __m128i halves = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT);
    return static_cast<std::uint16_t>(_mm_cvtsi128_si32(halves));
  }
};

template <floating_format Float, pairing Pairs>
[[gnu::target("avx2,f16c")]] void turn_by_avx2(const std::byte* from, std::byte* to, int pairs,
                                               const float* row) {
  if constexpr (std::is_same_v<Float, binary16>)
    turn_pairs<Float, Pairs>(from, to, pairs, row, rounded_by_f16c{});
  else
    turn_pairs<Float, Pairs>(from, to, pairs, row, rounded<Float>);
}

#endif

}  // namespace

pair_loop portable_pair_loop_of(ropewalk_dtype dtype, pairing pairs) {
  return with_format(dtype, [&]<class Float>() -> pair_loop {
    return pairs == pairing::interleaved ? turn_portably<Float, pairing::interleaved>
                                         : turn_portably<Float, pairing::half_split>;
  });
}

pair_loop pair_loop_of(ropewalk_dtype dtype, pairing pairs) {
#ifdef __x86_64__
  if (has_avx2())
    return with_format(dtype, [&]<class Float>() -> pair_loop {
      return pairs == pairing::interleaved ? turn_by_avx2<Float, pairing::interleaved>
                                           : turn_by_avx2<Float, pairing::half_split>;
    });
#endif
  return portable_pair_loop_of(dtype, pairs);
}

}  // namespace ropewalk::recipe
