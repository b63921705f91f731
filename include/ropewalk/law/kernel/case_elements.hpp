#pragma once
// The elements of a case, listed or generated from a seed, so that a few numbers describe a large case.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ropewalk/law/kernel/law_case.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

namespace detail {

/// Pseudorandom number of an argument: the output function of splitmix64.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace detail

/// Generates the elements of one head from a seed and the head's place: either sign, any significand,
/// 2^-3 <= |x| < 2.
///
/// shape   [head_dim]
template <floating_format Float>
void fill_head(std::uint64_t seed, const place& at, int head_dim, bits_of<Float>* head) {
  using traits = format<Float>;
  std::uint64_t of_head = seed;
  for (const std::int64_t index : {static_cast<std::int64_t>(at.tensor), at.row, at.token, at.head})
    of_head = detail::scrambled(of_head + static_cast<std::uint64_t>(index) + 1);
  for (int channel = 0; channel < head_dim; ++channel) {
    const std::uint64_t random = detail::scrambled(of_head + static_cast<std::uint64_t>(channel));
    const auto exponent = static_cast<std::uint64_t>(traits::bias) - (random & 3);
    head[channel] = static_cast<bits_of<Float>>((random >> 63 << (sizeof(bits_of<Float>) * 8 - 1)) |
                                                exponent << (traits::precision - 1) |
                                                (random >> 8 & traits::fraction_mask));
  }
}

/// Reads the elements of one head of a case, listed or generated.
///
/// shape   [head_dim]
template <floating_format Float>
void read_head(const law_case& given, const place& at, bits_of<Float>* head) {
  if (given.fill != 0) return fill_head<Float>(given.fill, at, given.head_dim, head);
  const auto first =
      elements_of(given, at.tensor).begin() + static_cast<std::ptrdiff_t>(head_start(given, at));
  std::transform(first, first + given.head_dim, head,
                 [](std::uint64_t bits) { return static_cast<bits_of<Float>>(bits); });
}

/// The case with its elements listed.
inline law_case with_listed_elements(law_case given) {
  if (given.fill == 0) return given;
  with_format(given.dtype, [&]<class Float>() {
    std::vector<bits_of<Float>> head(static_cast<std::size_t>(given.head_dim));
    for_each_head(given, [&](const place& at) {
      fill_head<Float>(given.fill, at, given.head_dim, head.data());
      auto& elements = at.tensor == operand::query ? given.query : given.key;
      elements.resize(
          static_cast<std::size_t>(given.batch * given.tokens * heads_of(given, at.tensor) * given.head_dim));
      std::copy(head.begin(), head.end(),
                elements.begin() + static_cast<std::ptrdiff_t>(head_start(given, at)));
    });
  });
  given.fill = 0;
  return given;
}

}  // namespace ropewalk
