#include "kernel/recipe/tensor_passes.hpp"

#include <cstring>

#include "kernel/recipe/element.hpp"
#include "ropewalk/kernel/tensor.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ropewalk::recipe {
namespace {

template <floating_format Float>
constexpr std::size_t size = sizeof(bits_of<Float>);

template <floating_format Float>
bits_of<Float> at(const std::byte* x, int channel) {
  return load<Float>(x + static_cast<std::size_t>(channel) * size<Float>);
}

template <floating_format Float>
void set(std::byte* out, int channel, bits_of<Float> bits) {
  store<Float>(out + static_cast<std::size_t>(channel) * size<Float>, bits);
}

template <floating_format Float>
void negate_seconds(const std::byte* x, int pairs, pairing pairing_in, std::byte* out) {
  const channel_pair first = channels_of(0, 2 * pairs, pairing_in);
  const int step = pairing_in == pairing::half_split ? 1 : 2;
  for (int pair = 0; pair < pairs; ++pair)
    set<Float>(out, pair, negate<Float>(at<Float>(x, first.second + pair * step)));
}

template <floating_format Float>
void join(const std::byte* negated, const std::byte* x, int pairs, pairing pairing_in, std::byte* out) {
  if (pairing_in == pairing::half_split) {
    const std::size_t half = static_cast<std::size_t>(pairs) * size<Float>;
    std::memcpy(out, negated, half);
    std::memcpy(out + half, x, half);
    return;
  }
  for (int pair = 0; pair < pairs; ++pair) {
    set<Float>(out, 2 * pair, at<Float>(negated, pair));
    set<Float>(out, 2 * pair + 1, at<Float>(x, 2 * pair));
  }
}

template <floating_format Float>
void spread(const float* entries, int pairs, pairing pairing_in, std::byte* out) {
  for (int pair = 0; pair < pairs; ++pair) {
    const channel_pair to = channels_of(pair, 2 * pairs, pairing_in);
    set<Float>(out, to.first, rounded<Float>(entries[pair]));
    set<Float>(out, to.second, rounded<Float>(entries[pair]));
  }
}

enum class combination { product, sum };

/// Products or sums. Inlined, so that the compiler vectorises with the instructions of the containing
/// function.
template <floating_format Float, combination Of>
[[gnu::always_inline]] inline void combine(const std::byte* x, const std::byte* y, int channels,
                                           std::byte* out) {
  const float* const numbers = numbers_of_binary16();
  for (int channel = 0; channel < channels; ++channel) {
    const auto a = widened<Float>(at<Float>(x, channel), numbers);
    const auto b = widened<Float>(at<Float>(y, channel), numbers);
    set<Float>(out, channel, rounded<Float>(Of == combination::product ? a * b : a + b));
  }
}

template <floating_format Float, combination Of>
void combine_portably(const std::byte* x, const std::byte* y, int channels, std::byte* out) {
  combine<Float, Of>(x, y, channels, out);
}

template <floating_format Float>
constexpr tensor_passes portable{negate_seconds<Float>, join<Float>,
                                 combine_portably<Float, combination::product>,
                                 combine_portably<Float, combination::sum>, spread<Float>};

#ifdef __x86_64__

template <floating_format Float, combination Of>
[[gnu::target("avx2")]] void combine_by_avx2(const std::byte* x, const std::byte* y, int channels,
                                             std::byte* out) {
  combine<Float, Of>(x, y, channels, out);
}

/// Binary16: eight elements at a time, by the processor's conversions.
template <combination Of>
[[gnu::target("f16c")]] void combine_by_f16c(const std::byte* x, const std::byte* y, int channels,
                                             std::byte* out) {
  constexpr int at_once = 8;
  for (; channels >= at_once; channels -= at_once) {
    const __m256 a = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
    const __m256 b = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(y)));
    const __m256 made = Of == combination::product ? a * b : a + b;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_cvtps_ph(made, _MM_FROUND_TO_NEAREST_INT));
    x += sizeof(__m128i);
    y += sizeof(__m128i);
    out += sizeof(__m128i);
  }
  combine<binary16, Of>(x, y, channels, out);
}

template <floating_format Float>
constexpr tensor_passes by_avx2{negate_seconds<Float>, join<Float>,
                                combine_by_avx2<Float, combination::product>,
                                combine_by_avx2<Float, combination::sum>, spread<Float>};

template <>
constexpr tensor_passes by_avx2<binary16>{negate_seconds<binary16>, join<binary16>,
                                          combine_by_f16c<combination::product>,
                                          combine_by_f16c<combination::sum>, spread<binary16>};

#endif

}  // namespace

const tensor_passes& portable_tensor_passes_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() -> const tensor_passes& { return portable<Float>; });
}

const tensor_passes& tensor_passes_of(ropewalk_dtype dtype) {
#ifdef __x86_64__
  if (has_avx2())
    return with_format(dtype, []<class Float>() -> const tensor_passes& { return by_avx2<Float>; });
#endif
  return portable_tensor_passes_of(dtype);
}

}  // namespace ropewalk::recipe
