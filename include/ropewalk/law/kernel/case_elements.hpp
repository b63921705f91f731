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
void read_head(const law_case& test_case, const place& at, bits_of<Float>* head) {
  if (test_case.fill != 0) return fill_head<Float>(test_case.fill, at, test_case.head_dim, head);
  const auto first =
      elements_of(test_case, at.tensor).begin() + static_cast<std::ptrdiff_t>(head_start(test_case, at));
  std::transform(first, first + test_case.head_dim, head,
                 [](std::uint64_t bits) { return static_cast<bits_of<Float>>(bits); });
}

/// The case with its elements listed.
inline law_case with_listed_elements(law_case test_case) {
  if (test_case.fill == 0) return test_case;
  with_format(test_case.dtype, [&]<class Float>() {
    std::vector<bits_of<Float>> head(static_cast<std::size_t>(test_case.head_dim));
    for_each_head(test_case, [&](const place& at) {
      fill_head<Float>(test_case.fill, at, test_case.head_dim, head.data());
      auto& elements = at.tensor == operand::query ? test_case.query : test_case.key;
      elements.resize(static_cast<std::size_t>(test_case.batch * test_case.tokens *
                                               heads_of(test_case, at.tensor) * test_case.head_dim));
      std::copy(head.begin(), head.end(),
                elements.begin() + static_cast<std::ptrdiff_t>(head_start(test_case, at)));
    });
  });
  test_case.fill = 0;
  return test_case;
}

}  // namespace ropewalk
